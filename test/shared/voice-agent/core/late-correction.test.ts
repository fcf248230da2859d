import { describe, expect, test } from 'vitest';
import { clientItem } from '#shared/voice-agent/call-plan/items.ts';
import { evidenceIn } from '#shared/voice-agent/core/evidence.ts';
import { understand } from '#shared/voice-agent/understanding/understand.ts';
import { benefits, claim, quoted, told } from './told-in.ts';

const questions = {
  ...claim,
  items: [
    'What does a month of it cost without insurance?',
    'Can a prescription be transferred from another pharmacy?',
    'At what time do you close?',
    'How much is delivery?',
  ].map((question, at) => clientItem(`question_${at}`, question, null, [])),
};

describe('a reply to the next question', () => {
  const known = [{ key: 'question_0', value: 49 }];

  test.each([
    'Huh, that was the wrong column. $61 is what you would pay. And sure, we do transfers all day.',
    'Wait now, the price went up in January, so call it $61. Yes, have them phone us.',
    'Yes we can. Before I forget, it is actually $61, the other one is the generic.',
    'Let me fix something, I quoted you the ninety-day. A month is $61. Transfers, yes.',
    'my bad on the money its 61 dollars and yeah we can move it over',
    'Scratch forty-nine, it is $61. Transfers are fine.',
    'Yes. And make that $61 for the month, my boss just looked at me.',
    'Okay so the 49 is with the coupon. Without it, $61. Sure, we transfer.',
  ])('corrects an earlier answer in whatever words: "%s"', (said) => {
    expect(told(questions, 'question_1', said, known)).toEqual({ question_0: 61, question_1: true });
  });

  test.each([
    'Yeah, easy. It costs $5 to transfer.',
    'Yes, if it is under $200 we do it the same day.',
    'Sure. It was $55 before the new year, if you remember.',
  ])('corrects nothing by another amount: "%s"', (said) => {
    expect(told(questions, 'question_1', said, known)).not.toHaveProperty('question_0');
  });

  test.each([
    'In network it is a $1,500 deductible, and out of network the deductible is $4,500.',
    "Out of network the deductible is $4,500, so that's higher.",
  ])('corrects nothing by the value of the other side of the plan: "%s"', (said) => {
    const deductible = [{ key: 'deductible', value: 1500 }];
    expect(told(benefits, 'plan_name', said, deductible).deductible ?? 1500).toBe(1500);
  });

  test('corrects nothing by what the earlier answer cannot be', () => {
    const received = [{ key: 'received_date', value: '2026-11-12' }];
    const later = "I'd watch for it a week from Tuesday. Not this Tuesday, the one after.";
    expect(told(claim, 'expected_payment', later, received)).not.toHaveProperty('received_date');
    const share = [{ key: 'coinsurance', value: 15 }];
    const visits = 'Not for the first twelve. It is only after those.';
    expect(told(benefits, 'pre_authorization', visits, share)).not.toHaveProperty('coinsurance');
    const free = 'My cousin drives it over. In town, free. Past the bridge, forget it.';
    expect(told(questions, 'question_1', free, known)).not.toHaveProperty('question_0');
  });

  test('corrects nothing if it answers the question itself', () => {
    const said = 'Sorry about the wait. It is $12 in town.';
    expect(told(questions, 'question_3', said, known)).toEqual({ question_3: 12 });
  });

  test('does not correct an answer by repeating another', () => {
    const both = [
      { key: 'copay', value: 40 },
      { key: 'deductible', value: 1500 },
    ];
    const said = 'Hm, that is the Sawgrass HMO 40. The forty is the copay.';
    expect(told(benefits, 'plan_name', said, both)).not.toHaveProperty('deductible');
  });

  test('corrects the value that was just said in reply, rather than an earlier one', () => {
    const said = "There's an $8 delivery fee, cash or card. No, sorry, $11. Eight's the curb.";
    const found = told(questions, 'question_3', said, [{ key: 'question_0', value: 14 }]);
    expect(found).not.toHaveProperty('question_0');
  });

  test('leaves an answer that they give again', () => {
    const met = [{ key: 'deductible_met', value: 140 }];
    const said = "On hers it's $600, and she's met $140. The other page says $1,200.";
    expect(told(benefits, 'deductible', said, met)).not.toHaveProperty('deductible_met', 600);
  });

  test('corrects a time given in words', () => {
    const hours = [{ key: 'question_2', value: null, answer: 'We close at eight.' }];
    const said = 'Wait, I was wrong, it is six thirty, not eight. Delivery is $4.';
    const found = told(questions, 'question_3', said, hours);
    expect(found).toMatchObject({ question_2: null, question_3: 4 });
  });

  test('corrects a day in the past, if it asks for one', () => {
    const paid = [{ key: 'payment_date', value: '2026-10-03' }];
    const said = "Sorry, I was one row off on that payment date, it's November 14th. Nothing is missing.";
    expect(told(claim, 'missing_documents', said, paid)).toMatchObject({ payment_date: '2026-11-14' });
  });

  test('corrects a short answer in words by a value of its kind', () => {
    const deadline = [
      { key: 'appeal_deadline', value: null, answer: '60 days from the date on the letter.' },
    ];
    const said =
      "Hang on, that's the Medicare one. Appeals on this plan, it's 180 days. Call's logged as DV4888.";
    expect(quoted(claim, 'reference_number', said, deadline)).toMatchObject({
      appeal_deadline: expect.stringContaining("it's 180 days."),
    });
  });

  test('of an answer in many words corrects its value and leaves the rest', () => {
    const answer =
      'You mail a written appeal with the notes to the Tulley office. She has 180 days from the denial.';
    const said = "Wait, I told you wrong about the appeal. It's 120 days now. Your reference is DV4888.";
    const asked = claim.items.find(({ key }) => key === 'reference_number') ?? null;
    const heard = understand(said, 1, { today: '2026-11-16', after: null });
    const found = evidenceIn(heard, claim, asked, [{ key: 'appeal_deadline', value: null, answer }]);
    const corrected = found.find(({ key }) => key === 'appeal_deadline');
    expect(corrected?.answer).toMatch(/^You mail a written appeal .*120 days/);
    expect(said).toContain(corrected?.quote);
  });

  test('is not about the answer that it corrects', () => {
    const said = 'No, hang on, I was on the dental card. It is $35. They are in network, yes.';
    expect(told(benefits, 'in_network', said, [{ key: 'copay', value: 20 }])).toEqual({
      copay: 35,
      in_network: true,
    });
  });

  test('may tell both in one breath, without punctuation', () => {
    const said = 'i read you the old card the copay is $35 since march first 2024';
    expect(told(benefits, 'effective_date', said, [{ key: 'copay', value: 20 }])).toEqual({
      copay: 35,
      effective_date: '2024-03-01',
    });
  });
});

