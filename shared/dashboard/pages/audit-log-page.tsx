import type * as z from 'zod/mini';
import type { AuditEntryResource } from '#shared/admin/audit-log.ts';
import { AuditAction, type AuditActor } from '#shared/domain/audit-entry.ts';
import { DataTable } from '../layout/data-table.tsx';
import { Select } from '../layout/fields.tsx';
import { Moment } from '../layout/moment.tsx';
import { numberText } from '../layout/number.ts';
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
  'webhook-secret.viewed': 'Viewed signing secret',
  'webhook-secret.rotated': 'Rotated a signing secret',
  'patient.created': 'Added a patient',
  'patient.changed': 'Changed a patient',
  'patient.viewed': 'Viewed patient',
  'patients.listed': 'Viewed patient list',
  'patient.erased': 'Erased a patient',
  'task.created': 'Created a task',
  'task.cancelled': 'Canceled a task',
  'follow-up.changed': 'Changed a follow-up',
  'task.erased': 'Erased a task',
  'erasure.ordered': 'Requested an erasure',
  'opt-out.added': 'Added numbers to the do-not-call list',
  'opt-out.confirmed': 'Confirmed an opt-out',
  'opt-out.lifted': 'Lifted an opt-out',
  'task.viewed': 'Viewed task',
  'tasks.listed': 'Viewed task list',
  'tasks.exported': 'Exported tasks',
  'transcript.viewed': 'Viewed transcript',
  'recording.viewed': 'Played recording',
};

/** What one reads the log for: what was changed, or who saw what. */
export const auditKinds = ['changes', 'views'] as const;
export type AuditKind = (typeof auditKinds)[number];
const views: ReadonlySet<AuditAction> = new Set(
  AuditAction.options.filter((action) => /\.(?:viewed|listed|exported)$/.test(action)),
);

/** What was done in the project, by whom and when. */
export function AuditLogPage({
  view,
  entries,
  kind,
  next,
}: {
  readonly view: ProjectView;
  readonly entries: readonly Entry[];
  /** Null for everything. */
  readonly kind: AuditKind | null;
  readonly next: string | null;
}) {
  const { links, project } = view;
  const shown = runsOf(
    entries.filter(({ action }) => kind === null || views.has(action) === (kind === 'views')),
  );
  return (
    <ProjectPage
      view={view}
      section="Audit Log"
      intro="Every change, and every look at a patient, a transcript or a recording. Nothing here can be deleted."
    >
      <section class="card">
        <form method="get" action={links.auditLog(project.id)} class="row">
          <Select
            name="kind"
            label="Show"
            value={kind ?? ''}
            options={[
              { value: '', label: 'Everything' },
              { value: 'changes', label: 'Changes' },
              { value: 'views', label: 'Views' },
            ]}
          />
          <div class="field at-end">
            <button type="submit" class="second">
              Filter
            </button>
          </div>
        </form>
        {shown.length === 0 ? (
          <p class="quiet">
            {next === null
              ? 'Nothing was done yet.'
              : 'Nothing of this kind on this page; go on to older entries.'}
          </p>
        ) : (
          <DataTable
            label="Audit log"
            columns={['When', 'Who', 'What', 'Details']}
            rows={shown.map(({ entry, count, firstAt }) => [
              <>
                <Moment at={entry.at} />
                {count === 1 ? null : (
                  <span class="hint">
                    {`${numberText(count)} times since `}
                    <Moment at={firstAt} />
                  </span>
                )}
              </>,
              actorName(entry.actor),
              <Deed view={view} entry={entry} />,
              <Details entry={entry} />,
            ])}
          />
        )}
      </section>
      <OlderLink next={next} what="entries" />
    </ProjectPage>
  );
}

interface Run {
  /** The newest one. */
  readonly entry: Entry;
  readonly count: number;
  readonly firstAt: string;
}

/** A page that follows a call looks again and again: what one person did to one thing in a row is one line. */
function runsOf(entries: readonly Entry[]): readonly Run[] {
  const runs: Run[] = [];
  for (const entry of entries) {
    const last = runs.at(-1);
    if (last !== undefined && views.has(entry.action) && isSame(last.entry, entry)) {
      runs[runs.length - 1] = { ...last, count: last.count + 1, firstAt: entry.at };
    } else runs.push({ entry, count: 1, firstAt: entry.at });
  }
  return runs;
}

function isSame(one: Entry, other: Entry): boolean {
  return (
    one.action === other.action &&
    one.target.id === other.target.id &&
    actorName(one.actor) === actorName(other.actor)
  );
}

function actorName(actor: AuditActor): string {
  switch (actor.kind) {
    case 'person':
      return actor.email;
    case 'command':
      return 'Operator command';
    case 'service':
      return 'The service';
    default:
      return actor satisfies never;
  }
}

/** What was done, leading to what it was done to where that has a page. */
function Deed({ view: { links, project }, entry }: { readonly view: ProjectView; readonly entry: Entry }) {
  const { action, target } = entry;
  const name = actionNames[action];
  switch (target.type) {
    case 'task':
      return <a href={links.task(project.id, target.id)}>{name}</a>;
    case 'patient':
      return <a href={links.patient(project.id, target.id)}>{name}</a>;
    case 'webhook':
      return action === 'webhook.deleted' ? name : <a href={links.webhook(project.id, target.id)}>{name}</a>;
    default:
      return name;
  }
}

function Details({ entry }: { readonly entry: Entry }) {
  const { target, before, after } = entry;
  const changes = changesOf(before, after);
  return (
    <details>
      <summary>
        {changes.length === 0 ? target.type.replaceAll('-', ' ') : changes.map(({ name }) => name).join(', ')}
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
        {changes.map(({ name, from, to }) => (
          <>
            <dt>{name}</dt>
            <dd>{from === null ? to : to === null ? `${from} (removed)` : `${from} → ${to}`}</dd>
          </>
        ))}
      </dl>
    </details>
  );
}

interface Change {
  readonly name: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** Member by member, those of objects by themselves, so that only what differs is told. */
function changesOf(
  before: Record<string, unknown> | null,
  after: Record<string, unknown> | null,
): readonly Change[] {
  const [from, to] = [flat(before), flat(after)];
  return [...new Set([...from.keys(), ...to.keys()])].flatMap((name) => {
    const [was, is] = [from.get(name) ?? null, to.get(name) ?? null];
    return was === is ? [] : [{ name: name.replaceAll('_', ' '), from: was, to: is }];
  });
}

function flat(values: Record<string, unknown> | null, path = ''): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries(values ?? {})) {
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isGroup) for (const [inner, text] of flat({ ...value }, `${path}${name}: `)) texts.set(inner, text);
    else texts.set(`${path}${name}`, textOf(value));
  }
  return texts;
}

function textOf(value: unknown): string {
  if (value === null || value === '') return 'none';
  return Array.isArray(value) ? value.map(textOf).join(', ') || 'none' : String(value);
}
