import type { Child } from 'hono/jsx';
import {
  type Breakdown,
  type BreakdownKind,
  type BreakdownRow,
  breakdownKinds,
  type Figures,
} from '#shared/admin/project-breakdown.ts';
import type { OverviewDays } from '#shared/admin/project-overview.ts';
import { onFirstUse } from '#shared/domain/on-first-use.ts';
import { TaskType } from '#shared/domain/task-type.ts';
import { phoneNumberText } from '#shared/domain/written-phone-number.ts';
import { pricesDate } from '#shared/usage/estimate-cost.ts';
import type { TaskListQuery } from '../forms/task-list-query.ts';
import { DataTable } from '../layout/data-table.tsx';
import { dayText } from '../layout/day.tsx';
import { durationText } from '../layout/duration.ts';
import { minutesText, numberText } from '../layout/number.ts';
import { PermittedLink } from '../layout/permitted-link.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';
import { taskTypeNames } from '../layout/task-words.tsx';
import { Gap, PeriodChoice, PeriodIntro, periodText } from './overview-period.tsx';
import { breakdownNames, partText } from './overview-results.tsx';

export interface BreakdownPageProps {
  readonly view: ProjectView;
  readonly breakdown: Breakdown;
  readonly by: BreakdownKind;
  readonly days: OverviewDays;
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Results, minutes and cost of a period, grouped; each row links to its tasks. */
export function BreakdownPage({ view, breakdown, by, days }: BreakdownPageProps) {
  const { links, project } = view;
  const { rows, total, tasks, calls, fromDay } = breakdown;
  return (
    <ProjectPage
      view={view}
      section="Overview"
      title="Results"
      intro={<PeriodIntro days={days} from={fromDay} />}
      action={
        <PeriodChoice address={(choice) => links.results(project.id, { by, days: choice })} days={days} />
      }
    >
      {tasks.onlySince === null && calls.onlySince === null ? null : (
        <div class="notice warn">
          <Gap coverage={tasks} things="tasks" count={total.created} />
          <Gap coverage={calls} things="calls" count={total.calls} />
        </div>
      )}
      <section class="card" aria-labelledby="by">
        <h2 id="by">{`By ${breakdownNames[by]}`}</h2>
        <nav class="filters" aria-label="Results by">
          <ul>
            {breakdownKinds.map((kind) => (
              <li>
                <a
                  href={links.results(project.id, { by: kind, days })}
                  {...(kind === by ? { 'aria-current': 'true' } : {})}
                >
                  {capitalized(breakdownNames[kind])}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {rows.length === 0 ? (
          <p class="empty quiet">{`No tasks were created and no calls made ${periodText(days)}.`}</p>
        ) : (
          <DataTable
            label={`Results by ${breakdownNames[by]}`}
            columns={[capitalized(breakdownNames[by]), ...figureNames]}
            rows={[
              ...rows.map((row) => [
                <RowName view={view} row={row} by={by} from={fromDay} />,
                ...figureTexts(row),
              ]),
              [<strong>All</strong>, ...figureTexts(total)],
            ]}
          />
        )}
        <p class="hint">
          {'Results count the tasks created in this time; calls, minutes and cost, calls made in it that have ended. ' +
            `Cost is an estimate of AWS and carrier charges at prices of ${dayText(pricesDate)}.` +
            `${project.carrier === 'sandbox' ? ' Sandbox calls have no carrier charges.' : ''}`}
        </p>
      </section>
    </ProjectPage>
  );
}

const figureNames = [
  'Created',
  'Finished',
  'Reached a person',
  'Goal reached',
  'Median time',
  'Calls',
  'Minutes',
  'On hold',
  'Cost',
];

function figureTexts(figures: Figures): Child[] {
  const { created, finished, reachedPerson, goalReached, medianMs } = figures;
  return [
    numberText(created),
    numberText(finished),
    partText(reachedPerson, finished),
    partText(goalReached, finished),
    medianMs === null ? '–' : durationText(medianMs),
    numberText(figures.calls),
    minutesText(figures.talkSeconds),
    minutesText(figures.holdSeconds),
    costText(figures.cost),
  ];
}

function RowName({
  view,
  row: { key, name, taskId, created },
  by,
  from,
}: {
  readonly view: ProjectView;
  readonly row: BreakdownRow;
  readonly by: BreakdownKind;
  readonly from: string;
}) {
  if (key === null) return <>{by === 'type' ? 'Tasks created earlier' : 'All other numbers'}</>;
  const text = by === 'day' ? dayText(key) : by === 'type' ? typeName(key) : phoneNumberText(key);
  const query = queryOf(by, key, { from, taskId });
  return (
    <>
      {created === 0 || query === null ? (
        text
      ) : (
        <PermittedLink view={view} needed="tasks.read" href={view.links.tasks(view.project.id, query)}>
          {name ?? text}
        </PermittedLink>
      )}
      {name === null ? null : <div class="hint">{text}</div>}
    </>
  );
}

/** The list of the tasks a row counts. */
function queryOf(
  by: BreakdownKind,
  key: string,
  { from, taskId }: { readonly from: string; readonly taskId: string | null },
): TaskListQuery | null {
  switch (by) {
    case 'type':
      return { task_type: TaskType.safeParse(key).data, from };
    case 'day':
      return { from: key, to: key };
    case 'destination':
      return taskId === null ? null : { number_of: taskId, from };
  }
}

function typeName(key: string): string {
  const type = TaskType.safeParse(key);
  return type.success ? taskTypeNames[type.data] : key;
}

const costFormat = onFirstUse(() => new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }));

function costText(dollars: number): string {
  return dollars > 0 && dollars < 0.005 ? 'under $0.01' : costFormat().format(dollars);
}
