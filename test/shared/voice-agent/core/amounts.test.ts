import { describe, expect, test } from 'vitest';
import { benefits, claim, told } from './told-in.ts';

test('the known whole is not what was met of it', () => {
  const known = [
    { key: 'deductible', value: 3000 },
    { key: 'deductible_remaining', value: 1500 },
  ];
  const said = "it's $3,000 she's got $1,500 left and $1,500 behind her";
  expect(told(benefits, 'deductible_met', said, known)).toMatchObject({ deductible_met: 1500 });
  expect(told(benefits, 'deductible_met', 'All $3,000 of it.', known)).toMatchObject({
    deductible_met: 3000,
  });
});

test.each(['Paid is, let me add that again, $198.', 'Hold on, $198.'])(
  'an amount answers the question, whatever accompanies it: "%s"',
  (said) => {
    expect(told(claim, 'paid_amount', said)).toMatchObject({ paid_amount: 198 });
  },
);

test('of two amounts the one told for another item is not meant', () => {
  const known = [{ key: 'deductible', value: 400 }];
  for (const said of [
    'it is four hundred dollars so far one hundred ten dollars',
    'so four hundred dollars is hers and one hundred ten dollars of it is paid',
  ])
    expect(told(benefits, 'deductible_met', said, known).deductible_met).toBe(110);
});

test.each([
  'i was reading the primary care line before for specialist the copay is $35 individual deductible is $1,600',
  'the copay is $35 the deductible is $1,600',
])('of two amounts in one breath each belongs to its own words: "%s"', (said) => {
  expect(told(benefits, 'deductible', said)).toMatchObject({ deductible: 1600 });
});

test.each(["It's under two thousand.", 'Less than fifty dollars.'])(
  'a bound of an amount is none: "%s"',
  (said) => {
    expect(told(benefits, 'deductible', said)).not.toHaveProperty('deductible');
  },
);

describe('figures', () => {
  test('in one prompt each belong to their own topic', () => {
    expect(
      told(benefits, 'deductible_met', 'The deductible is $610. She has met $75 of the deductible.'),
    ).toMatchObject({ deductible: 610, deductible_met: 75 });
  });

  test('with an apology belong to the named topic, whatever was asked', () => {
    const known = [{ key: 'deductible', value: 160 }];
    const said = "Oh, it's $610 on the deductible, sorry. $75, as of today.";
    expect(told(benefits, 'deductible_met', said, known)).toMatchObject({
      deductible: 610,
      deductible_met: 75,
    });
  });

  test('corrected by name replace the wrong one; the next one answers the question', () => {
    const known = [
      { key: 'copay', value: 35 },
      { key: 'deductible', value: 160 },
    ];
    const said = 'Sorry, I misread the deductible, it is $610. Only $75 was credited so far.';
    expect(told(benefits, 'deductible_met', said, known)).toMatchObject({
      deductible: 610,
      deductible_met: 75,
    });
  });

  test("corrected go where a question's words are repeated", () => {
    const said = '$75 was credited, $535 is left. Sorry, I swapped those. The amount met is $535.';
    expect(told(benefits, 'deductible_met', said)).toMatchObject({ deductible_met: 535 });
  });

  test('corrected after a pause replace the last of their kind', () => {
    const known = [{ key: 'paid_amount', value: 218.5 }];
    expect(told(claim, null, 'No, scratch that, $281.50.', known)).toMatchObject({ paid_amount: 281.5 });
  });

  test("belong to the provider's tier", () => {
    const said = 'In network it is $20 a visit, out of network it is $70.';
    expect(told(benefits, 'copay', said)).toMatchObject({ copay: 20 });
    expect(told(benefits, 'copay', said, [{ key: 'in_network', value: false }])).toMatchObject({ copay: 70 });
  });

  test('without a unit answer the question', () => {
    expect(told(benefits, 'visit_limit', 'Up to 18 a year.')).toEqual({ visit_limit: 18 });
    const used = 'You may have eighteen in one year, and four have been.';
    expect(told(benefits, 'visit_limit', used)).toEqual({ visit_limit: 18 });
  });
});

test('how long an answer holds is no limit', () => {
  const said = 'Not for the first 9 visits; from visit 10 on, yes.';
  expect(told(benefits, 'pre_authorization', said)).not.toHaveProperty('visit_limit');
  expect(told(benefits, 'visit_limit', 'Just the first 9 visits.')).toHaveProperty('visit_limit');
});
