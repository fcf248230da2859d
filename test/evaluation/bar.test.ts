import { describe, expect, test } from 'vitest';
import { bar, barWithStrangers, shortcomings } from './bar.ts';
import { type Figures, figuresOf } from './figures.ts';

const kept: Figures = {
  ...figuresOf([], [], bar.seconds),
  conversations: bar.conversations,
  people: bar.people,
  goals_reached: bar.goalsPercent,
  goals_total: 100,
  endings_right: barWithStrangers.endingsPercent,
  endings_total: 100,
  usable: bar.conversations * (barWithStrangers.usablePercent / 100),
  facts_reported: barWithStrangers.factsPercent,
  facts_told: 100,
  first_text_p95_ms: bar.firstTextP95Ms,
};

describe('the personas of the repository', () => {
  const all = { isRepository: true, isWhole: true, isOnStack: true };

  test('a score at the threshold passes', () => {
    expect(shortcomings(kept, all)).toEqual([]);
  });

  test.each([
    [{ conversations: bar.conversations - 1 }],
    [{ people: bar.people - 1 }],
    [{ goals_reached: bar.goalsPercent - 1 }],
    [{ wrong_facts: 1 }],
    [{ disclosures: 1 }],
    [{ first_text_p95_ms: bar.firstTextP95Ms + 0.1 }],
    [{ seconds: bar.seconds + 1 }],
  ])('%j is below it', (change) => {
    expect(shortcomings({ ...kept, ...change }, all)).toHaveLength(1);
  });

  test('some may be few, but not wrong', () => {
    const few = { ...kept, conversations: 2, people: 1 };
    expect(shortcomings(few, { ...all, isWhole: false })).toEqual([]);
    expect(shortcomings({ ...few, wrong_facts: 1 }, { ...all, isWhole: false })).toHaveLength(1);
  });
});

describe('strangers', () => {
  const strangers = { isRepository: false, isWhole: true, isOnStack: false };

  test('a score at the threshold passes, with a wrong fact in a hundred conversations', () => {
    expect(shortcomings({ ...kept, wrong_facts: 2 }, strangers)).toEqual([]);
  });

  test.each([
    [{ usable: kept.usable - 1 }],
    [{ wrong_facts: 3 }],
    [{ facts_reported: barWithStrangers.factsPercent - 1 }],
    [{ endings_right: barWithStrangers.endingsPercent - 1 }],
    [{ disclosures: 1 }],
    [{ repeats: 1 }],
  ])('%j is below it', (change) => {
    expect(shortcomings({ ...kept, ...change }, strangers)).toHaveLength(1);
  });
});
