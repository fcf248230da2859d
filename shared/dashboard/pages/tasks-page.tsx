import type { TaskRows } from '#shared/admin/task-rows.ts';
import type { PatientName } from '#shared/admin/task-search.ts';
import { wallTime } from '#shared/calling-hours/zone-clock.ts';
import { may } from '#shared/domain/permissions.ts';
import type { SavedView } from '#shared/domain/saved-view.ts';
import { phoneNumberText } from '#shared/domain/written-phone-number.ts';
import type { TaskListQuery } from '../forms/task-list-query.ts';
import { DataTable } from '../layout/data-table.tsx';
import { ageText } from '../layout/duration.ts';
import { Live } from '../layout/live.tsx';
import { Moment } from '../layout/moment.tsx';
import { DoneNotice, ErrorSummary } from '../layout/notices.tsx';
import { numberText } from '../layout/number.ts';
import { PageLinks } from '../layout/page-links.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';
import { SearchForm } from '../layout/search-form.tsx';
import { taskTypeNames } from '../layout/task-words.tsx';
import type { NewTaskBeginning } from '../links.ts';
import { type RefusedView, SavedViewLinks, SaveView } from './saved-views.tsx';
import { nameText } from './selected-tasks-page.tsx';
import { TaskFilters } from './task-filters.tsx';
import { RowState } from './task-row-state.tsx';
import { SelectBox, Selection } from './task-selection.tsx';
import { columnsOf, isSortedByColumn, pageWords, sortTexts } from './task-sort-words.ts';

export interface TasksPageProps {
  readonly view: ProjectView;
  readonly list: TaskRows;
  readonly saved: readonly SavedView[];
  /** The view that could not be saved; null for none. */
  readonly refused: RefusedView | null;
  /** Names the action that led to this page. */
  readonly done: string | undefined;
  readonly names: ReadonlyMap<string, PatientName>;
  /** Email addresses of possible assignees. */
  readonly assignees: readonly string[];
  readonly query: TaskListQuery;
  /** Whether newer tasks can still appear on the page. */
  readonly isFirstPage: boolean;
  readonly version: string;
  readonly now: Date;
}

/** The predefined views, each a filter of the list. */
const tabs: readonly { readonly label: string; readonly query: TaskListQuery }[] = [
  { label: 'All', query: {} },
  { label: 'Waiting', query: { status: 'PENDING' } },
  { label: 'In progress', query: { status: 'IN_PROGRESS' } },
  { label: 'Needs review', query: { needs: 'review' } },
  { label: 'Needs follow-up', query: { needs: 'follow-up' } },
  { label: 'Assigned to me', query: { assigned: 'me' } },
  { label: 'Unassigned', query: { assigned: 'unassigned' } },
  { label: 'Failed', query: { status: 'FAILED' } },
  { label: 'Completed', query: { status: 'COMPLETED' } },
];

