import { expect, test } from 'vitest';
import { figuresOf, tooLong } from './figures.ts';
import { judge, type Verdict } from './judging/judge.ts';
import { answer, someHeld } from './judging/some-held.ts';
import { classTable, summary, table } from './scoreboard.ts';

const good = judge(someHeld());
const bad = judge(someHeld({ answers: [answer('copay', 45, '$45')] }));
const unreachable = judge(
  someHeld({
    person: {
      id: 'declines',
      evaluation: { goal: 'unreachable', ending: 'declined', tasks: [{ task_type: 'VERIFY_INSURANCE' }] },
    },
    result: { goal_reached: false, ending: 'declined' },
  }),
);

test('figures count the verdicts', () => {
  expect(figuresOf([good, bad, unreachable], [1, 2, 3], 1.26)).toMatchObject({
    conversations: 3,
    people: 2,
    goals_reached: 1,
    goals_total: 2,
    endings_right: 1,
    endings_total: 1,
    usable: 2,
    facts_told: 15,
    facts_reported: 14,
    wrong_facts: 1,
    wrong_facts_by_place: { copay: 1 },
    disclosures: 0,
    needs_review: 0,
    pass_k: 1,
    pass_k_total: 2,
    k: 2,
    first_text_p95_ms: 3,
    seconds: 1.3,
    by_person: [
      { person: 'some-insurer', conversations: 2, good: 1, usable: 1, wrong_facts: 1 },
      { person: 'declines', conversations: 1, good: 1, usable: 1, outcomes: [] },
    ],
  });
});

test('personas with the same difficulty have their own row', () => {
  const person = { id: 'corrects', evaluation: { classes: ['spoken-correction'] } };
  const figures = figuresOf(
    [good, judge(someHeld({ person, answers: [answer('copay', 45, '$45')] }))],
    [1],
    1,
  );
  expect(figures.by_class).toEqual([
    { class: 'spoken-correction', people: 1, conversations: 1, usable: 0, wrong_facts: 1 },
  ]);
  expect(classTable(figures)).toMatch(/spoken-correction +1 +0\/1 +1/);
  expect(classTable(figuresOf([good], [1], 1))).toBe('');
});

test('the limit for long conversations comes from those that reached their goal', () => {
  const turns = (count: number, verdict: Verdict): Verdict => ({ ...verdict, turns: count });
  const long = turns(26, bad);
  expect(tooLong([turns(10, good), turns(10, good), turns(25, bad), long])).toEqual([long]);
  expect(tooLong([long])).toEqual([]);
});

test('the scoreboard shows personas by line, and a noisy line beside a clear one', () => {
  const figures = figuresOf([good, bad], [1], 1);
  expect(table(figures)).toMatch(/some-insurer +insurance +1\/2 +1\/2 +9\/10 +1 /);
  const both = summary(figures, figuresOf([bad], [1], 1));
  expect(both).toMatch(/usable results +1 of 2 \(50\.0 %.*\) +0 of 1/);
});
