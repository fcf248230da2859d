import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { Faults } from '../engine/faults.ts';
import { SeededRandom } from '../engine/random.ts';
import { VirtualClock } from '../engine/virtual-clock.ts';
import { Journal } from '../harness/journal.ts';
import { FunctionFleet } from './function-fleet.ts';

const minuteMs = 60_000;

function waitingFunction(clock: VirtualClock): FunctionFleet {
  const codeDir = mkdtempSync(join(tmpdir(), 'fleet-'));
  onTestFinished(() => rmSync(codeDir, { recursive: true }));
  writeFileSync(
    join(codeDir, 'index.js'),
    'exports.handler = () => new Promise((resolve) => { setTimeout(() => setTimeout(resolve, 1), 30_000); });',
  );
  return new FunctionFleet({
    functions: [
      {
        logicalId: 'Waiter',
        name: 'waiter',
        arn: 'arn:waiter',
        codeDir,
        handler: 'index.handler',
        environment: {},
        timeoutMs: minuteMs,
        memoryMb: 128,
        concurrency: 1,
        requestsPerWorker: 1,
        isBackground: true,
        servesClients: false,
        sharesThread: false,
      },
    ],
    clock,
    random: new SeededRandom('1'),
    journal: new Journal(clock, null),
    faults: new Faults(new SeededRandom('2'), 0),
    send: () => {},
    onLine: () => {},
    onPayload: () => {},
  });
}

test.each([
  [0, 'succeeded', false],
  [10 * minuteMs, 'gone', true],
])(
  'a function that clocks jump over by %i ms is %s, which proves nothing against it',
  async (jumpMs, how, isDisturbed) => {
    const clock = new VirtualClock(new Date('2026-03-02T00:00:00Z'));
    const fleet = waitingFunction(clock);
    const ends: unknown[] = [];
    fleet.invoke('waiter', {}, ({ kind }, invocation) => ends.push([kind, invocation.isDisturbed]));
    if (jumpMs > 0) clock.after(1_000, () => fleet.jump(jumpMs));
    while (await clock.step()) await setImmediate();
    expect(ends).toEqual([[how, isDisturbed]]);
  },
);
