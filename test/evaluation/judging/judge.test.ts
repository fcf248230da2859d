import { describe, expect, test } from 'vitest';
import { judge } from './judge.ts';
import { answer, exchange, someAppointment, someHeld } from './some-held.ts';

describe('a goal', () => {
  test('is reached if every required fact is reported correctly', () => {
    expect(judge(someHeld())).toMatchObject({
      isReachable: true,
      isGood: true,
      isUsable: true,
      outcome: 'reached',
      wrongFacts: [],
      factsTold: 5,
      factsReported: 5,
    });
  });

  test('is not reached merely because the agent says so', () => {
    const verdict = judge(someHeld({ answers: [answer('copay', null, null)] }));
    expect(verdict).toMatchObject({ isGood: false, isUsable: false, wrongFacts: [] });
    expect(verdict.outcome).toContain('copay is open');
  });

  test('is reached but not usable if the agent does not know it', () => {
    expect(judge(someHeld({ result: { goal_reached: false } }))).toMatchObject({
      isGood: true,
      isUsable: false,
    });
  });

  test('does not need facts that the person does not know', () => {
    const knows = { coverage_active: { type: 'yes', value: true } };
    const open = ['copay', 'deductible', 'coinsurance', 'pre_authorization'].map((key) =>
      answer(key, null, null),
    );
    expect(judge(someHeld({ answers: open, called: { knows, told: ['coverage_active'] } }))).toMatchObject({
      isGood: true,
    });
  });

  test('may be left to a review of an answer, which is not a wrong fact', () => {
    const forReview = { ...answer('copay', null, '$45?'), needs_review: true };
    expect(judge(someHeld({ answers: [forReview] }))).toMatchObject({
      isGood: true,
      isUsable: true,
      wrongFacts: [],
      needsReview: 1,
      factsReported: 4,
    });
  });

  test('is an appointment that was really booked', () => {
    expect(judge(someAppointment())).toMatchObject({ isGood: true, isUsable: true, wrongFacts: [] });
    const verdict = judge(someAppointment({ called: { booked: null } }));
    expect(verdict.outcome).toContain('nothing is booked');
    expect(verdict.wrongFacts.map(({ where }) => where)).toContain('booking_confirmed');
  });

  test('is an appointment reported for the right time', () => {
    const late = answer('appointment_time', '2026-11-25T09:30', 'Wednesday, November 25, 2026 at 9:30 AM');
    const verdict = judge(someAppointment({ answers: [late, answer('booking_confirmed', true, 'Yes')] }));
    expect(verdict).toMatchObject({ isGood: false, isUsable: false });
    expect(verdict.wrongFacts.map(({ where }) => where)).toContain('appointment_time');
  });
});

describe('a call without a goal', () => {
  const evaluation = { goal: 'unreachable', ending: 'declined', tasks: [{ task_type: 'VERIFY_INSURANCE' }] };

  test("ends as the persona's file says", () => {
    const declined = { goal_reached: false, ending: 'declined' as const };
    expect(judge(someHeld({ person: { evaluation }, result: declined }))).toMatchObject({ isGood: true });
    const gaveUp = { goal_reached: false, ending: 'gave-up' as const };
    expect(judge(someHeld({ person: { evaluation }, result: gaveUp }))).toMatchObject({ isGood: false });
  });

  test('must not claim one', () => {
    const verdict = judge(someHeld({ person: { evaluation }, result: { ending: 'declined' } }));
    expect(verdict.isGood).toBe(false);
    expect(verdict.wrongFacts).toEqual([
      { where: 'ending', what: 'claims a goal that could not be reached' },
    ]);
  });
});

test('a told fact missing from the answers is lost', () => {
  const told = [
    'coverage_active',
    'copay',
    'deductible',
    'coinsurance',
    'pre_authorization',
    'reference_number',
  ];
  expect(judge(someHeld({ called: { told } }))).toMatchObject({
    factsTold: 6,
    factsReported: 5,
    missedFacts: [expect.stringMatching(/^reference_number is open, known \S/)],
  });
});

test('conduct is judged from the words heard', () => {
  const asked = 'May I have your member number?';
  const verdict = judge(
    someHeld({
      called: {
        exchanges: [
          exchange({ says: ['Maple Health.'] }),
          exchange({ heard: 'Is the coverage active?', says: [asked], about: ['ask member_id'] }),
          exchange({ heard: 'All right. Is the coverage active?', says: [asked], about: ['ask member_id'] }),
        ],
      },
    }),
  );
  expect(verdict.ignoredQuestions).toEqual([asked]);
  expect(verdict.unnotified).toEqual(['person']);
  expect(verdict.repeats).toEqual([]);
});
