import { type BreakdownKind, breakdownKinds } from '#shared/admin/project-breakdown.ts';
import type { OverviewDays } from '#shared/admin/project-overview.ts';
import type { CallCounts, ProjectSummary, ResultCounts } from '#shared/admin/project-summary.ts';
import type { ResultFilter } from '#shared/table/task-rows.ts';
import type { TaskListQuery } from '../forms/task-list-query.ts';
import { DataTable } from '../layout/data-table.tsx';
import { countText, minutesText, numberText, shareText } from '../layout/number.ts';
import { PermittedLink, TaskFigure } from '../layout/permitted-link.tsx';
import type { ProjectView } from '../layout/project-page.tsx';
import { taskTypeNames } from '../layout/task-words.tsx';

/** A funnel, so that the numbers are not confused: being answered is not reaching the goal. */
export function Results({
  view,
  results: { finished, reachedPerson, goalReached },
  calls: { talkSeconds, holdSeconds },
  from,
  days,
  period,
}: {
  readonly view: ProjectView;
  readonly results: ResultCounts;
  readonly calls: CallCounts;
  /** First day of the period. */
  readonly from: string;
  readonly days: OverviewDays;
  readonly period: string;
}) {
  const { links, project } = view;
  const tasksWith = (result: ResultFilter): TaskListQuery => ({ result, from });
  return (
    <section class="card" aria-labelledby="results">
      <h2 id="results">Results</h2>
      <dl class="figures">
        <div>
          <dt>Finished</dt>
          <dd class="big">
            <TaskFigure view={view} query={tasksWith('finished')}>
              {numberText(finished)}
            </TaskFigure>
          </dd>
          <dd class="hint">Completed or failed</dd>
        </div>
        <Step
          view={view}
          name="Reached a person"
          part={reachedPerson}
          whole={finished}
          query={tasksWith('person')}
        />
        <Step view={view} name="Goal reached" part={goalReached} whole={finished} query={tasksWith('goal')} />
        <div>
          <dt>Minutes on the phone</dt>
          <dd class="big">{minutesText(talkSeconds)}</dd>
          <dd class="hint">{`${minutesText(holdSeconds)} of them on hold`}</dd>
        </div>
      </dl>
      <p class="hint">
        {`Tasks created and calls made ${period}. Results and cost `}
        {breakdownKinds.map((by, position) => (
          <>
            {position === 0 ? '' : position === breakdownKinds.length - 1 ? ' or ' : ', '}
            <a href={links.results(project.id, { by, days })}>{`by ${breakdownNames[by]}`}</a>
          </>
        ))}
        .
      </p>
    </section>
  );
}

function Step({
  view,
  name,
  part,
  whole,
  query,
}: {
  readonly view: ProjectView;
  readonly name: string;
  readonly part: number;
  readonly whole: number;
  readonly query: TaskListQuery;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="big">
        {whole === 0 ? (
          '–'
        ) : (
          <TaskFigure view={view} query={query}>
            {shareText(part, whole)}
          </TaskFigure>
        )}
      </dd>
      <dd class="hint">{`${numberText(part)} of ${countText(whole, 'finished task')}`}</dd>
    </div>
  );
}

export function ByType({
  view,
  byType,
  from,
  period,
}: {
  readonly view: ProjectView;
  readonly from: string;
  readonly byType: ProjectSummary['byType'];
  readonly period: string;
}) {
  return byType.size === 0 ? null : (
    <section class="card chart wide" aria-labelledby="by-type">
      <h2 id="by-type">By task type</h2>
      <p class="hint">{`Tasks created ${period}.`}</p>
      <DataTable
        label="Tasks by type"
        columns={['Type', 'Created', 'Finished', 'Reached a person', 'Goal reached']}
        rows={[...byType].map(([type, { created, finished, reachedPerson, goalReached }]) => [
          <PermittedLink
            view={view}
            needed="tasks.read"
            href={view.links.tasks(view.project.id, { task_type: type, from })}
          >
            {taskTypeNames[type]}
          </PermittedLink>,
          numberText(created),
          numberText(finished),
          partText(reachedPerson, finished),
          partText(goalReached, finished),
        ])}
      />
    </section>
  );
}

/** How results are grouped, mid-sentence. */
export const breakdownNames: Readonly<Record<BreakdownKind, string>> = {
  type: 'task type',
  destination: 'destination',
  day: 'day',
};

export function partText(part: number, whole: number): string {
  return whole === 0 ? '–' : `${numberText(part)} (${shareText(part, whole)})`;
}
