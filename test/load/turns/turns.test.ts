import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { wordsOfLongAnswer } from './imitation-model.ts';
import { runTurns } from './run-turns.ts';

test('both models answer turns and interruptions, in one call and in several at a time', {
  timeout: 5 * 60_000,
}, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'voice-agent-turns-'));
  try {
    const figures = await runTurns({
      turns: 3,
      calls: 2,
      pauseMs: { alone: 50, together: 200 },
      directory,
      progress: () => {},
    });
    expect(figures.map(({ of, calls, ms, unanswered }) => [of, calls, ms?.count, unanswered])).toEqual([
      ['built-in model', 1, 3, 0],
      ['built-in model', 2, 3, 0],
      ['language model', 1, 3, 0],
      ['language model', 2, 3, 0],
      ['interruption', 1, 3, 0],
      ['interruption', 2, 3, 0],
    ]);
    // All the others would have arrived if the interruption had been missed.
    for (const { wordsAfter } of figures) expect(wordsAfter).toBeLessThan(wordsOfLongAnswer / 2);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
