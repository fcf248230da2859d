import type { Child } from 'hono/jsx';
import type { Coverage, OverviewDays, ProjectOverview } from '#shared/admin/project-overview.ts';
import {
  type AnswerCounts,
  type CallCounts,
  type CompletionTimes,
  completionLimitsMs,
  endedStatuses,
  type OpenTasks,
  openCount,
  type TaskCounts,
} from '#shared/admin/project-summary.ts';
import type { TaskStatus } from '#shared/domain/task.ts';
import { Bars } from '../layout/charts/bars.tsx';
import { ChartFigure } from '../layout/charts/chart-figure.tsx';
import { HourColumns, hourName, totalOf } from '../layout/charts/hour-columns.tsx';
import { durationText } from '../layout/duration.ts';
import { Moment } from '../layout/moment.tsx';
import { DoneNotice } from '../layout/notices.tsx';
import { countText, numberText, shareText } from '../layout/number.ts';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';
import { callStatusNames } from '../layout/task-words.tsx';
import { FirstSteps } from './first-steps.tsx';
import { ByType, Results } from './overview-results.tsx';

export interface OverviewPageProps {
  readonly view: ProjectView;
  readonly overview: ProjectOverview;
  readonly days: OverviewDays;
  readonly done: string | undefined;
}

/** How a project fares, at a glance. */
export function OverviewPage({ view, overview, days, done }: OverviewPageProps) {
  const { hasTasks, summary } = overview;
  const { tasks, completion, calls, answers, results, byType } = summary;
  if (!hasTasks) {
    return (
      <ProjectPage view={view} section="Overview">
        <DoneNotice done={done} />
        <FirstSteps view={view} />
      </ProjectPage>
    );
  }
  const taskPeriod = periodText(days, overview.tasks);
  const callPeriod = periodText(days, overview.calls);
  return (
    <ProjectPage
      view={view}
      section="Overview"
      intro={
        <>
          {`Tasks created and calls made in the last ${days} days, since `}
          <Moment at={overview.from.toISOString()} />.
        </>
      }
      action={<PeriodChoice view={view} days={days} />}
    >
      <DoneNotice done={done} />
      <Gaps overview={overview} />
      <Attention view={view} tasks={tasks} period={taskPeriod} />
      <Results results={results} calls={calls} period={taskPeriod} />
      <div class="charts">
        <Outcomes tasks={tasks} period={taskPeriod} />
        <AnswerRate answers={answers} calls={calls} period={callPeriod} />
        <TimeToCompletion completion={completion} period={taskPeriod} />
        <CallsByHour calls={calls} period={callPeriod} timeZone={view.timeZone} />
        <ByType view={view} byType={byType} period={taskPeriod} />
      </div>
    </ProjectPage>
  );
}

/** What each number says that it is of. */
function periodText(days: OverviewDays, { onlySince }: Coverage): string {
  return onlySince === null ? `the last ${days} days` : `the counted part of the last ${days} days`;
}

