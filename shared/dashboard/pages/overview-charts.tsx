import type { Child } from 'hono/jsx';
import {
  type AnswerCounts,
  type CallCounts,
  type CompletionTimes,
  completionLimitsMs,
  endedStatuses,
  openCount,
  type TaskCounts,
} from '#shared/admin/project-summary.ts';
import { Bars } from '../layout/charts/bars.tsx';
import { ChartFigure } from '../layout/charts/chart-figure.tsx';
import { HourColumns, hourName, totalOf } from '../layout/charts/hour-columns.tsx';
import { zoneText } from '../layout/clock-words.ts';
import { durationText } from '../layout/duration.ts';
import { countText, numberText, shareText } from '../layout/number.ts';
import { PermittedLink } from '../layout/permitted-link.tsx';
import type { ProjectView } from '../layout/project-page.tsx';
import { callEndingNames } from '../layout/task-words.tsx';

/** Results of tasks. */
export function Outcomes({
  view,
  tasks,
  from,
  period,
}: {
  readonly view: ProjectView;
  readonly tasks: TaskCounts;
  /** First day of the period, for links to lists. */
  readonly from: string;
  readonly period: string;
}) {
  const bars = [
    { label: 'Completed', status: 'COMPLETED', count: tasks.completed, tone: 'good' },
    { label: 'Failed', status: 'FAILED', count: tasks.failed, tone: 'bad' },
    { label: 'Canceled', status: 'CANCELLED', count: tasks.cancelled, tone: 'quiet' },
    { label: 'In progress', status: 'IN_PROGRESS', count: openCount(tasks.inProgress), tone: 'warn' },
    { label: 'Waiting', status: 'PENDING', count: openCount(tasks.uncalled), tone: 'accent' },
  ] as const;
  return tasks.created === 0 ? (
    <Nothing title="Tasks by outcome">{`No tasks were created ${period}.`}</Nothing>
  ) : (
    <ChartFigure
      title="Tasks by outcome"
      note={`${countText(tasks.created, 'task')} created ${period}.`}
      table={{
        columns: ['Outcome', 'Tasks', 'Share'],
        rows: bars.map(({ label, status, count }) => [
          <PermittedLink
            view={view}
            needed="tasks.read"
            href={view.links.tasks(view.project.id, { status, from })}
          >
            {label}
          </PermittedLink>,
          numberText(count),
          shareText(count, tasks.created),
        ]),
      }}
    >
      <Bars label="Tasks by outcome" bars={bars} />
    </ChartFigure>
  );
}

/** When calls are made, and their results. */
export function CallsByHour({
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
      note={
        `${countText(total, 'ended call')} ${period}, ` +
        `by the hour they began (${zoneText(timeZone)}).${underWayText(underWay)}`
      }
      table={{
        columns: ['Hour', ...found.map((status) => callEndingNames[status]), 'All'],
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

/** From creation to completion. */
export function TimeToCompletion({
  completion: { count, medianMs, ninetiethPercentileMs, distribution },
  period,
}: {
  readonly completion: CompletionTimes;
  readonly period: string;
}) {
  const title = 'Time to completion';
  if (medianMs === null) {
    return <Nothing title={title}>{`No tasks created ${period} are completed yet.`}</Nothing>;
  }
  const bars = distribution.map((tasks, position) => ({
    label: timeName(position),
    count: tasks,
    tone: 'accent' as const,
  }));
  return (
    <ChartFigure
      title={title}
      note={`From creation to completion of ${countText(count, 'task')} created ${period}.`}
      table={{
        columns: ['Time', 'Tasks', 'Share'],
        rows: bars.map(({ label, count: tasks }) => [label, numberText(tasks), shareText(tasks, count)]),
      }}
    >
      <dl class="figures">
        <div>
          <dt>Median</dt>
          <dd class="big">{durationText(medianMs)}</dd>
          <dd class="hint">Half finished within this time</dd>
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

/** A bucket of the distribution: `under 5 min`, `5 min to 15 min`, …, `3 d or more`. */
function timeName(position: number): string {
  const [least, limit] = [completionLimitsMs[position - 1], completionLimitsMs[position]];
  if (least === undefined) return `under ${durationText(limit ?? 0)}`;
  return limit === undefined
    ? `${durationText(least)} or more`
    : `${durationText(least)} to ${durationText(limit)}`;
}

/** Who or what takes calls. */
export function AnswerRate({
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
    return <Nothing title={title}>{`No calls to count ${period} yet.`}</Nothing>;
  }
  const bars = [
    { label: 'Person, menu, fax', count: answered - voicemail, tone: 'good' },
    { label: 'Voicemail', count: voicemail, tone: 'warn' },
    { label: 'Not answered', count: counted - answered, tone: 'quiet' },
  ] as const;
  return (
    <ChartFigure
      title={title}
      note={
        `${countText(counted, 'ended call')} ${period}, ` +
        `without those never placed or canceled before an answer.${underWayText(underWay)}`
      }
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
            {`${numberText(answered)} of ${countText(counted, 'call')}, ` +
              'by a person, a menu, a fax machine or voicemail. ' +
              'An answered call does not always complete its task.'}
          </dd>
        </div>
      </dl>
      <Bars label={title} bars={bars} />
    </ChartFigure>
  );
}

/** Replaces an empty chart. */
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
    ? `No calls were made ${period}.`
    : `No calls ${period} have ended yet.${underWayText(underWay)}`;
}

function underWayText(underWay: number): string {
  if (underWay === 0) return '';
  return underWay === 1
    ? ' 1 call is in progress and not counted yet.'
    : ` ${numberText(underWay)} calls are in progress and not counted yet.`;
}
