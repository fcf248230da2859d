import { type EndedStatus, endedStatuses } from '#shared/admin/project-summary.ts';
import { numberText } from '../number.ts';
import { callEndingNames } from '../task-words.tsx';
import { axisTicks } from './axis-ticks.ts';
import { ResultPatterns, ResultSwatch, resultFill } from './result-patterns.tsx';

export type HourCounts = Readonly<Record<EndedStatus, number>>;

/** In drawing units; the page scales it to the available width. */
const width = 360;
const height = 210;
const plot = { left: 34, right: 358, top: 12, bottom: 184 };
const columnShare = 0.8;
/** Gap between the parts of a column. */
const gap = 1;

/** One column per hour of the day, stacked by call result. */
export function HourColumns({
  label,
  hours,
}: {
  readonly label: string;
  readonly hours: readonly HourCounts[];
}) {
  const ticks = axisTicks(Math.max(...hours.map(totalOf)));
  const top = ticks.at(-1) ?? 1;
  const yOf = (count: number): number => plot.bottom - (count / top) * (plot.bottom - plot.top);
  return (
    <>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={spoken(label, hours)}>
        <ResultPatterns />
        {ticks.map((tick) => (
          <g>
            <line
              class={tick === 0 ? 'axis' : 'grid'}
              x1={plot.left}
              x2={plot.right}
              y1={yOf(tick)}
              y2={yOf(tick)}
            />
            <text class="middle at-end" x={plot.left - 6} y={yOf(tick)}>
              {numberText(tick)}
            </text>
          </g>
        ))}
        {hours.map((counts, hour) => (
          <Column counts={counts} hour={hour} hours={hours.length} yOf={yOf} />
        ))}
      </svg>
      <Legend hours={hours} />
    </>
  );
}

function Column({
  counts,
  hour,
  hours,
  yOf,
}: {
  readonly counts: HourCounts;
  readonly hour: number;
  readonly hours: number;
  readonly yOf: (count: number) => number;
}) {
  const slot = (plot.right - plot.left) / hours;
  const left = plot.left + hour * slot + (slot * (1 - columnShare)) / 2;
  return (
    <g>
      {partsOf(counts).map(({ status, below, count }) => (
        <rect
          class={`result ${status}`}
          fill={resultFill(status)}
          x={round(left)}
          y={round(yOf(below + count))}
          width={round(slot * columnShare)}
          height={round(Math.max(yOf(below) - yOf(below + count) - gap, 0.5))}
        />
      ))}
      {hour % 6 === 0 ? (
        <text class="in-middle" x={round(left + (slot * columnShare) / 2)} y={plot.bottom + 18}>
          {hourName(hour)}
        </text>
      ) : null}
    </g>
  );
}

interface Part {
  readonly status: EndedStatus;
  /** How many calls are below it in its column. */
  readonly below: number;
  readonly count: number;
}

/** The nonempty parts of a column, from the bottom. */
function partsOf(counts: HourCounts): Part[] {
  let below = 0;
  return endedStatuses.flatMap((status) => {
    const count = counts[status];
    if (count === 0) return [];
    const part = { status, below, count };
    below += count;
    return [part];
  });
}

function Legend({ hours }: { readonly hours: readonly HourCounts[] }) {
  const totals = endedStatuses.map((status) => ({
    status,
    total: hours.reduce((sum, counts) => sum + counts[status], 0),
  }));
  return (
    <ul class="legend">
      {totals
        .filter(({ total }) => total > 0)
        .map(({ status, total }) => (
          <li>
            <ResultSwatch status={status} />
            {`${callEndingNames[status]}: ${numberText(total)}`}
          </li>
        ))}
    </ul>
  );
}

/** All results of an hour together. */
export function totalOf(counts: HourCounts): number {
  return endedStatuses.reduce((sum, status) => sum + counts[status], 0);
}

/** `9 AM` */
export function hourName(hour: number): string {
  return `${hour % 12 === 0 ? 12 : hour % 12} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** A summary for screen readers; the table has the details. */
function spoken(label: string, hours: readonly HourCounts[]): string {
  const total = hours.reduce((sum, counts) => sum + totalOf(counts), 0);
  const most = Math.max(...hours.map(totalOf));
  const busiest = hours.findIndex((counts) => totalOf(counts) === most);
  return `${label}: ${numberText(total)} in all, most of them, ${numberText(most)}, from ${hourName(busiest)} on`;
}

function round(length: number): number {
  return Math.round(length * 10) / 10;
}
