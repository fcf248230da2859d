import { describe, expect, test } from 'vitest';
import { found } from './found.ts';

const amounts = (said: string, isAsked = false): number[] =>
  found(said, 'money', isAsked ? { expecting: ['money'] } : {}).map(({ value }) => value);

test('are expected, but six digits without a comma are a number of something', () => {
  expect(amounts('the old one, 711739, is void', true)).toEqual([]);
  expect(amounts('it was 12500, or 711,739', true)).toEqual([12500, 711739]);
});

test('are neither numbers with zeros before them nor shares', () => {
  expect(amounts('they cut a check, 0041722', true)).toEqual([]);
  expect(amounts("twenty percent's hers, forty two dollars", true)).toEqual([42]);
  expect(amounts('it is 0.75 a page', true)).toEqual([0.75]);
});

test('of a few and a half may be hundreds', () => {
  expect(amounts('the deductible is three and a half')).toEqual([350]);
  expect(amounts('the copay is seven and a half')).toEqual([7.5]);
  const [said] = found('three and a quarter', 'money', { expecting: ['money'] });
  expect(said).toMatchObject({ value: 3.25, alternatives: [325] });
});

describe('amounts', () => {
  test.each<[string, ...number[]]>([
    ['$1,500.50', 1500.5],
    ['$1,250.00', 1250],
    ['$40', 40],
    ['$2.5k', 2500],
    ['two k dollars', 2000],
    ['forty dollars', 40],
    ['30 bucks flat', 30],
    ['thirty bucks flat', 30],
    ['six hundred twenty dollars and fifty cents', 620.5],
    ['fifteen hundred bucks', 1500],
    ['$20 or $45', 20, 45],
    ['twenty or forty five dollars', 20, 45],
    ['between 40 and 50 dollars', 40, 50],
    ['two grand', 2000],
    ['a buck fifty', 1.5],
    ['twelve dollars and a half', 12.5],
    ['twelve and a half dollars', 12.5],
    ['nine and a quarter dollars', 9.25],
    ['seven and three quarters dollars', 7.75],
    ['one oh five dollars', 105],
    ['fifty cents', 0.5],
    ['a hundred dollars', 100],
    ['one hundred and fifty dollars', 150],
    ['a hundred and fifty dollars a visit', 150],
    ['the deductible is one five zero zero dollars', 1500],
    ['three hundred and sixty two dollars and oh five cents', 362.05],
    ['one hundred and five dollars and five cents', 105.05],
    ['187 dollars and 42 cents', 187.42],
    ['the amount was one eighty seven forty two', 187.42],
    ['we paid one hundred eighty seven forty two', 187.42],
    ['the copay is forty', 40],
    ['the copay is, um, forty', 40],
    ['copay of 35', 35],
    ['her copay would be fifty dollars each visit', 50],
    ['he is responsible for the first twenty five hundred', 2500],
    ['he paid in seven hundred so far', 700],
    ['It is a 750 deductible.', 750],
    ['it was billed at ninety five', 95],
    ['a twenty-dollar copayment', 20],
    ['her deductible is twelve fifty', 1250],
    ['the copay is twelve fifty', 12.5],
    ['patient owes seventy two fifty', 72.5],
    ['the deductible is two thousand and she has met eight fifty', 2000, 850],
    ['she owes four oh nine ninety two', 409.92],
    ['the balance is three thousand two fifty', 3250],
    ['out of pocket max is six thousand', 6000],
    ['there is no charge', 0],
    ["there's no copay for that", 0],
    ['zero dollars', 0],
    ['the copay is zero', 0],
    ['they billed 1,250 and we allowed 800', 1250, 800],
    ['a 40 dollar copay', 40],
    ['met four hundred of the fifteen hundred dollar deductible', 400, 1500],
  ])('%s', (said, ...expected) => {
    expect(amounts(said)).toEqual(expected);
  });

  test.each<[string, number]>([
    ['twelve fifty', 1250],
    ['three thousand two fifty', 3250],
    ['two thousand five hundred', 2500],
    ['six twenty fifty', 620.5],
    ['four oh nine ninety two', 409.92],
    ['two and a half thousand', 2500],
    ['forty', 40],
    ['five hundred a year', 500],
    ['The approved amount on that line is 88.', 88],
    ['it came in at nine hundred and forty', 940],
    ['he owes nothing', 0],
    ['it is twenty five', 25],
    ['two fifty', 250],
    ['forty two point fifty', 42.5],
    ['one five zero zero', 1500],
    ['nothing out of pocket', 0],
  ])('in reply to a question for one: %s', (said, expected) => {
    expect(amounts(said, true)).toEqual([expected]);
  });

  test.each([
    '2.5 percent',
    'twenty visits',
    'forty',
    'at ten thirty',
    'the copay applies after 3 visits',
    'the copay is 20 percent',
    'the deductible resets January 1st',
    'the amount was sent on november 12',
    'tier 2 copay applies',
    'an eighty twenty plan',
    'you pay eighty twenty',
    'claim number 48213',
    'paid in 2025',
    'call 202-555-0143 to pay',
    'the max is 30 visits',
    'we close at five',
  ])('none in: %s', (said) => {
    expect(amounts(said)).toEqual([]);
  });

  test('are uncertain and have alternatives if ambiguous', () => {
    const [ambiguous] = found('twelve fifty', 'money', { expecting: ['money'] });
    expect(ambiguous?.certainty).toBeLessThan(0.6);
    expect(ambiguous?.alternatives).toEqual([12.5]);
    expect(found('one five zero zero', 'money', { expecting: ['money'] })[0]?.certainty).toBeGreaterThan(0.6);
  });
});

