import { describe, expect, test } from 'vitest';
import type { EntityContext } from '#shared/voice-agent/entities/entity.ts';
import { findEntities } from '#shared/voice-agent/entities/find-entities.ts';
import { tokenize } from '#shared/voice-agent/entities/tokens.ts';
import { inFull } from '../../../support/in-full.ts';
import { expectLinearTime } from '../../../support/linear-time.ts';
import { today } from './found.ts';

const typesIn = (said: string): string[] =>
  findEntities(tokenize(said), { today }).map(({ type, text }) => `${type}: ${text}`);

test.each([
  [
    'Okay, Grace Holloway speaking, her copay is $40 and 20% after that, 30 visits a year.',
    ['name: Grace Holloway', 'money: $40', 'percent: 20%', 'quantity: 30 visits'],
  ],
  [
    'you’re all set for tuesday the twenty fourth at ten thirty with doctor feld confirmation number r c ' +
      'four eight two',
    [
      'moment: tuesday the twenty fourth at ten thirty',
      'provider: doctor feld',
      'identifier: r c four eight two',
    ],
  ],
  [
    'It was paid on November 12th, check number 88012, call 202-555-0143 with questions.',
    ['date: November 12th', 'identifier: 88012', 'phone: 202-555-0143'],
  ],
  ['Fax it to 202-555-0143, two oh two all of it.', ['phone: 202-555-0143', 'time: two oh two']],
  [
    'The number for today is H W eight nine zero nine M R.',
    ['date: today', 'identifier: H W eight nine zero nine M R'],
  ],
  [
    'I have Monday the 30th at 9:20 with Ingrid Solberg, or with Dr. Feld at ten.',
    ['moment: Monday the 30th at 9:20', 'provider: Ingrid Solberg', 'provider: Dr. Feld', 'moment: ten'],
  ],
])('%s', (said, expected) => {
  expect(typesIn(said)).toEqual(expected);
});

test('positions refer to the whole text if the tokens are part of it', () => {
  const said = 'Hello there. The copay is forty dollars.';
  const tokens = tokenize(said);
  const [money] = findEntities(tokens.slice(3), { today });
  expect(said.slice(money?.start, money?.end)).toBe('forty dollars');
  expect(money?.text).toBe('forty dollars');
});

/** Each may read what follows in another way. */
const repetitions = [
  'tuesday ',
  'five ',
  'the ',
  'a ',
  'at ten ',
  'ten or ',
  'r ',
  'double ',
  'december ',
  'this is ',
  'dana ',
  'november alpha ',
  '$',
  '1,',
  '- ',
  'in two ',
  'half past ',
  'morning ',
  'copay 5 ',
  'dr ',
  'first ',
];

const sampled = repetitions.filter((_, index) => inFull || index % 3 === 0);

describe('the time', () => {
  test.each(sampled)('grows with the length of: %s', (words) => {
    expectLinearTime((size) => findEntities(tokenize(words.repeat(size)), { today }), 1500);
  });
});

test('asked how many weeks, a count is heard and not the resulting day', () => {
  const said = 'The next one is about four weeks from now.';
  const read = (expecting: EntityContext['expecting']): string[] =>
    findEntities(tokenize(said), { today, ...(expecting && { expecting }) }).map(
      ({ type, text }) => `${type}: ${text}`,
    );
  expect(read(['quantity'])).toEqual(['quantity: four weeks']);
  expect(read(undefined)).toEqual(['date: four weeks from now']);
});

test.each([
  ['We paid it, check 80412.', ['identifier: 80412']],
  [
    'i have monday the 30th at 9:20 am with tammy oakes or tuesday',
    ['moment: monday the 30th at 9:20 am', 'provider: tammy oakes', 'date: tuesday'],
  ],
])('%s', (said, expected) => {
  expect(typesIn(said)).toEqual(expected);
});
