import type * as z from 'zod/mini';
import type { AuditEntryResource } from '#shared/admin/audit-log.ts';
import type { AuditAction, AuditActor } from '#shared/domain/audit-entry.ts';
import { may } from '#shared/domain/permissions.ts';
import { DataTable } from '../layout/data-table.tsx';
import { choicesOf, FilterButton, Select } from '../layout/fields.tsx';
import { Moment } from '../layout/moment.tsx';
import { countText } from '../layout/number.ts';
import { OlderLink } from '../layout/older-link.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';
import { memberText, memberValueText } from './audit-words.ts';

type Entry = z.infer<typeof AuditEntryResource>;

const actionNames: Readonly<Record<AuditAction, string>> = {
  'project.created': 'Created the project',
  'project.changed': 'Changed the settings',
  'live.granted': 'Granted real calls',
  'live.withdrawn': 'Withdrew the grant for real calls',
  'member.added': 'Added a member',
  'member.changed': 'Changed a member’s role',
  'member.removed': 'Removed a member',
  'member.invited': 'Invited a person',
  'member.joined': 'Accepted an invitation',
  'invitation.revoked': 'Revoked an invitation',
  'alerts.changed': 'Changed a member’s alerts',
  'api-key.created': 'Generated an API key',
  'api-key.revoked': 'Revoked an API key',
  'api-key.rotated': 'Rotated an API key',
  'webhook.created': 'Added a webhook',
  'webhook.changed': 'Changed a webhook',
  'webhook.deleted': 'Deleted a webhook',
  'webhook.disabled': 'Disabled a webhook',
  'webhook.tested': 'Sent a test event',
  'webhook.replayed': 'Resent deliveries',
  'webhook-secret.viewed': 'Viewed a signing secret',
  'webhook-secret.rotated': 'Rotated a signing secret',
  'patient.created': 'Added a patient',
  'patient.changed': 'Changed a patient',
  'patient.merged': 'Merged two patients',
  'patient.viewed': 'Viewed a patient',
  'patients.listed': 'Viewed the patient list',
  'patient-access.viewed': 'Viewed who saw a patient',
  'patient.erased': 'Erased a patient',
  'export.ordered': 'Requested an export of a patient',
  'patient.exported': 'Downloaded the export of a patient',
  'task.created': 'Created a task',
  'task.cancelled': 'Canceled a task',
  'follow-up.changed': 'Changed a follow-up',
  'task.erased': 'Erased a task',
  'erasure.ordered': 'Requested an erasure',
  'audit-log.expired': 'Expired old audit log entries',
  'opt-out.added': 'Added numbers to the do-not-call list',
  'opt-out.confirmed': 'Confirmed an opt-out',
  'opt-out.lifted': 'Lifted an opt-out',
  'destination.saved': 'Saved a destination',
  'destination.removed': 'Removed a destination',
  'question-template.saved': 'Saved a question template',
  'question-template.removed': 'Removed a question template',
  'task.viewed': 'Viewed a task',
  'tasks.listed': 'Viewed the task list',
  'tasks.exported': 'Exported tasks',
  'transcript.viewed': 'Viewed a transcript',
  'recording.viewed': 'Played a recording',
  'task-batch.created': 'Sent a batch of tasks',
  'task-batch.cancelled': 'Canceled a batch of tasks',
  'import.started': 'Started an import',
  'import.stopped': 'Stopped an import',
  'import.exported': 'Downloaded rows of an import',
  'call.claimed': 'Started a call',
  'task.sent': 'Sent a task to a webhook',
};

/** Why one reads the log: changes by people and clients, who saw what, and actions of the service. */
export const auditKinds = ['changes', 'views', 'service'] as const;
export type AuditKind = (typeof auditKinds)[number];

/** The kind of an entry. Every call is an entry of the service, which would hide everything else. */
export function auditKindOf({ action }: Pick<Entry, 'action'>): AuditKind {
  if (action === 'call.claimed' || action === 'task.sent') return 'service';
  return /\.(?:viewed|listed|exported)$/.test(action) ? 'views' : 'changes';
}

/** Actions in the project, by whom and when. */
export function AuditLogPage({
  view,
  entries,
  keyNames,
  kind,
  next,
}: {
  readonly view: ProjectView;
  readonly entries: readonly Entry[];
  /** Names of API keys, by ID. */
  readonly keyNames: ReadonlyMap<string, string>;
  /** Null for all. */
  readonly kind: AuditKind | null;
  readonly next: string | null;
}) {
  const { links, project, role } = view;
  const accessLink = (patientId: string): string => links.patient(project.id, patientId, '/access-log');
  return (
    <ProjectPage
      view={view}
      section="Audit Log"
      intro="Every change, and every view of a patient, transcript or recording. Entries cannot be changed or deleted."
    >
      <section class="card">
        <form method="get" action={links.auditLog(project.id)} class="row">
          <Select
            name="kind"
            label="Show"
            value={kind ?? ''}
            options={choicesOf('Everything', {
              changes: 'Changes',
              views: 'Views',
              service: 'Calls and deliveries',
            })}
          />
          <FilterButton />
        </form>
        {entries.length === 0 ? (
          <p class="quiet">
            {next === null ? 'No entries yet.' : 'No entries of this kind here. Continue to older entries.'}
          </p>
        ) : (
          <EntryTable
            view={view}
            label="Audit log"
            entries={entries}
            keyNames={keyNames}
            {...(may(role, 'access.read') ? { accessLink } : {})}
          />
        )}
      </section>
      <OlderLink next={next} what="entries" />
    </ProjectPage>
  );
}

