import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { spreadOf } from './percentiles.ts';
import { runLoad } from './run-load.ts';

/** A busy machine is slow; the limit only ends a hang. */
const limitMs = 10 * 60_000;
const tasks = 6;

test.runIf(process.platform === 'linux')(
  'tasks of all types at once are all done once, by a bounded number of threads',
  { timeout: limitMs },
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'voice-agent-load-'));
    try {
      const report = await runLoad({
        tasks,
        rate: 50,
        pace: '0',
        speech: 'tones',
        lines: 4,
        idleSeconds: 0,
        limitMs: limitMs - 60_000,
        directory,
        progress: () => {},
      });
      expect(report.problems).toEqual([]);
      expect({ lost: report.lost, doubled: report.doubled }).toEqual({ lost: 0, doubled: 0 });
      expect(report.endpoints['POST /v1/task']?.count).toBe(tasks);
      expect(report.firstWordMs?.count).toBe(tasks);
      expect(report.peakThreads).toBeLessThan(120);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
);

test('percentiles are measured values', () => {
  const values = Array.from({ length: 200 }, (_, index) => index + 1);
  expect(spreadOf(values)).toEqual({ count: 200, p50: 100, p95: 190, p99: 198 });
  expect(spreadOf([])).toBeNull();
});
