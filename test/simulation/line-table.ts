import type { LineCall } from './harness/rules.ts';
import type { SimulationReport } from './simulation.ts';

/** First calls in the order in which they were placed, by project: a letter each. */
const perRow = 60;

/** The tasks that called one line: when, in which order, and how many concurrently. */
export function lineTable({ lineCalls }: SimulationReport): string {
  const [first] = lineCalls;
  if (first === undefined) return 'No call was placed.\n';
  const last = lineCalls.at(-1) ?? first;
  const projects = [...new Set(lineCalls.map(({ projectId }) => projectId))];
  const letterOf = (call: LineCall): string => String.fromCharCode(65 + projects.indexOf(call.projectId));
  const firstCalls = lineCalls.filter(({ attempt }) => attempt === 1);
  const order = firstCalls.map(letterOf).join('');
  const rows = order.match(new RegExp(`.{1,${perRow}}`, 'g')) ?? [];
  return [
    `  ${lineCalls.length} calls, ${firstCalls.length} of them first ones, in ${minutesFrom(first, last)} minutes; ` +
      `at most ${Math.max(...lineCalls.map(({ open }) => open))} at once`,
    ...projects.map((id) => {
      const own = firstCalls.filter(({ projectId }) => projectId === id);
      return (
        `  ${letterOf({ ...first, projectId: id })}: ${own.length} first calls, the last after ` +
        `${minutesFrom(first, own.at(-1) ?? first)} minutes, ${mostOvertaken(own)} older tasks overtaken at most`
      );
    }),
    `  most first calls of one project in a row: ${longestRun(order)}`,
    ...rows.map((row) => `  ${row}`),
    '',
  ].join('\n');
}

function minutesFrom(first: LineCall, last: LineCall): string {
  return ((last.atMs - first.atMs) / 60_000).toFixed(0);
}

/** How many earlier tasks were still uncalled when one of the project was called. */
function mostOvertaken(calls: readonly LineCall[]): number {
  const overtaken = calls.map(
    ({ createdAt }, index) => calls.slice(index + 1).filter((later) => later.createdAt < createdAt).length,
  );
  return Math.max(0, ...overtaken);
}

function longestRun(order: string): number {
  return Math.max(0, ...(order.match(/(.)\1*/g) ?? []).map(({ length }) => length));
}
