import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { CallStatus } from '#shared/domain/call.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { log, withLogContext } from '#shared/observability/log.ts';
import { eventMetrics, metricsNamespace } from '#shared/observability/metrics.ts';
import { capturedLog } from '../../support/captured-log.ts';

const stage = 'VoiceAgentTasks-test';

/** A line as CloudWatch accepts it (Embedded Metric Format Specification); nothing else is a metric. */
const MetricLine = z.looseObject({
  event: z.string(),
  stage: z.literal(stage),
  _aws: z.strictObject({
    Timestamp: z.int().check(z.minimum(1_500_000_000_000)),
    CloudWatchMetrics: z.tuple([
      z.strictObject({
        Namespace: z.literal(metricsNamespace),
        Dimensions: z.tuple([z.array(z.string()).check(z.minLength(1), z.maxLength(2))]),
        Metrics: z
          .array(
            z.strictObject({ Name: z.string(), Unit: z.enum(['Count', 'Milliseconds', 'Seconds', 'None']) }),
          )
          .check(z.minLength(1)),
      }),
    ]),
  }),
});

async function linesOf(write: () => void, env: string | undefined = stage): Promise<unknown[]> {
  const text = await capturedLog(async () => {
    vi.stubEnv('STAGE', env);
    write();
  });
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** `event: name unit by dimensions` of each metric in a line, which must contain its values. */
function metricsIn(line: unknown): string[] {
  const parsed = z.parse(MetricLine, line);
  const [{ Dimensions, Metrics }] = parsed._aws.CloudWatchMetrics;
  const [dimensions] = Dimensions;
  for (const dimension of dimensions) expect(parsed[dimension], dimension).toEqual(expect.any(String));
  return Metrics.map(({ Name, Unit }) => {
    expect(parsed[Name], Name).toEqual(expect.any(Number));
    return `${parsed.event}: ${Name} ${Unit} by ${dimensions.join(', ')}`;
  });
}

describe('the metrics', () => {
  test('have these names, units and dimensions', async () => {
    const lines = await linesOf(() => {
      for (const [event, { dimension, units }] of Object.entries(eventMetrics)) {
        const fields = Object.fromEntries(Object.keys(units).map((name) => [name, 7]));
        log(event, { ...fields, ...(dimension === null ? {} : { [dimension]: 'SUCCESS' }) });
      }
      log(alarmingEvents.recordingGivenUp);
    });
    expect(lines.flatMap(metricsIn)).toEqual([
      'call-claimed: queue_wait_seconds Seconds by stage',
      'turn: first_word_ms Milliseconds by stage',
      'turn: turn_latency_ms Milliseconds by stage',
      'language-model-turn: input_tokens Count by stage',
      'language-model-turn: output_tokens Count by stage',
      'language-model-turn: cache_read_tokens Count by stage',
      'call-completed: calls Count by stage, result',
      'call-cost: estimated_cost_usd None by stage',
      'recording-given-up: alarming_events Count by stage, event',
    ]);
  });

  test('have low-cardinality dimensions without IDs', () => {
    const bounded = { result: CallStatus.options.length, event: Object.keys(alarmingEvents).length };
    for (const { dimension } of Object.values(eventMetrics)) {
      if (dimension !== null) expect(Object.keys(bounded)).toContain(dimension);
    }
    expect(Math.max(...Object.values(bounded))).toBeLessThanOrEqual(20);
  });

  test('omit missing values, and the line stays complete', async () => {
    const [turn, silent] = await linesOf(() => {
      withLogContext({ call_id: 'c-1' }, () => log('turn', { turn: 3, spoke: true, turn_latency_ms: 12 }));
      log('turn', { turn: 4, spoke: false });
    });
    expect(metricsIn(turn)).toEqual(['turn: turn_latency_ms Milliseconds by stage']);
    expect(turn).toMatchObject({ call_id: 'c-1', turn: 3, turn_latency_ms: 12 });
    expect(silent).not.toHaveProperty('_aws');
  });

  test('exist only for their events in a stack', async () => {
    const [outside] = await linesOf(() => log('turn', { turn_latency_ms: 12 }), '');
    const [other] = await linesOf(() => log('request', { duration_ms: 12 }));
    for (const line of [outside, other]) expect(line).not.toHaveProperty('_aws');
  });
});
