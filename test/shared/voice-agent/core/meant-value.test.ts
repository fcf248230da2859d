import { describe, expect, test } from 'vitest';
import { isOfOtherUnit } from '#shared/voice-agent/core/meant-value.ts';
import { findEntities } from '#shared/voice-agent/entities/find-entities.ts';
import { tokenize } from '#shared/voice-agent/entities/tokens.ts';
import { expectLinearTime } from '../../../support/linear-time.ts';
import { benefits, claim, told } from './told-in.ts';

/* Several values in a reply, of which one is what was asked for. */

const outside = [{ key: 'in_network', value: false }];

test.each([
  ['copay', 'Tier one clinics run thirty-five, but hers is tier two, so that would be $65.', { copay: 65 }],
  ['deductible_met', 'Of the $2,400 she has worked off $915.', { deductible_met: 915 }],
  ['deductible', 'She has worked off $915 of the $2,400.', { deductible: 2400 }],
  ['out_of_pocket_maximum', 'They stand at $780 today, out of $4,500.', { out_of_pocket_maximum: 4500 }],
  ['visit_limit', 'They allow 24 in a calendar year.', { visit_limit: 24 }],
])('asked for %s, "%s" tells it', (key, said, values) => {
  expect(told(benefits, key, said)).toMatchObject(values);
});

test.each([
  ['allowed_amount', 'Of the $840 they put in for, our rate is $612.', { allowed_amount: 612 }],
  [
    'received_date',
    'We finished it November 9th; it had come to us October 8th.',
    { received_date: '2026-10-08' },
  ],
  ['paid_amount', 'We paid $490.92. Whoa, no, $409.92.', { paid_amount: 409.92 }],
])('asked for %s, "%s" tells it', (key, said, values) => {
  expect(told(claim, key, said)).toMatchObject(values);
});

describe('the tier', () => {
  const said = 'In network, $400. Out of network, $1,200.';

  test('inside is meant unless the provider is outside', () => {
    expect(told(benefits, 'deductible', said)).toMatchObject({ deductible: 400 });
    expect(told(benefits, 'deductible', said, outside)).toMatchObject({ deductible: 1200 });
  });

  test('of others alone tells nothing', () => {
    expect(told(benefits, 'copay', 'In network it would be $30.', outside)).toEqual({});
  });
});

test('many values take no more than linear time', () => {
  expectLinearTime((size) => told(benefits, 'copay', 'It is $45 and $12. '.repeat(size)), 40);
});

test.each([
  ["She's got $840 toward the in-network one.", 'out_of_pocket_met'],
  ['she meet $215 so far', 'deductible_remaining'],
])('an amount that suits the question better is not that of another item: "%s"', (said, other) => {
  expect(told(benefits, 'deductible_met', said)).not.toHaveProperty(other);
});

test.each([
  ["it's four pages", 'How many days does the registry take?', true],
  ['about two weeks', 'How many business days does the registry take?', true],
  ['three business days', 'How many days does the registry take?', false],
  ['thirty visits', 'How many visits are covered per calendar year?', false],
  ['about a week', 'How many visits are covered per calendar year?', true],
])('"%s", asked "%s", is of another unit: %s', (said, question, isOther) => {
  const values = findEntities(tokenize(said), { today: '2026-11-16' }).filter(
    ({ type }) => type === 'quantity',
  );
  expect(values.map((value) => isOfOtherUnit(value, question))).toEqual([isOther]);
});