describe('percentages', () => {
  test.each<[string, ...number[]]>([
    ['20% or thirty percent', 20, 30],
    ['twenty to thirty percent', 20, 30],
    ['covered at a hundred percent', 100],
    ['two point five per cent', 2.5],
    ['0%', 0],
    ['ninety percent after the deductible', 90],
    ['an 80/20 plan'],
    ['eighty twenty'],
    ['250% of the poverty level', 250],
    ['5000 percent'],
    ['20 visits'],
  ])('%s', (said, ...expected) => {
    expect(found(said, 'percent').map(({ value }) => value)).toEqual(expected);
  });
});

describe('quantities', () => {
  test.each<[string, ...string[]]>([
    ['thirty visits', '30 visit'],
    ['30 visits a year', '30 visit'],
    ['twenty physical therapy visits', '20 visit'],
    ['one visit left', '1 visit'],
    ['three to five business days', '3 business-day', '5 business-day'],
    ['thirty to forty five days', '30 day', '45 day'],
    ['15 working days', '15 business-day'],
    ['180 calendar days', '180 day'],
    ['a couple of weeks', '2 week'],
    ['within a week', '1 week'],
    ['half an hour', '0.5 hour'],
    ['two and a half hours', '2.5 hour'],
    ['twelve and one half hours', '12.5 hour'],
    ['twenty-one and half hours', '21.5 hour'],
    ['15 minutes early', '15 minute'],
    ['a 30-day supply', '30 day'],
    ['sixty combined sessions per calendar year', '60 session'],
    ['24 hours', '24 hour'],
    ['give it two more weeks', '2 week'],
    ['she has used three of thirty visits', '3 visit', '30 visit'],
    ['four out of her twenty visits', '20 visit'],
    ['twelve months from the date of service', '12 month'],
    ['forty dollars a visit'],
    ['the first visit'],
  ])('%s', (said, ...expected) => {
    expect(found(said, 'quantity').map(({ value: { value, unit } }) => `${value} ${unit}`)).toEqual(expected);
  });

  test('numbers without a unit stay numbers', () => {
    expect(found('I see thirty', 'number').map(({ value }) => value)).toEqual([30]);
    expect(found('that one works', 'number')).toEqual([]);
  });
});

test('a count is no amount, even when one was asked for', () => {
  const said = "I ask because there are two, a week's worth and a month's.";
  expect(found(said, 'money', { expecting: ['money'] })).toEqual([]);
});

test('in cents follow the dollars that no word names', () => {
  expect(amounts('two seventy-five and fifty cents has been met')).toEqual([275.5]);
  expect(amounts('it comes to forty and ten cents')).toEqual([40.1]);
  expect(amounts('somewhere between forty and fifty cents a page')).not.toContain(40.5);
});
