import { describe, expect, test } from 'vitest';
import { type Kill, planKill } from './kill-plan.ts';

function plan(seed: string): Kill[] {
  return Array.from({ length: 30 }, (_, index) => planKill(seed, index, 5_000));
}

describe('the kills of a run', () => {
  test('are the same for the same seed, and differ for another', () => {
    expect(plan('a')).toEqual(plan('a'));
    expect(plan('a')).not.toEqual(plan('b'));
  });

  test('hit starts and work in progress, one process and all of them, with and without a pause', () => {
    const kills = plan('a');
    expect(kills.filter(({ moment }) => moment === 'starting')).toHaveLength(10);
    expect(new Set(kills.map(({ extent }) => extent)).size).toBe(2);
    expect(kills.some(({ pauseMs }) => pauseMs === 0)).toBe(true);
    expect(kills.some(({ pauseMs }) => pauseMs > 0)).toBe(true);
  });

  test('never come after the start that they target', () => {
    const starts = plan('a').filter(({ moment }) => moment === 'starting');
    expect(Math.max(...starts.map(({ afterMs }) => afterMs))).toBeLessThanOrEqual(5_000);
  });
});
