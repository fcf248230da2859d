import { describe, expect, test } from 'vitest';
import { introducedName, namedProvider, nameInReply } from '#shared/voice-agent/language/names.ts';
import { isUnknownToThem, isWithheld, openingPolarity } from '#shared/voice-agent/language/polarity.ts';
import { plainOf, sentencesOf } from '#shared/voice-agent/language/text.ts';
import { findIdentifiers, findMoney, findPercentages } from '#shared/voice-agent/language/values.ts';

describe('sentences', () => {
  test('do not end after titles, times of day and amounts', () => {
    const said =
      'Hi, this is Dana. Dr. Okafor has 10:30 a.m. Tuesday. Or 2 p.m. Does that work? It is $40.50 flat.';
    expect(sentencesOf(said).map(({ text }) => text)).toEqual([
      'Hi, this is Dana.',
      'Dr. Okafor has 10:30 a.m. Tuesday.',
      'Or 2 p.m.',
      'Does that work?',
      'It is $40.50 flat.',
    ]);
  });

  test('are found where they stand, so that quotes are verbatim', () => {
    const said = '  Sure.  The copay is forty dollars. ';
    for (const { text, start } of sentencesOf(said)) {
      expect(said.slice(start, start + text.length)).toBe(text);
    }
  });
});

describe('amounts', () => {
  test.each([
    ['$1,500.50', [1500.5]],
    ['forty dollars', [40]],
    ['six hundred twenty dollars and fifty cents', [620.5]],
    ['fifteen hundred bucks', [1500]],
    ['$20 or $45', [20, 45]],
    ['2.5 percent', []],
  ])('%s', (said, amounts) => {
    expect(findMoney(plainOf(said)).map(({ amount }) => amount)).toEqual(amounts);
  });

  test('percentages', () => {
    expect(findPercentages(plainOf('20% or thirty percent')).map(({ percent }) => percent)).toEqual([20, 30]);
  });
});

describe('identifiers', () => {
  test.each([
    ['the confirmation number is RC-48213', ['RC-48213']],
    ['it is RC 48213', ['RC48213']],
    ['R C dash 4 8 2 1 3', ['RC-48213']],
    ['r c four eight two one three', ['RC48213']],
    ['A as in apple, 4, 4, 9', ['A449']],
    ['B as in boy double seven 1', ['B771']],
    ['K I M 4 4 1 0', ['KIM4410']],
    ['5-5-0-9-1-7-G', ['550917G']],
    ['your code is QWXZPL', ['QWXZPL']],
    ['in 180 days', []],
    ['a 30 day supply', []],
    ['the PPO plan', []],
  ])('%s', (said, identifiers) => {
    expect(findIdentifiers(plainOf(said), said).map(({ identifier }) => identifier)).toEqual(identifiers);
  });
});

describe('names', () => {
  test.each([
    ['Good morning, this is Dana. How can I help you?', 'Dana'],
    ['Thank you for calling Lakeside Clinic, my name is Robin Vance.', 'Robin Vance'],
    ['Benefits and eligibility, you’re speaking with Marcus.', 'Marcus'],
    ['Provider services, Grace speaking.', 'Grace'],
    ['Tom here.', 'Tom'],
    ['good afternoon summit neurology this is karen speaking how may i help you', 'Karen'],
    ['thank you for calling my name is denise how can i help', 'Denise'],
    ['This is Lakeside Family Practice.', null],
    ['Hello, this is Valley Neurology.', null],
    ['I am sorry about that.', null],
    ['This is not a clinic.', null],
    ["I'm going to check.", null],
  ])('%s', (said, name) => {
    expect(introducedName(said)).toBe(name);
  });

  test.each([
    ['Dana.', 'Dana'],
    ["Sure, it's Ingrid.", 'Ingrid'],
    ['paul', 'Paul'],
    ['No.', null],
    ['Why do you ask?', null],
  ])('in a reply to the question for it: %s', (said, name) => {
    expect(nameInReply(said)).toBe(name);
  });

  test.each([
    ['with Dr. Okafor', 'Dr. Okafor'],
    ['doctor feld is free', 'Dr. Feld'],
    ['the doctor is out', null],
  ])('of doctors: %s', (said, name) => {
    expect(namedProvider(said)).toBe(name);
  });
});

describe('yes and no', () => {
  test.each([
    ['Yes, it is.', 'yes'],
    ["That's correct.", 'yes'],
    ['Sure thing.', 'yes'],
    ['We do.', 'yes'],
    ['Okay, yeah.', 'yes'],
    ['No problem.', 'yes'],
    ['Nope.', 'no'],
    ["No, we don't.", 'no'],
    ['Unfortunately not.', 'no'],
    ["It isn't.", 'no'],
    ["We don't take that.", 'no'],
    ['Not at this time.', 'no'],
    ['The office is on Main Street.', null],
  ])('%s', (said, polarity) => {
    expect(openingPolarity(plainOf(said))).toBe(polarity);
  });

  test.each([
    "I don't have that information.",
    "I'm not sure.",
    "I can't see that on my end.",
    'You would have to ask the billing office.',
    'No idea.',
  ])('somebody who does not know: %s', (said) => {
    expect(isUnknownToThem(plainOf(said))).toBe(true);
  });

  test.each(["I'm not allowed to share that.", "We can't give that out over the phone."])(
    'somebody who will not tell: %s',
    (said) => {
      expect(isWithheld(plainOf(said))).toBe(true);
    },
  );
});

describe('amounts that are spoken in pieces', () => {
  test.each<[string, number[]]>([
    ['the deductible is one five zero zero dollars', [1500]],
    ['twelve fifty', [1250]],
    ['three thousand two fifty', [3250]],
    ['two thousand five hundred', [2500]],
    ['six twenty fifty', [620.5]],
    ['four oh nine ninety two', [409.92]],
    ['two and a half thousand', [2500]],
    ['three hundred and sixty two dollars and oh five cents', [362.05]],
    ['one hundred and five dollars and five cents', [105.05]],
  ])('%s', (said, amounts) => {
    expect(findMoney(plainOf(said), { bare: true }).map(({ amount }) => amount)).toEqual(amounts);
  });

  test('are asked for again where they may be two different amounts', () => {
    expect(findMoney(plainOf('twelve fifty'), { bare: true })[0]?.isAmbiguous).toBe(true);
    expect(findMoney(plainOf('one five zero zero'), { bare: true })[0]?.isAmbiguous).toBeUndefined();
  });
});
