import { expect, test } from 'vitest';
import { callCounts } from '#shared/cost/call-counts.ts';
import { demoTasks } from '../../infra/local/demo/scenario.ts';
import { measureCalls } from './measure-calls.ts';

/**
 * How far a count may differ from the recorded one: batches and timers vary a little.
 */
const tolerance = 0.15;

// A schedule or a retry during the call adds to its counts: in a second measurement, only real changes remain.
test('the counts behind the costs match a call', {
  timeout: 600_000,
  retry: 2,
}, async () => {
  const written = callCounts;
  // The same call in the same place: the first one on a stack looks up secrets that later ones know.
  const { calls, sweep } = await measureCalls(demoTasks.slice(0, 1));
  const [measured] = calls;
  const [expected] = written.calls;
  if (measured === undefined || expected === undefined) throw new Error('nothing was measured');
  expect(measured.label).toBe(expected.label);
  // Times depend on the machine.
  const { lambda_milliseconds: __, ...counts } = expected.counts;
  const found: Record<string, number> = { ...measured.counts, turns: measured.turns };
  for (const [name, count] of Object.entries({ ...counts, turns: expected.turns })) {
    const now = found[name] ?? Number.NaN;
    const distance = Math.abs(now - count);
    expect(distance, `${name}: ${now}, written down ${count}`).toBeLessThanOrEqual(
      Math.max(2, count * tolerance),
    );
  }
  // The schedule may have made another one at the same time.
  const reads = sweep.dynamodb_read_units / sweep.lambda_invocations;
  expect(reads).toBe(written.sweep.dynamodb_read_units / written.sweep.lambda_invocations);
  expect(sweep.dynamodb_write_units).toBe(written.sweep.dynamodb_write_units);
});