test.each(["Hers, $640. The husband's done basically nothing.", "Her part, $640. The son's done nothing."])(
  'what another member has met is no answer, beside which ours would be a correction: "%s"',
  (said) => {
    const known = [{ key: 'deductible', value: 1500, answer: '$1,500' }];
    expect(told(benefits, 'deductible_met', said, known)).toEqual({ deductible_met: 640 });
  },
);

test('nothing, said to our question, corrects no amount', () => {
  const known = [
    { key: 'billed_amount', value: 640, answer: '$640' },
    { key: 'paid_amount', value: 402.75, answer: '$402.75' },
    { key: 'patient_responsibility', value: 68.25, answer: '$68.25' },
  ];
  const said = "Nothing, they paid, I'm happy, everybody's happy. What else can I do?";
  expect(told(claim, 'missing_documents', said, known).paid_amount).toBe(undefined);
});

test.each([
  ["Rats, that was family. For just her it's $431.75. Coinsurance, 10%.", 431.75],
  ["Oh, I gave you the family's. Hers alone is $212.10. And it's 10%.", 212.1],
])('a value of the wrong tier is put right: "%s"', (said, value) => {
  const known = [{ key: 'deductible_met', value: 1106.2, answer: '$1,106.20' }];
  expect(told(benefits, 'coinsurance', said, known)).toMatchObject({
    deductible_met: value,
    coinsurance: 10,
  });
});
