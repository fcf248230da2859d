import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inFull } from '../support/in-full.ts';
import { runCrashTest } from './run-crash-test.ts';

/**
 * A busy machine is slow; the limit only ends a hang. A worker that is killed while it fetches a recording keeps its
 * lease for 16 minutes, and no other fetches it before.
 */
const limitMs = 20 * 60_000;

/** One kill of this seed hits work in progress, and one a start. */
const seed = 'npm test';
const tasks = inFull ? 10 : 6;

test('tasks on a local stack that is killed at work and at startup end once, with every recording and webhook', {
  timeout: limitMs,
}, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'voice-agent-crash-'));
  try {
    const { problems, evidence } = await runCrashTest({
      seed,
      tasks,
      kills: 2,
      // A call hit between its claim and the carrier takes minutes to settle.
      killsOnceDialed: true,
      pace: '0',
      longestGapMs: 100,
      // Redials wait for the sweeper, which runs once a minute.
      attempts: 1,
      settleLimitMs: limitMs - 90_000,
      directory,
      progress: () => {},
    });
    expect(problems).toEqual([]);
    expect(evidence.tasks).toHaveLength(tasks);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
