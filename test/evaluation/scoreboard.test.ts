import { expect, test } from 'vitest';
import { bar, type Score, shortcomings } from './scoreboard.ts';

const kept: Score = {
  conversations: bar.conversations,
  people: bar.people,
  reachable: 100,
  reached: bar.reachableGoalsPercent,
  unreachable: 10,
  endedWell: 10,
  factsTold: 100,
  factsReported: 100,
  wrongFacts: 0,
  offPlanDisclosures: 0,
  turns: { p50: 9, p95: 15 },
  talkSeconds: { p50: 100, p95: 160 },
  responseMs: { p50: 10, p95: bar.responseP95Ms },
  responseUnderLoadMs: { p50: 20, p95: 100 },
  seconds: bar.seconds,
};

test('a score on the bar passes', () => {
  expect(shortcomings(kept, true)).toEqual([]);
});

test.each([
  [{ conversations: bar.conversations - 1 }],
  [{ people: bar.people - 1 }],
  [{ reached: bar.reachableGoalsPercent - 1 }],
  [{ wrongFacts: 1 }],
  [{ offPlanDisclosures: 1 }],
  [{ responseMs: { p50: 10, p95: bar.responseP95Ms + 0.1 } }],
  [{ seconds: bar.seconds + 1 }],
])('%j is below it', (change) => {
  expect(shortcomings({ ...kept, ...change }, true)).toHaveLength(1);
});

test('a set of somebody’s own may be small, but not wrong', () => {
  expect(shortcomings({ ...kept, conversations: 2, people: 1 }, false)).toEqual([]);
  expect(shortcomings({ ...kept, conversations: 2, people: 1, wrongFacts: 1 }, false)).toHaveLength(1);
});
