import { expect, test } from 'vitest';
import { SeededRandom } from '../engine/random.ts';
import { VirtualClock } from '../engine/virtual-clock.ts';
import { StreamSource } from './stream-source.ts';
import type { StreamRecord } from './table-watch.ts';

const start = new Date('2026-03-02T00:00:00Z');
const hourMs = 3_600_000;

const record = (SequenceNumber: string): StreamRecord => ({
  eventName: 'INSERT',
  dynamodb: { SequenceNumber, Keys: {}, NewImage: {}, OldImage: undefined },
});

test('a stream keeps unprocessed records for 24 hours, then continues with later ones', async () => {
  const clock = new VirtualClock(start);
  const hour = (): number => Math.floor((clock.nowMs - start.getTime()) / hourMs);
  const tries: string[] = [];
  const lost: number[] = [];
  const source = new StreamSource({
    mapping: {
      sourceArn: 'arn:stream',
      functionName: 'follower',
      batchSize: 10,
      concurrency: 1,
      patterns: [],
      maxRetries: Number.POSITIVE_INFINITY,
      deadLettersArn: null,
    },
    fleet: {
      invoke: (functionName, payload, onEnd) => {
        const text = JSON.stringify(payload);
        tries.push(`${hour()}: ${[...text.matchAll(/"eventID":"(\w+)"/g)].map(([, id]) => id).join(' ')}`);
        const invocation = { id: '1', functionName, taskIds: [], isDisturbed: false };
        const isRefused = text.includes('"eventID":"first"');
        onEnd(isRefused ? { kind: 'failed' } : { kind: 'succeeded', payload: {} }, invocation);
      },
    },
    clock,
    random: new SeededRandom('1'),
    faults: { strikes: () => false },
    onGivenUp: () => lost.push(hour()),
  });
  source.push(record('first'));
  clock.after(10 * hourMs, () => source.push(record('second')));
  while (!source.isEmpty || clock.nextAtMs !== null) await clock.step();
  expect(lost).toEqual([24]);
  expect(tries[0]).toBe('0: first');
  expect(tries.at(-2)).toMatch(/: first second$/);
  expect(tries.at(-1)).toBe('24: second');
});