/** The project's tasks, as a work list. */
export function TasksPage({
  view,
  list,
  saved,
  refused,
  done,
  names,
  assignees,
  query,
  isFirstPage,
  version,
  now,
}: TasksPageProps) {
  const { links, project, role } = view;
  const today = wallTime(view.timeZone, now).date;
  const address = (changes: TaskListQuery = {}): string => links.tasks(project.id, { ...query, ...changes });
  return (
    <ProjectPage
      view={view}
      section="Tasks"
      action={
        <div class="actions">
          {may(role, 'tasks.write') ? (
            <>
              <a class="button second small" href={links.imports(project.id)}>
                Import CSV
              </a>
              <a class="button small" href={links.newTask(project.id, beginningOf(query))}>
                New task
              </a>
            </>
          ) : null}
          {/* With scripts the page keeps itself up to date. */}
          <noscript>
            <a class="button second small" href={address()}>
              Refresh
            </a>
          </noscript>
        </div>
      }
    >
      <DoneNotice done={done} />
      <ErrorSummary errors={refused?.errors ?? {}} />
      <section class="card find" aria-label="Find tasks">
        <SearchForm view={view} from="tasks" />
        <nav class="filters" aria-label="Views">
          <ul>
            {tabs.map(({ label, query: tab }) => (
              <li>
                <a
                  href={links.tasks(project.id, tab)}
                  {...(isTab(query, tab) ? { 'aria-current': 'true' } : {})}
                >
                  {label}
                </a>
              </li>
            ))}
            <SavedViewLinks view={view} saved={saved} query={query} />
          </ul>
        </nav>
        <TaskFilters view={view} query={query} assignees={assignees} phoneNumber={list.phoneNumber} />
        <SaveView view={view} saved={saved} query={query} refused={refused} />
      </section>
      <Live versionAddress={isFirstPage ? links.tasksVersion(project.id, query) : null} version={version}>
        <section class="card">
          {list.rows.length === 0 ? (
            <Empty view={view} query={query} hasMore={list.next !== null} />
          ) : (
            <>
              <p class="hint count">
                {`${countText(list)}, ${sortTexts[query.sort ?? '']} · `}
                <a href={links.tasksFile(project.id, query)}>Export CSV</a>
              </p>
              <Selection view={view} query={query}>
                <DataTable
                  label="Tasks"
                  kind="rows"
                  columns={columnsOf(query, address)}
                  ids={list.rows.map(({ id }) => id)}
                  rows={list.rows.map((row) => [
                    <SelectBox view={view} row={row} name={nameText(names.get(row.patient_id))} />,
                    <>
                      <a href={links.task(project.id, row.id)} data-row="" title={row.task}>
                        {row.task}
                      </a>
                      <span class="unseen">{taskTypeNames[row.task_type]}</span>
                    </>,
                    <span class="number">{phoneNumberText(row.phone_number)}</span>,
                    <RowState row={row} today={today} />,
                    row.next_attempt_at === null ? null : <Moment at={row.next_attempt_at} near={now} />,
                    <time datetime={row.created_at}>{ageText(row.created_at, now)}</time>,
                  ])}
                />
              </Selection>
            </>
          )}
          {isSortedByColumn(query) && list.total?.isAll === false ? (
            <p class="hint">
              {`Only the newest ${numberText(list.total.count)} of these tasks are sorted. ` +
                'Choose fewer days, or sort by age, to see older ones.'}
            </p>
          ) : null}
          {list.isPartial && list.rows.length > 0 ? (
            <p class="hint">Few matches. The next page continues the search.</p>
          ) : null}
          <PageLinks
            previous={list.previous === null ? null : address({ cursor: list.previous, back: '1' })}
            next={list.next === null ? null : address({ cursor: list.next, back: undefined })}
            words={pageWords(query)}
          />
        </section>
      </Live>
    </ProjectPage>
  );
}

/** What to do about an empty list. */
function Empty({
  view: { links, project, role },
  query,
  hasMore,
}: {
  readonly view: ProjectView;
  readonly query: TaskListQuery;
  readonly hasMore: boolean;
}) {
  const isFiltered = Object.keys(query).length > 0;
  if (hasMore) return <p class="empty quiet">No matches so far. The next page continues the search.</p>;
  return (
    <div class="empty">
      <p class="quiet">{isFiltered ? 'No tasks match these filters.' : 'No tasks yet.'}</p>
      {isFiltered ? (
        <a class="button second small" href={links.tasks(project.id)}>
          Show all tasks
        </a>
      ) : may(role, 'tasks.write') ? (
        <a class="button small" href={links.newTask(project.id)}>
          Create a task
        </a>
      ) : null}
    </div>
  );
}

function countText({ rows, total }: TaskRows): string {
  if (total === null) return `${numberText(rows.length)} shown`;
  const all = total.isAll ? numberText(total.count) : `more than ${numberText(total.count)}`;
  return `${numberText(rows.length)} of ${all}`;
}

function isTab(query: TaskListQuery, tab: TaskListQuery): boolean {
  return query.status === tab.status && query.needs === tab.needs && query.assigned === tab.assigned;
}

function beginningOf({ task_type, patient_id }: TaskListQuery): NewTaskBeginning {
  return {
    ...(task_type === undefined ? {} : { type: task_type }),
    ...(patient_id === undefined ? {} : { patient_id }),
  };
}
