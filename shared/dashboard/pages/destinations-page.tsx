import type * as z from 'zod/mini';
import type { Destinations } from '#shared/admin/destinations.ts';
import type { DirectoryEntry } from '#shared/domain/directory-entry.ts';
import { may } from '#shared/domain/permissions.ts';
import { Confirm } from '../layout/confirm.tsx';
import { DataTable } from '../layout/data-table.tsx';
import { hoursTexts, lineKindNames, numbersText } from '../layout/destination-words.ts';
import { Moment } from '../layout/moment.tsx';
import { DoneNotice, ErrorSummary } from '../layout/notices.tsx';
import { countText } from '../layout/number.ts';
import type { FormPageProps } from '../layout/permitted-form.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';

type Listed = z.infer<typeof Destinations>;
type Entry = Omit<DirectoryEntry, 'project_id' | 'updated_by'>;

const entriesPerPage = 50;

/** Project Settings > Destinations: the project's lines, and the operator's. */
export function DestinationsPage({
  view,
  destinations,
  operator,
  page,
  errors,
  done,
}: Omit<FormPageProps<never>, 'values'> &
  Listed & {
    /** From 1, of both lists. */
    readonly page: number;
  }) {
  const { links, project, role } = view;
  const mayChange = may(role, 'destinations.change');
  return (
    <ProjectPage
      view={view}
      section="Destinations"
      intro="Payers, clinics and other lines to choose from in new tasks. Their hours and limits apply to every call."
      action={
        mayChange ? (
          <a class="button small" href={links.newDestination(project.id)}>
            Add destination
          </a>
        ) : null
      }
    >
      <DoneNotice done={done} />
      <ErrorSummary errors={errors} />
      <section class="card">
        <h2>Your destinations</h2>
        {destinations.length === 0 ? (
          <p class="empty quiet">No destinations yet.</p>
        ) : (
          <Entries
            view={view}
            label="Your destinations"
            entries={destinations}
            page={page}
            changedBy={(entry) => destinations.find((one) => one === entry)?.updated_by ?? null}
            mayChange={mayChange}
          />
        )}
      </section>
      {operator.length === 0 ? null : (
        <section class="card">
          <h2>From the operator</h2>
          <p class="quiet">
            These apply to every project. If you have saved the same number, the narrower limit applies.
          </p>
          <Entries
            view={view}
            label="Destinations of the operator"
            entries={operator}
            page={page}
            changedBy={() => null}
            mayChange={false}
          />
        </section>
      )}
    </ProjectPage>
  );
}

function Entries<One extends Entry>({
  view,
  label,
  entries,
  page,
  changedBy,
  mayChange,
}: {
  readonly view: ProjectView;
  readonly label: string;
  readonly entries: readonly One[];
  readonly page: number;
  /** Null for readers without access. */
  readonly changedBy: (entry: One) => string | null;
  readonly mayChange: boolean;
}) {
  const { links, project } = view;
  const sorted = entries.toSorted((one, other) => one.name.localeCompare(other.name));
  const pages = Math.ceil(sorted.length / entriesPerPage);
  const shownPage = Math.min(page, pages);
  const shown = sorted.slice((shownPage - 1) * entriesPerPage, shownPage * entriesPerPage);
  const address = links.destinations(project.id);
  return (
    <>
      {pages < 2 ? null : (
        <p class="hint">{`Page ${shownPage} of ${pages}, ${countText(sorted.length, 'destination')}`}</p>
      )}
      <DataTable
        label={label}
        columns={['Name', 'Number', 'Hours', 'Limits', 'Changed', ...(mayChange ? [''] : [])]}
        rows={shown.map((entry) => [
          <>
            {entry.name}
            <span class="hint">{lineKindNames[entry.kind]}</span>
          </>,
          <span class="number">{numbersText(entry)}</span>,
          <Hours entry={entry} />,
          <Limits entry={entry} />,
          <>
            <Moment at={entry.updated_at} />
            {changedBy(entry) === null ? null : <span class="hint">{changedBy(entry)}</span>}
          </>,
          ...(mayChange ? [<Change view={view} entry={entry} />] : []),
        ])}
      />
      <p class="actions">
        {shownPage > 1 ? <a href={`${address}?page=${shownPage - 1}`}>Previous</a> : null}
        {shownPage < pages ? <a href={`${address}?page=${shownPage + 1}`}>Next</a> : null}
      </p>
    </>
  );
}

function Hours({ entry }: { readonly entry: Entry }) {
  const texts = hoursTexts(entry);
  if (texts.length === 0) return <span class="quiet">Calling hours of the project</span>;
  return (
    <>
      {texts.map((text) => (
        <div>{text}</div>
      ))}
      <span class="hint">{entry.hours?.time_zone.replaceAll('_', ' ')}</span>
    </>
  );
}

function Limits({
  entry: { concurrent_calls, max_hold_minutes, max_call_minutes },
}: {
  readonly entry: Entry;
}) {
  const limits = [
    ...(concurrent_calls === null ? [] : [`${countText(concurrent_calls, 'call')} at a time`]),
    ...(max_hold_minutes === null ? [] : [`${max_hold_minutes} min on hold`]),
    ...(max_call_minutes === null ? [] : [`${max_call_minutes} min per call`]),
  ];
  if (limits.length === 0) return <span class="quiet">Default limits</span>;
  return (
    <>
      {limits.map((limit) => (
        <div>{limit}</div>
      ))}
    </>
  );
}

function Change({ view, entry }: { readonly view: ProjectView; readonly entry: Entry }) {
  const { links, project } = view;
  const address = links.destination(project.id, entry.phone_number);
  return (
    <div class="actions">
      <a class="button second small" href={address}>
        Edit<span class="unseen"> {entry.name}</span>
      </a>
      <Confirm
        view={view}
        label="Remove"
        about={entry.name}
        question="Tasks keep the number. The operator’s limits for it still apply."
        action={`${address}/remove`}
      />
    </div>
  );
}
