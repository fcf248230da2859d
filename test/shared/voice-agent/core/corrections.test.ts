import { describe, expect, test } from 'vitest';
import { clientItem } from '#shared/voice-agent/call-plan/items.ts';
import { evidenceIn } from '#shared/voice-agent/core/evidence.ts';
import { understand } from '#shared/voice-agent/understanding/understand.ts';
import { benefits, claim, told } from './told-in.ts';

test('an immediately withdrawn value is not told', () => {
  const said = "It says terminated here... no, pardon me, that's the old card.";
  expect(told(benefits, null, said).coverage_active).toBeUndefined();
});

test.each([
  'It went out last Friday. Mm, wait. Not that one. November 9th.',
  'Last Friday it went out. No, hold on. That was another. November 9th.',
])('a value is taken back by all that stands before the next one: "%s"', (said) => {
  expect(told(claim, 'payment_date', said)).toMatchObject({ payment_date: '2026-11-09' });
});

test('a correction may be named in the clause before its value', () => {
  const known = [{ key: 'deductible', value: 5200 }];
  const said = 'Oops, the deductible I read you is the family one. The individual is $2,600.';
  expect(told(benefits, 'deductible_met', said, known)).toEqual({ deductible: 2600 });
});

test('another number right after a withdrawal replaces the previous one', () => {
  const known = [{ key: 'reference_number', value: 'TR4410' }];
  const said = "Oh wait, no, that's the caller before you. Yours is TR8862.";
  expect(told(benefits, 'authorization_process', said, known)).toMatchObject({ reference_number: 'TR8862' });
});

test('of two days the superseding one stands', () => {
  const said =
    'Originally processed on September 3rd, then they reworked it, and the final date is October 8th.';
  expect(told(claim, 'processed_date', said)).toMatchObject({ processed_date: '2026-10-08' });
});

test('a different value corrects the previous one, whatever explains it', () => {
  const known = [{ key: 'deductible', value: 2400 }];
  const said = 'The deductible is $600, I was looking at the wrong column.';
  expect(told(benefits, 'coinsurance', said, known)).toMatchObject({ deductible: 600 });
});

test('a value that is denied beside its correction is no news', () => {
  const known = [{ key: 'paid_amount', value: 780 }];
  const said =
    'I have to correct the payment I gave. It is $730, not seven eighty. The payment is dated November 2nd.';
  expect(told(claim, 'payment_date', said, known)).toMatchObject({ paid_amount: 730 });
});

describe('a later value', () => {
  test('corrects an earlier answer without an apology', () => {
    const known = [{ key: 'copay', value: 80 }];
    for (const said of [
      'That copay I told you, I was on the wrong page, it is $18.',
      "i gave you the wrong line before the copay's $18",
    ])
      expect(told(benefits, 'deductible_met', said, known), said).toMatchObject({ copay: 18 });
  });

  test('stands before a past one, also if not a date', () => {
    const hours = {
      ...clientItem('question_0', 'What time does the lab close?', null, []),
      required: true,
    };
    const plan = { ...benefits, items: [hours] };
    const heard = understand('They used to stay until eight. Now it is six thirty.', 1, {
      today: '2026-11-16',
      after: 'question',
      direction: 'future',
      expecting: ['moment', 'date', 'time'],
    });
    expect(evidenceIn(heard, plan, hours, [])[0]?.quote).toBe('Now it is six thirty.');
  });
});

test('a correction that names more than the question corrects what it names', () => {
  const said = 'Oh, sorry, the deductible met is $412.60, not the other number.';
  expect(told(benefits, 'deductible', said)).toEqual({ deductible_met: 412.6 });
});

test('of two amounts behind words that may take something back the first mends the last answer', () => {
  const heard = understand(
    'Oh shucks, I read you the inpatient line before. Therapy is $22. One person is $400.',
    3,
    {
      today: '2026-11-16',
      after: 'question',
    },
  );
  const asked = benefits.items.find(({ key }) => key === 'deductible') ?? null;
  const told = evidenceIn(heard, benefits, asked, [{ key: 'copay', value: 32 }]);
  expect(Object.fromEntries(told.map(({ key, value }) => [key, value]))).toEqual({
    copay: 22,
    deductible: 400,
  });
});

describe('a value alone of another kind than asked, after a slip', () => {
  const known = [
    { key: 'claim_status', value: 'partially paid' },
    { key: 'paid_amount', value: 960 },
  ];

  test('mends the last answer', () => {
    const said = 'Hold on, I flipped that. It is $690. That went out October 28th.';
    expect(told(claim, 'payment_date', said, known)).toMatchObject({ paid_amount: 690 });
  });

  test('mends the answer that it names, whatever was asked', () => {
    const known = [
      { key: 'deductible', value: 4200 },
      { key: 'deductible_met', value: 1830 },
    ];
    const said = "Excuse me, I flipped that one. Deductible met is $1,380. 30% once it's met.";
    expect(told(benefits, 'coinsurance', said, known)).toMatchObject({
      deductible_met: 1380,
      coinsurance: 30,
    });
  });

  test("mends the answer to a client's question, beside a word of it", () => {
    const items = ['What does the night study cost?', 'Can a relative stay?'].map((question, at) =>
      clientItem(`question_${at}`, question, null, []),
    );
    const said =
      "Oh, hold on, back up on that price. They changed the sheet, the study's $730 now. A relative may stay.";
    expect(told({ ...claim, items }, 'question_1', said, [{ key: 'question_0', value: 830 }])).toMatchObject({
      question_0: 730,
    });
  });

  test('takes the "no" before it along', () => {
    const items = [
      clientItem('question_0', 'At what time does the office close?', null, []),
      clientItem('question_1', 'Can the form be sent by mail?', null, []),
    ];
    const plan = { ...benefits, items };
    const said = "No, excuse me, that was the old sign. It's four o'clock. By mail is fine.";
    const heard = understand(said, 3, { today: '2026-11-16', after: 'yes-no-question' });
    const found = evidenceIn(heard, plan, items[1] ?? null, [
      { key: 'question_0', value: null, answer: 'We close at five.' },
    ]);
    expect(found.find(({ key }) => key === 'question_0')?.quote).toBe("It's four o'clock.");
    expect(found.find(({ key }) => key === 'question_1')?.quote).not.toContain('No,');
  });

  test('mends nothing of another amount', () => {
    const said = 'The hospital had sent a bill of $690. That went out October 28th.';
    expect(told(claim, 'payment_date', said, known)).not.toHaveProperty('paid_amount');
  });
});

test('a correction belongs to the answer whose value it denies', () => {
  const known = [
    { key: 'copay', value: 49 },
    { key: 'coverage_active', value: true },
  ];
  const said = "I read you that upside down. It's $94 a visit, not forty-nine. Sure, in network.";
  expect(told(benefits, 'in_network', said, known)).toEqual({ copay: 94, in_network: true });
});

test('another item told in a few words corrects nothing', () => {
  const said = "The plan is Choice PPO and it's active. There's a $40 copay.";
  expect(told(benefits, null, said)).toMatchObject({ coverage_active: true, copay: 40 });
});

test('the repeated old value is not its own correction', () => {
  const known = [{ key: 'deductible', value: 605 }];
  const said = "Oh, sorry, I said six oh five. It's $650. They've met $318.";
  expect(told(benefits, 'deductible_met', said, known)).toEqual({ deductible: 650, deductible_met: 318 });
});

test('a correction with a value is one, however much like a reproach or a reason it sounds', () => {
  const said = 'We paid $448. I said that wrong, $488.';
  expect(told(claim, 'paid_amount', said)).toEqual({ paid_amount: 488 });
});