export function EntryTable({
  view,
  label,
  entries,
  keyNames,
  accessLink,
}: {
  readonly view: ProjectView;
  readonly label: string;
  readonly entries: readonly Entry[];
  /** Names of API keys, by ID. */
  readonly keyNames: ReadonlyMap<string, string>;
  /** The page of who saw a patient; absent if no entry links there. */
  readonly accessLink?: (patientId: string) => string;
}) {
  return (
    <DataTable
      label={label}
      kind="log"
      columns={['When', 'Who', 'What', 'Details']}
      rows={entries.map((entry) => [
        <Moment at={entry.at} seconds />,
        actorName(entry.actor, keyNames),
        <Deed view={view} entry={entry} />,
        <Details entry={entry} accessLink={accessLink} />,
      ])}
    />
  );
}

function actorName(actor: AuditActor, keyNames: ReadonlyMap<string, string>): string {
  switch (actor.kind) {
    case 'person':
      return actor.email;
    case 'api-key':
      return `API key ${keyNames.get(actor.id) ?? actor.id}`;
    case 'command':
      return 'Operator command';
    case 'service':
      return 'The service';
    default:
      return actor satisfies never;
  }
}

/** The action, linked to its target if that has a page that the reader may see. */
function Deed({
  view: { links, project, role },
  entry,
}: {
  readonly view: ProjectView;
  readonly entry: Entry;
}) {
  const { action, target, after } = entry;
  const name = actionNames[action];
  // A call is on its task's page.
  const taskId = target.type === 'task' ? target.id : after?.task_id;
  const address =
    typeof taskId === 'string' && may(role, 'tasks.read')
      ? links.task(project.id, taskId)
      : target.type === 'patient' && may(role, 'patients.read')
        ? links.patient(project.id, target.id)
        : target.type === 'webhook' && action !== 'webhook.deleted' && may(role, 'webhooks.read')
          ? links.webhook(project.id, target.id)
          : null;
  return address === null ? name : <a href={address}>{name}</a>;
}

function Details({
  entry,
  accessLink,
}: {
  readonly entry: Entry;
  readonly accessLink: ((patientId: string) => string) | undefined;
}) {
  const { target, before, after, patient_ids, source_ip, reason } = entry;
  const changes = changesOf(before, after);
  return (
    <details>
      <summary>
        {changes.length === 0 ? memberText(target.type.replaceAll('-', '_')) : namesText(changes)}
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
        {accessLink === undefined || patient_ids.length === 0 ? null : (
          <>
            <dt>Who saw this patient</dt>
            {patient_ids.map((id) => (
              <dd>
                <a href={accessLink(id)}>{id}</a>
              </dd>
            ))}
          </>
        )}
        {source_ip === null ? null : <Fact name="From" text={source_ip} />}
        {reason === null ? null : <Fact name="Why" text={reason} />}
        {changes.map(({ name, from, to }) => (
          <Fact
            name={name}
            text={from === null ? (to ?? '') : to === null ? `${from} (removed)` : `${from} → ${to}`}
          />
        ))}
      </dl>
    </details>
  );
}

function Fact({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{text}</dd>
    </>
  );
}

interface Change {
  readonly name: string;
  readonly from: string | null;
  readonly to: string | null;
}

const namesAtMost = 3;

/** The first names, and how many others there are. */
function namesText(changes: readonly Change[]): string {
  const names = changes.slice(0, namesAtMost).map(({ name }) => name);
  const others = changes.length - names.length;
  return others === 0 ? names.join(', ') : `${names.join(', ')} and ${countText(others, 'other')}`;
}

/** Member by member, including nested ones, so that only differences are shown. */
function changesOf(
  before: Record<string, unknown> | null,
  after: Record<string, unknown> | null,
): readonly Change[] {
  const [from, to] = [flat(before), flat(after)];
  return [...new Set([...from.keys(), ...to.keys()])].flatMap((name) => {
    const [was, is] = [from.get(name) ?? null, to.get(name) ?? null];
    return was === is ? [] : [{ name: memberText(name), from: was, to: is }];
  });
}

function flat(values: Record<string, unknown> | null, path = ''): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries(values ?? {})) {
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isGroup) for (const [inner, text] of flat({ ...value }, `${path}${name}.`)) texts.set(inner, text);
    else texts.set(`${path}${name}`, memberValueText(`${path}${name}`, value));
  }
  return texts;
}
