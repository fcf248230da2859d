import type { Violation } from './harness/violations.ts';
import type { SimulationReport } from './simulation.ts';

/** One run in one line. */
export function runLine(report: SimulationReport): string {
  const faults = total(report.faults);
  const verdict = report.violations.length === 0 ? 'kept all promises' : `BROKE ${report.violations.length}`;
  return (
    `seed ${report.seed}: ${verdict}; ${report.tasks} tasks, ${report.calls} calls, ` +
    `${report.virtualHours.toFixed(1)} simulated hours in ${report.wallSeconds.toFixed(0)} s, ` +
    `${report.steps} events, ${report.invocations} invocations, ${faults} faults, fingerprint ${report.fingerprint}`
  );
}

/** What was broken, how it happened, and how to reproduce it. */
export function violationText(
  { invariant, detail, taskIds, at, history }: Violation,
  replay: string,
): string {
  return [
    '',
    `BROKEN: ${invariant}`,
    `  ${detail} (${at})`,
    `  tasks: ${taskIds.join(', ') || 'none in particular'}`,
    ...history.map((line) => `  | ${line}`),
    `  replay: ${replay}`,
    '',
  ].join('\n');
}

/** All runs together, with the faults of each kind. */
export function summary(reports: readonly SimulationReport[], seconds: number): string {
  const sum = (of: (report: SimulationReport) => number): number =>
    reports.reduce((before, report) => before + of(report), 0);
  const calls = sum((report) => report.calls);
  const faults = together(reports.map((report) => report.faults));
  const ends = together(reports.map((report) => report.ends));
  const broken = reports.filter(({ violations }) => violations.length > 0);
  return [
    '',
    'Faults:',
    ...lines(faults),
    '',
    'Ends:',
    ...lines(ends),
    '',
    `${reports.length} runs, ${sum(({ tasks }) => tasks)} tasks, ${calls} simulated calls, ${total(faults)} faults, ` +
      `${sum(({ steps }) => steps)} events, ${sum(({ virtualHours }) => virtualHours).toFixed(0)} simulated hours ` +
      `in ${seconds.toFixed(0)} s (${(calls / seconds).toFixed(1)} calls a second).`,
    broken.length === 0
      ? 'Every promise was kept.'
      : `Promises were broken with seed ${broken.map(({ seed }) => seed).join(', ')}.`,
    '',
  ].join('\n');
}

function together(counts: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const sum = new Map<string, number>();
  for (const [kind, count] of counts.flatMap((one) => [...one])) sum.set(kind, (sum.get(kind) ?? 0) + count);
  return sum;
}

function lines(counts: ReadonlyMap<string, number>): string[] {
  return [...counts]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([kind, count]) => `  ${String(count).padStart(7)}  ${kind}`);
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
