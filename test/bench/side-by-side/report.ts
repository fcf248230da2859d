import { spreadOf } from '../../load/percentiles.ts';
import { type Init, median } from '../measure-init.ts';
import type { RequestTimes, Turn } from './measure.ts';

/** The measurements, as two tables in Markdown. */
export function inTables(turns: ReadonlyMap<string, readonly Turn[]>, inits: readonly Init[]): string {
  return [requestTable(turns), initTable(inits)].join('\n\n');
}

function requestTable(turns: ReadonlyMap<string, readonly Turn[]>): string {
  const columns = [...turns.values()];
  const row = (name: string, valueIn: (turns: readonly Turn[]) => string): string[] => [
    name,
    ...columns.map(valueIn),
  ];
  const spread = (way: 'oneAtATime' | 'tenAtOnce', kind: keyof RequestTimes) => (all: readonly Turn[]) =>
    inShort(all.flatMap((turn) => turn[way][kind]));
  return markdown([
    ['', ...turns.keys()],
    row('ready after, s', (all) => (median(all.map(({ readyMs }) => readyMs)) / 1000).toFixed(1)),
    row('first creation, ms', (all) => median(all.map(({ firstCreateMs }) => firstCreateMs)).toFixed(0)),
    row('create p50 / p95, ms', spread('oneAtATime', 'create')),
    row('get p50 / p95, ms', spread('oneAtATime', 'get')),
    row('create p50 / p95, ten at once, ms', spread('tenAtOnce', 'create')),
    row('get p50 / p95, ten at once, ms', spread('tenAtOnce', 'get')),
    row('peak memory, MB', (all) =>
      (Math.max(...all.map(({ peakBytes }) => peakBytes)) / 1024 / 1024).toFixed(0),
    ),
  ]);
}

function initTable(inits: readonly Init[]): string {
  return markdown([
    [
      'import of the handler',
      'ms',
      'processor ms',
      'processor time of the process, ratio to an empty handler',
    ],
    ...inits.map(({ name, elapsedMs, processorMs, ratio }) => [
      `\`${name}\``,
      elapsedMs.toFixed(0),
      processorMs.toFixed(0),
      ratio.toFixed(2),
    ]),
  ]);
}

function inShort(times: readonly number[]): string {
  const spread = spreadOf(times);
  return spread === null ? '–' : `${spread.p50.toFixed(1)} / ${spread.p95.toFixed(1)}`;
}

function markdown([header = [], ...rows]: readonly (readonly string[])[]): string {
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
