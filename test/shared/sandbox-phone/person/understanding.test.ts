import { describe, expect, test } from 'vitest';
import { hear } from '#shared/sandbox-phone/person/heard.ts';
import { findPattern, meantBy } from '#shared/sandbox-phone/person/pattern.ts';
import { recognize, type Wanted } from '#shared/sandbox-phone/person/recognize.ts';

const wanted: readonly Wanted[] = [
  { slot: 'member_id', hears: 'identifier', cues: ['member id', 'member number'], choices: {} },
  { slot: 'claim_number', hears: 'identifier', cues: ['claim number', 'bill number'], choices: {} },
  { slot: 'patient_name', hears: 'name', cues: ['patient', 'on behalf of', 'name is'], choices: {} },
  { slot: 'date_of_birth', hears: 'date', cues: ['birth', 'born'], choices: {} },
  {
    slot: 'status',
    hears: 'choice',
    cues: ['existing patient', 'new patient'],
    choices: { existing: ['existing', 'established'], new: ['new', 'first time'] },
  },
];

describe('a requested value', () => {
  test.each([
    ['member_id', 'EHP204518837', 'EHP204518837'],
    ['member_id', "It's E H P 2 0 4 5 1 8 8 3 7.", 'EHP204518837'],
    ['member_id', 'Sure. E, H, P, 2, 0, 4, 5, 1, 8, 8, 3, 7.', 'EHP204518837'],
    [
      'member_id',
      'E as in echo, H as in hotel, P as in papa, two zero four five one eight eight three seven',
      'EHP204518837',
    ],
    ['claim_number', 'It is CLM-7741902.', 'CLM7741902'],
    ['claim_number', 'I only have the member ID, EHP204518837.', undefined],
    ['patient_name', 'Maya Rivera', 'Maya Rivera'],
    ['patient_name', "The patient's name is Maya Rivera.", 'Maya Rivera'],
    ['patient_name', "It's for Maya O'Neill-Rivera.", "Maya O'Neill-Rivera"],
    ['patient_name', 'Maya, M-A-Y-A, Rivera, R-I-V-E-R-A.', 'Maya Rivera'],
    ['patient_name', 'Sure. M-A-Y-A R-I-V-E-R-A.', 'Maya Rivera'],
    ['patient_name', 'M A Y A, R I V E R A', 'Maya Rivera'],
    ['patient_name', 'First name: Maya. Last name: Rivera.', 'Maya Rivera'],
    ['patient_name', 'maya rivera', 'Maya Rivera'],
    ['patient_name', 'Rivera', 'Rivera'],
    ['patient_name', 'So that is confirmed?', undefined],
    ['member_id', 'EHP, then 2045, then 18837.', 'EHP204518837'],
    ['member_id', 'e h p two oh four five one eight eight three seven', 'EHP204518837'],
    ['member_id', 'E for echo, H for hotel, P for papa, twenty forty-five, 18837', 'EHP204518837'],
    ['member_id', 'The ID is EHP204518837, the NPI I do not have.', 'EHP204518837'],
    ['date_of_birth', 'the twelfth of July, nineteen eighty-four', 'July 12th, 1984'],
    ['date_of_birth', 'July 12th, 1 9 8 4', 'July 12th, 1984'],
    ['date_of_birth', 'Seven twelve eighty-four.', 'July 12th, 1984'],
    ['date_of_birth', '07/12/1984', 'July 12th, 1984'],
    ['date_of_birth', 'July twelfth, nineteen eighty-four.', 'July 12th, 1984'],
    ['date_of_birth', '0 7, 1 2, 1 9 8 4', 'July 12th, 1984'],
    ['date_of_birth', "I don't have that.", undefined],
    ['status', 'She is established with you.', 'existing'],
    ['status', 'Not new, she is established.', 'existing'],
  ])('%s in "%s"', (slot, text, value) => {
    expect(recognize(hear(text), wanted, slot)[slot]).toBe(value);
  });
});

test.each([
  ['The NPI is 1 2 3, 4 5 6, 7 8 9 3.', undefined],
  ['The PIN is 4 4 1 2.', '4412'],
  ['It is 4 4 1 2.', '4412'],
])('a person who insists on a PIN accepts no other number: "%s"', (text, value) => {
  const pin: Wanted = { slot: 'pin', hears: 'identifier', cues: ['pin'], choices: {}, if_withheld: 'refuse' };
  expect(recognize(hear(text), [pin], 'pin').pin).toBe(value);
});

test('announced values are all understood, whatever was requested', () => {
  expect(
    recognize(
      hear(
        'I am calling on behalf of Maya Rivera, an existing patient. The member ID is EHP204518837 and the ' +
          'claim number is CLM-7741902. The date of birth is July 12, 1984.',
      ),
      wanted,
      null,
    ),
  ).toEqual({
    patient_name: 'Maya Rivera',
    member_id: 'EHP204518837',
    claim_number: 'CLM7741902',
    date_of_birth: 'July 12th, 1984',
    status: 'existing',
  });
});

test('no value is inferred without intent', () => {
  expect(
    recognize(
      hear(
        'Hello, this is an automated assistant calling for Riverside Family Clinic. This call is recorded.',
      ),
      wanted,
      null,
    ),
  ).toEqual({});
});

describe('a pattern', () => {
  const words = hear("What's the fax number for your medical records?").sentences[0]?.words ?? [];

  test.each([
    ['fax', true],
    ['fax number', true],
    ['fax records', false],
    ['fax ... record*', true],
    ['telefax/fax number', true],
    ['what is', true],
    ['number fax', false],
    ["what's the fax number", true],
    ['Fax-Number?', true],
    ['medical record', true],
  ])('%s matches: %s', (pattern, expected) => {
    expect(findPattern(pattern, words) !== null).toBe(expected);
  });

  test('with more matching words wins over one with fewer', () => {
    const [sentence] = hear('What is the fax number for medical records?').sentences;
    if (sentence === undefined) throw new Error('no sentence');
    const patterns = { fax: ['fax'], records: ['record*'], 'records fax': ['fax ... record*'] };
    expect(
      meantBy(
        sentence,
        Object.keys(patterns),
        (name) => Object.entries(patterns).find(([key]) => key === name)?.[1] ?? [],
      ),
    ).toEqual(['records fax']);
  });
});

test.each([
  ['Is pre-authorization required?', 'authorization'],
  ['Is preauthorization required?', 'pre auth*'],
  ['Is pre authorization required?', 'preauth*'],
  ['What is the co-pay?', 'copay'],
  ['What is the co-payment?', 'co pay*'],
  ['What are the copays?', 'copay'],
  ['Do you have an e-mail address?', 'email'],
])('spelling variants are one word: "%s" is heard by `%s`', (text, pattern) => {
  expect(findPattern(pattern, hear(text).words)).not.toBeNull();
});

test('questions and requests are distinguished from statements', () => {
  const asks = (text: string): boolean => hear(text).sentences.some((sentence) => sentence.asks);
  expect(asks('What is the copay?')).toBe(true);
  expect(asks('I would like to know the copay.')).toBe(true);
  expect(asks('Please give me the copay.')).toBe(true);
  expect(asks('Thank you, the copay is $40.')).toBe(false);
  expect(asks('Dr. Okafor at 9 a.m. works.')).toBe(false);
});