function PeriodChoice({ view: { links, project }, days }: Pick<OverviewPageProps, 'view' | 'days'>) {
  const choices: readonly OverviewDays[] = [7, 30];
  return (
    <nav class="filters" aria-label="Period">
      <ul>
        {choices.map((choice) => (
          <li>
            <a
              href={`${links.project(project.id)}?days=${choice}`}
              {...(choice === days ? { 'aria-current': 'true' } : {})}
            >
              {`${choice} days`}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Says what of the period is not in the numbers. */
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

function Gap({
  coverage: { onlySince },
  things,
  count,
}: {
  readonly coverage: Coverage;
  readonly things: string;
  readonly count: number;
}) {
  return onlySince === null ? null : (
    <p>
      {`Only the newest ${numberText(count)} ${things} are counted, those since `}
      <Moment at={onlySince} />
      {`. Older ${things} of this time are left out.`}
    </p>
  );
}

/** The tasks that are not over, and those that somebody may have to look after. */
function Attention({
  view: { links, project },
  tasks: { uncalled, inProgress, failed, needsReview, needsFollowUp },
  period,
}: {
  readonly view: ProjectView;
  readonly tasks: TaskCounts;
  readonly period: string;
}) {
  const listOf = (status: TaskStatus): string => `${links.tasks(project.id)}?status=${status}`;
  return (
    <section class="card" aria-labelledby="watch">
      <h2 id="watch">Tasks to watch</h2>
      <dl class="figures">
        <Figure name="In progress" address={listOf('IN_PROGRESS')} number={openCount(inProgress)}>
          {waitingText(inProgress, 'their next call')}
        </Figure>
        <Figure name="Not called yet" address={listOf('PENDING')} number={openCount(uncalled)}>
          {waitingText(uncalled, 'their time to be called')}
        </Figure>
        <Figure name="Failed" address={listOf('FAILED')} number={failed}>
          Declined or unreachable
        </Figure>
        <Figure name="Needs review" address={`${links.tasks(project.id)}?needs=review`} number={needsReview}>
          An answer to listen to
        </Figure>
        <Figure
          name="Needs follow-up"
          address={`${links.tasks(project.id)}?needs=follow-up`}
          number={needsFollowUp}
        >
          Something left to do
        </Figure>
      </dl>
      <p class="hint">{`Tasks created in ${period}. The linked lists include older tasks.`}</p>
    </section>
  );
}

function Figure({
  name,
  address,
  number,
  children,
}: {
  readonly name: string;
  readonly address: string;
  readonly number: number;
  readonly children: Child;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="big">
        <a href={address}>
          {numberText(number)}
          <span class="unseen">: show the tasks</span>
        </a>
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
    ...(waitingForLine > 0 ? [`${numberText(waitingForLine)} waiting for a free line`] : []),
    ...(waitingForTime > 0 ? [`${numberText(waitingForTime)} waiting for ${awaitedTime}`] : []),
  ];
  return parts.length === 0 ? 'None' : parts.join(', ');
}

function Outcomes({ tasks, period }: { readonly tasks: TaskCounts; readonly period: string }) {
  const bars = [
    { label: 'Completed', count: tasks.completed, tone: 'good' },
    { label: 'Failed', count: tasks.failed, tone: 'bad' },
    { label: 'Canceled', count: tasks.cancelled, tone: 'quiet' },
    { label: 'Still open', count: openCount(tasks.uncalled) + openCount(tasks.inProgress), tone: 'warn' },
  ] as const;
  return tasks.created === 0 ? (
    <Nothing title="Tasks by outcome">{`No tasks were created in ${period}.`}</Nothing>
  ) : (
    <ChartFigure
      title="Tasks by outcome"
      note={`What became of ${countText(tasks.created, 'task')} created in ${period}.`}
      table={{
        columns: ['Outcome', 'Tasks', 'Share'],
        rows: bars.map(({ label, count }) => [label, numberText(count), shareText(count, tasks.created)]),
      }}
    >
      <Bars label="Tasks by outcome" bars={bars} />
    </ChartFigure>
  );
}

function CallsByHour({
  calls: { byHour, underWay },
  period,
  timeZone,
}: {
  readonly calls: CallCounts;
  readonly period: string;
  readonly timeZone: string;
}) {
  const title = 'Calls by hour of day';
  const total = byHour.reduce((sum, counts) => sum + totalOf(counts), 0);
  if (total === 0) return <Nothing title={title}>{noCallsText(underWay, period)}</Nothing>;
  const found = endedStatuses.filter((status) => byHour.some((counts) => counts[status] > 0));
  return (
    <ChartFigure
      title={title}
      note={`The results of ${countText(total, 'call')} made in ${period}, by the hour in which they began (${timeZone} time).${underWayText(underWay)}`}
      table={{
        columns: ['Hour', ...found.map((status) => callStatusNames[status]), 'All'],
        rows: byHour.flatMap((counts, hour) =>
          totalOf(counts) === 0
            ? []
            : [
                [
                  hourName(hour),
                  ...found.map((status) => numberText(counts[status])),
                  numberText(totalOf(counts)),
                ],
              ],
        ),
      }}
    >
      <HourColumns label={title} hours={byHour} />
    </ChartFigure>
  );
}

function TimeToCompletion({
  completion: { count, medianMs, ninetiethPercentileMs, distribution },
  period,
}: {
  readonly completion: CompletionTimes;
  readonly period: string;
}) {
  const title = 'Time to completion';
  if (medianMs === null) {
    return <Nothing title={title}>{`No task created in ${period} is completed.`}</Nothing>;
  }
  const bars = distribution.map((tasks, position) => ({
    label: timeName(position),
    count: tasks,
    tone: 'accent' as const,
  }));
  return (
    <ChartFigure
      title={title}
      note={`From the creation to the end of ${countText(count, 'completed task')} created in ${period}.`}
      table={{
        columns: ['Time', 'Tasks', 'Share'],
        rows: bars.map(({ label, count: tasks }) => [label, numberText(tasks), shareText(tasks, count)]),
      }}
    >
      <dl class="figures">
        <div>
          <dt>Median</dt>
          <dd class="big">{durationText(medianMs)}</dd>
          <dd class="hint">Half of them took no longer</dd>
        </div>
        <div>
          <dt>90th percentile</dt>
          <dd class="big">{ninetiethPercentileMs === null ? '–' : durationText(ninetiethPercentileMs)}</dd>
          <dd class="hint">
            {ninetiethPercentileMs === null
              ? 'Shown once ten tasks are completed'
              : '90% finished within this time'}
          </dd>
        </div>
      </dl>
      <Bars label={title} bars={bars} />
    </ChartFigure>
  );
}

/** A part of the distribution: `under 5 min`, `5 min to 15 min`, …, `3 d or more`. */
function timeName(position: number): string {
  const [least, limit] = [completionLimitsMs[position - 1], completionLimitsMs[position]];
  if (least === undefined) return `under ${durationText(limit ?? 0)}`;
  return limit === undefined
    ? `${durationText(least)} or more`
    : `${durationText(least)} to ${durationText(limit)}`;
}

function AnswerRate({
  answers: { counted, answered, voicemail },
  calls: { underWay },
  period,
}: {
  readonly answers: AnswerCounts;
  readonly calls: CallCounts;
  readonly period: string;
}) {
  const title = 'Who answered';
  if (counted === 0) {
    return <Nothing title={title}>{`No call in ${period} shows who answers yet.`}</Nothing>;
  }
  const bars = [
    { label: 'Person or menu', count: answered - voicemail, tone: 'good' },
    { label: 'Voicemail', count: voicemail, tone: 'warn' },
    { label: 'Not answered', count: counted - answered, tone: 'quiet' },
  ] as const;
  return (
    <ChartFigure
      title={title}
      note={`Based on ${countText(counted, 'ended call')} in ${period}. Excludes calls that were never placed or were canceled before anyone answered.${underWayText(underWay)}`}
      table={{
        columns: ['Calls', 'Number', 'Share'],
        rows: bars.map(({ label, count }) => [label, numberText(count), shareText(count, counted)]),
      }}
    >
      <dl class="figures">
        <div>
          <dt>Calls answered</dt>
          <dd class="big">{shareText(answered, counted)}</dd>
          <dd class="hint">
            {`${numberText(answered)} of ${countText(counted, 'call')}, by a person, a menu or voicemail. An answered call does not always complete its task.`}
          </dd>
        </div>
      </dl>
      <Bars label={title} bars={bars} />
    </ChartFigure>
  );
}

/** In the place of a chart that would show nothing. */
function Nothing({ title, children }: { readonly title: string; readonly children: Child }) {
  return (
    <section class="card chart">
      <h2>{title}</h2>
      <p class="quiet">{children}</p>
    </section>
  );
}

function noCallsText(underWay: number, period: string): string {
  return underWay === 0
    ? `No calls were made in ${period}.`
    : `No call in ${period} has ended yet.${underWayText(underWay)}`;
}

function underWayText(underWay: number): string {
  if (underWay === 0) return '';
  return underWay === 1
    ? ' 1 call is in progress and not counted yet.'
    : ` ${numberText(underWay)} calls are in progress and not counted yet.`;
}
