import type { Child } from 'hono/jsx';
import type { OverviewDays, ProjectOverview } from '#shared/admin/project-overview.ts';
import { type OpenTasks, openCount, type TaskCounts } from '#shared/admin/project-summary.ts';
import type { TaskListQuery } from '../forms/task-list-query.ts';
import { totalOf } from '../layout/charts/hour-columns.tsx';
import { Live } from '../layout/live.tsx';
import { DoneNotice } from '../layout/notices.tsx';
import { numberText } from '../layout/number.ts';
import { TaskFigure } from '../layout/permitted-link.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';
import { FirstSteps, LaterSteps } from './first-steps.tsx';
import { AnswerRate, CallsByHour, Outcomes, TimeToCompletion } from './overview-charts.tsx';
import { countedText, Gap, PeriodChoice, PeriodIntro } from './overview-period.tsx';
import { ByType, Results } from './overview-results.tsx';

export interface OverviewPageProps {
  readonly view: ProjectView;
  readonly overview: ProjectOverview;
  readonly days: OverviewDays;
  /** Of the newest tasks; null for members who may not read them. */
  readonly version: string | null;
  readonly done: string | undefined;
}

/** The project's overview. */
export function OverviewPage({ view, overview, days, version, done }: OverviewPageProps) {
  const { hasTasks, summary } = overview;
  const { tasks, completion, calls, answers, results, byType } = summary;
  const { links, project } = view;
  const from = overview.fromDay;
  if (!hasTasks) {
    return (
      <ProjectPage view={view} section="Overview">
        <DoneNotice done={done} />
        <FirstSteps view={view} />
      </ProjectPage>
    );
  }
  const taskPeriod = countedText(days, overview.tasks);
  const callPeriod = countedText(days, overview.calls);
  return (
    <ProjectPage
      view={view}
      section="Overview"
      intro={<PeriodIntro days={days} from={from} />}
      action={
        <PeriodChoice address={(choice) => `${links.project(project.id)}?days=${choice}`} days={days} />
      }
    >
      <DoneNotice done={done} />
      <Live versionAddress={version === null ? null : links.tasksVersion(project.id)} version={version ?? ''}>
        <Gaps overview={overview} />
        <Attention view={view} tasks={tasks} from={from} period={taskPeriod} />
        <Results view={view} results={results} calls={calls} from={from} days={days} period={taskPeriod} />
        <div class="charts">
          <Outcomes view={view} tasks={tasks} from={from} period={taskPeriod} />
          <AnswerRate answers={answers} calls={calls} period={callPeriod} />
          <TimeToCompletion completion={completion} period={taskPeriod} />
          <CallsByHour calls={calls} period={callPeriod} timeZone={view.timeZone} />
          <ByType view={view} byType={byType} from={from} period={taskPeriod} />
        </div>
      </Live>
      <LaterSteps view={view} />
    </ProjectPage>
  );
}

/** Says which part of the period is missing from the numbers. */
function Gaps({ overview: { tasks, calls, summary } }: Pick<OverviewPageProps, 'overview'>) {
  const { byHour, underWay } = summary.calls;
  const callCount = byHour.reduce((sum, counts) => sum + totalOf(counts), underWay);
  if (tasks.onlySince === null && calls.onlySince === null) return null;
  return (
    <div class="notice warn">
      <Gap coverage={tasks} things="tasks" count={summary.tasks.created} />
      <Gap coverage={calls} things="calls" count={callCount} />
    </div>
  );
}

/** The unfinished tasks, and those that a person may have to look after. */
function Attention({
  view,
  tasks: { uncalled, inProgress, failed, needsReview, needsFollowUp },
  from,
  period,
}: {
  readonly view: ProjectView;
  readonly tasks: TaskCounts;
  /** First day of the period, for links to lists. */
  readonly from: string;
  readonly period: string;
}) {
  return (
    <section class="card" aria-labelledby="watch">
      <h2 id="watch">Tasks to watch</h2>
      <dl class="figures">
        <Figure
          view={view}
          name="In progress"
          query={{ status: 'IN_PROGRESS', from }}
          number={openCount(inProgress)}
        >
          {waitingText(inProgress, 'their next call')}
        </Figure>
        <Figure
          view={view}
          name="Not called yet"
          query={{ status: 'PENDING', from }}
          number={openCount(uncalled)}
        >
          {waitingText(uncalled, 'their first call')}
        </Figure>
        <Figure view={view} name="Failed" query={{ status: 'FAILED', from }} number={failed}>
          Declined or unreachable
        </Figure>
        <Figure view={view} name="Needs review" query={{ needs: 'review', from }} number={needsReview}>
          An answer to check
        </Figure>
        <Figure
          view={view}
          name="Needs follow-up"
          query={{ needs: 'follow-up', from }}
          number={needsFollowUp}
        >
          Work left to do
        </Figure>
      </dl>
      <p class="hint">{`Tasks created ${period}.`}</p>
    </section>
  );
}

function Figure({
  view,
  name,
  query,
  number,
  children,
}: {
  readonly view: ProjectView;
  readonly name: string;
  readonly query: TaskListQuery;
  readonly number: number;
  readonly children: Child;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="big">
        <TaskFigure view={view} query={query}>
          {numberText(number)}
        </TaskFigure>
      </dd>
      <dd class="hint">{children}</dd>
    </div>
  );
}

function waitingText(
  { onTheTelephone, waitingForLine, waitingForTime }: OpenTasks,
  awaitedTime: string,
): string {
  const parts = [
    ...(onTheTelephone > 0 ? [`${numberText(onTheTelephone)} on the phone`] : []),
    ...(waitingForLine > 0 ? [`${numberText(waitingForLine)} waiting for a slot`] : []),
    ...(waitingForTime > 0 ? [`${numberText(waitingForTime)} waiting for ${awaitedTime}`] : []),
  ];
  return parts.length === 0 ? 'None' : parts.join(', ');
}
