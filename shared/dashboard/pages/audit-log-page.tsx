import type * as z from 'zod/mini';
import type { AuditEntryResource } from '#shared/admin/audit-log.ts';
import type { AuditAction, AuditActor } from '#shared/domain/audit-entry.ts';
import { DataTable } from '../layout/data-table.tsx';
import { Moment } from '../layout/moment.tsx';
import { OlderLink } from '../layout/older-link.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';

type Entry = z.infer<typeof AuditEntryResource>;

const actionNames: Readonly<Record<AuditAction, string>> = {
  'project.created': 'Created the project',
  'project.changed': 'Changed the settings',
  'live.granted': 'Granted real calls',
  'live.withdrawn': 'Withdrew the grant of real calls',
  'member.added': 'Added a member',
  'member.changed': 'Changed a member’s role',
  'member.removed': 'Removed a member',
  'api-key.created': 'Generated an API key',
  'api-key.revoked': 'Revoked an API key',
  'api-key.rotated': 'Rotated an API key',
  'webhook.created': 'Added a webhook',
  'webhook.changed': 'Changed a webhook',
  'webhook.deleted': 'Deleted a webhook',
  'webhook.disabled': 'Disabled a webhook',
  'webhook.tested': 'Sent a test event',
  'webhook.replayed': 'Sent deliveries again',
  'webhook-secret.viewed': 'Looked at a signing secret',
  'webhook-secret.rotated': 'Rotated a signing secret',
  'patient.created': 'Registered a patient',
  'patient.viewed': 'Looked at a patient',
  'patients.listed': 'Listed patients',
  'patient.erased': 'Erased a patient',
  'task.created': 'Created a task',
  'task.cancelled': 'Cancelled a task',
  'task.erased': 'Erased a task',
  'erasure.ordered': 'Ordered an erasure',
  'opt-out.added': 'Put numbers on the do-not-call list',
  'opt-out.confirmed': 'Confirmed an opt-out',
  'opt-out.lifted': 'Lifted an opt-out',
  'task.viewed': 'Looked at a task',
  'tasks.listed': 'Listed tasks',
  'transcript.viewed': 'Looked at a transcript',
  'recording.viewed': 'Listened to a recording',
};

/** What was done in the project, by whom and when. */
export function AuditLogPage({
  view,
  entries,
  next,
}: {
  readonly view: ProjectView;
  readonly entries: readonly Entry[];
  readonly next: string | null;
}) {
  return (
    <ProjectPage
      view={view}
      section="Audit log"
      intro="Every change, and every look at a patient, a transcript or a recording. Nothing here can be deleted."
    >
      <section class="card">
        {entries.length === 0 ? (
          <p class="quiet">Nothing was done yet.</p>
        ) : (
          <DataTable
            label="Audit log"
            columns={['When', 'Who', 'What', 'Details']}
            rows={entries.map((entry) => [
              <Moment at={entry.at} />,
              actorName(entry.actor),
              actionNames[entry.action],
              <Details entry={entry} />,
            ])}
          />
        )}
      </section>
      <OlderLink next={next} what="entries" />
    </ProjectPage>
  );
}

function actorName(actor: AuditActor): string {
  switch (actor.kind) {
    case 'person':
      return actor.email;
    case 'command':
      return 'A command of the operator';
    case 'service':
      return 'The service';
    default:
      return actor satisfies never;
  }
}

function Details({ entry }: { readonly entry: Entry }) {
  const { target, before, after } = entry;
  return (
    <details>
      <summary>
        {target.type.replaceAll('-', ' ')}
        <span class="unseen">
          {' '}
          {target.id}, {entry.at}
        </span>
      </summary>
      <dl class="facts">
        <dt>ID</dt>
        <dd>
          <code>{target.id}</code>
        </dd>
        {before === null ? null : <Values name="Before" values={before} />}
        {after === null ? null : <Values name="After" values={after} />}
      </dl>
    </details>
  );
}

function Values({ name, values }: { readonly name: string; readonly values: Record<string, unknown> }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <pre>{JSON.stringify(values, null, 2)}</pre>
      </dd>
    </>
  );
}
