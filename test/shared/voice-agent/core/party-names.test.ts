import { describe, expect, test } from 'vitest';
import { yesWithName } from '#shared/voice-agent/core/explicit-yes.ts';
import { nobodyYet, type Party, partyAfter } from '#shared/voice-agent/core/right-party.ts';
import { reachQuestion } from '#shared/voice-agent/core/wording.ts';
import { understand } from '#shared/voice-agent/understanding/understand.ts';
import { hear, partyHeard } from './party-heard.ts';

test.each([
  ['clinic', 'Lone Pine, Hank.'],
  ['clinic', 'Pine Ridge, Dana speaking.'],
  ['clinic', 'Front desk, Lou.'],
  ['clinic', 'Family dollar, this is Tia.'],
  ['clinic', 'Vision Auto Glass, Al.'],
  ['clinic', 'Hand Car Wash, Lou.'],
  ['insurer', 'Health Food Bar, Jo.'],
  ['insurer', 'Trust Tattoo, Mike.'],
  ['insurer', 'Cobalt Shore, Ming.'],
  ['insurer', 'Insurance, Delbert.'],
  ['insurer', 'Hollow Creek Insurance, Delbert speaking.'],
  ['insurer', 'Thank you for calling Lone Pine benefits, this is Hank.'],
  ['claims-department', 'Claims, this is Bob.'],
  ['claims-department', 'Thank you for calling Summit.'],
] as const)('the name of anything proves no %s: "%s"', (callee, said) => {
  expect(partyHeard(said, callee, false).status).toBe('unverified');
});

test.each([
  ['clinic', 'Lone Pine Pediatrics, Hank.'],
  ['insurer', 'Cobalt Shore Health Plan, Ming.'],
  ['insurer', 'Hollow Creek Health Insurance, Delbert speaking.'],
] as const)('a name with the kind of place proves a %s: "%s"', (callee, said) => {
  expect(partyHeard(said, callee, false).status).toBe('verified');
});

test.each([
  ['clinic', 'Endocrine, Carl. Go ahead.'],
  ['claims-department', 'Hello, provider claims, Bob.'],
] as const)('the kind of place and a name prove a %s: "%s"', (callee, said) => {
  expect(partyHeard(said, callee, false).status).toBe('verified');
});

test('a place that answers is not a person', () => {
  expect(partyHeard('Yep, this is Pinecrest.', 'office', true).person).toBeNull();
  expect(partyHeard('This is Dana.', 'office', false).person).toBe('Dana');
  expect(partyHeard("You've got Larkspur Hollow, in town. My name is Dana.", 'office', true).person).toBe(
    'Dana',
  );
});

test('an office is reached with a yes that names no home, whatever kind of place it is', () => {
  const said = 'Yes, this is Hansen Tack and Feed.';
  expect(partyHeard(said, 'office', true).status).toBe('verified');
  expect(partyHeard(said, 'insurer', true).status).not.toBe('verified');
  expect(partyHeard('Yes, this is the Hansen residence.', 'office', true).status).not.toBe('verified');
});

test('a person who gave their name is not renamed by a place they name', () => {
  const before: Party = { ...nobodyYet, person: 'Meera' };
  expect(
    partyAfter(
      before,
      hear('Yes, you are talking to Lakeside only.', true),
      { callee: 'insurer', place: null },
      false,
    ).person,
  ).toBe('Meera');
});

test.each([
  ["It folds flat, as long as it's latched in back.", null],
  ["I'm obliged to you.", null],
  ['This is Mildred in billing.', 'Mildred'],
])('only words that introduce name the person: "%s"', (said, person) => {
  const heard = understand(said, 5, { today: '2026-11-16', after: 'question' });
  expect(partyAfter(nobodyYet, heard, { callee: 'office', place: null }, false).person).toBe(person);
});

describe('a clinic whose name is known', () => {
  const called = { callee: 'clinic', place: 'Otter Bay Family Clinic' } as const;
  const statusOf = (said: string, isAsked: boolean): string =>
    partyAfter({ ...nobodyYet, is_asked: isAsked }, hear(said, isAsked), called, false).status;

  test.each(['Otter Bay Family Clinic, this is Gwen.', 'otter bay family clinic gwen speaking'])(
    'is proven by its whole name: "%s"',
    (said) => {
      expect(statusOf(said, false)).toBe('verified');
    },
  );

  test.each([
    'Otter Bay Clinic, Gwen speaking, who are we seeing today?',
    'Heron Family Clinic, this is Gwen.',
    'Good morning, Otter Bay Family Practice, this is Gwen.',
  ])('is not by another, or by a part of it: "%s"', (said) => {
    expect(statusOf(said, false)).toBe('unverified');
  });

  test('is proven by a yes with a part of its name', () => {
    expect(statusOf("Ayuh, Otter Bay. What's her name?", true)).toBe('verified');
    expect(statusOf('Ayuh, Otter Bay Auto Parts.', true)).not.toBe('verified');
    expect(statusOf("Ayuh, Heron. What's her name?", true)).toBe('unverified');
  });

  test.each(['Yes, Heron Family Practice.', "Yes, we're having family over.", 'Yes, the clinic.'])(
    'is not named by a word of many names: "%s"',
    (said) => {
      expect(yesWithName(hear(said, true), called)).toBeNull();
    },
  );

  test('is asked for by name unless the name discloses a fact', () => {
    const fact = { field: 'specialty', topic: 'specialty', label: 'specialty', may_be_told: true } as const;
    const facts = [{ ...fact, value: 'Dermatology', spoken: 'dermatology' }];
    expect(reachQuestion({ ...called, facts })).toBe('Have I reached Otter Bay Family Clinic?');
    expect(reachQuestion({ ...called, place: 'Otter Bay Dermatology', facts })).not.toContain('Otter');
  });
});
