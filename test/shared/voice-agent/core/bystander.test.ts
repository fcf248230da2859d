import { describe, expect, test } from 'vitest';
import type { Called, Callee } from '#shared/voice-agent/call-plan/call-plan.ts';
import { nobodyYet, type Party, partyAfter } from '#shared/voice-agent/core/right-party.ts';
import { hear, partyHeard } from './party-heard.ts';

/** The party after these replies, each to "Have I reached …?" but the first. */
function partyAfterAll(called: Called, ...said: readonly string[]): Party {
  let party = nobodyYet;
  for (const [at, words] of said.entries())
    party = partyAfter({ ...party, is_asked: at > 0 }, hear(words, at > 0), called, false);
  return party;
}

const harbor = { callee: 'insurer', place: null, payer: 'Harbor Mutual Health' } as const;

describe('a person who names the place and is not it proves nothing', () => {
  test.each<[Callee, string]>([
    ['clinic', 'Yes, this is Fern Street Clinic, but I only clean here at night.'],
    ['clinic', "Yes, it's the clinic, I'm just a visitor."],
    ['clinic', "Yeah, that's the clinic's phone, I don't work here."],
    ['clinic', 'Yes, the answering service of Fern Street Clinic.'],
    ['insurer', 'Yes, this is their answering service, we just take messages for the health plan.'],
  ])('%s: "%s"', (callee, said) => {
    expect(partyHeard(said, callee, true).status).toBe('unverified');
  });

  test.each([
    'Yes, we take Harbor Mutual Health.',
    'Yes, I have health insurance.',
    "I'm calling Harbor Mutual Health myself, yes.",
    'Yes, my claim is with the insurance.',
    'Yes, my claim is with the insurance company.',
  ])('a customer of the payer: "%s"', (said) => {
    expect(partyAfterAll(harbor, 'Hello?', said).status).toBe('unverified');
  });

  test.each([
    'Yes, this is Harbor Mutual Health. Can I have the insurance ID?',
    'yes this is harbor mutual health can i have the health plan number',
  ])('a desk that asks for the card is no customer: "%s"', (said) => {
    expect(partyAfterAll(harbor, 'Harbor Mutual, good morning.', said).status).toBe('verified');
  });

  test('a desk that takes something else is one', () => {
    const said = 'Yes, this is Harbor Mutual Health. We have your fax.';
    expect(partyAfterAll(harbor, 'Harbor Mutual, good morning.', said).status).toBe('verified');
    expect(partyHeard("Yes, this is the clinic, I'm just the receptionist.", 'clinic', true).status).toBe(
      'verified',
    );
  });
});

describe('a place of another kind', () => {
  test.each<[Callee, string, string]>([
    ['clinic', 'Fern Street Animal Clinic, this is Jo.', 'Yes, this is the clinic.'],
    ['insurer', 'Pet health insurance, benefits, Al speaking.', 'Yes, health insurance, that is us.'],
    ['claims-department', 'Baggage claims, this is Mia.', "Yes, you've reached claims."],
    ['claims-department', 'Claims department, auto and property, Bo here.', 'Yes, this is claims.'],
  ])('stays one, whatever it says later (%s): "%s" "%s"', (callee, first, second) => {
    expect(partyAfterAll({ callee, place: null }, first, second).status).toBe('unverified');
  });

  test('is what the task may be for', () => {
    const called = { callee: 'clinic', place: 'Fern Street Animal Clinic' } as const;
    expect(partyAfterAll(called, 'Hello?', 'Yes, this is Fern Street Animal Clinic.').status).toBe(
      'verified',
    );
  });

  test('is none because a fund for health has such a name, or a clinic speaks of something like it', () => {
    const called = { callee: 'insurer', place: null } as const;
    const fund = ['Auto Workers Health Fund, Dee.', 'Yes, this is the Auto Workers Health Fund.'];
    expect(partyAfterAll(called, ...fund).status).toBe('verified');
    for (const said of [
      'Yes, this is the clinic. My pet hates this phone.',
      'Yes, this is the Fern Street Travel Clinic.',
    ])
      expect(partyHeard(said, 'clinic', true).status, said).toBe('verified');
  });
});

test('a verified person who turns out to be a bystander is asked again', () => {
  const verified: Party = { ...nobodyYet, status: 'verified', quote: 'Yes, the clinic.', turn: 1 };
  const called = { callee: 'clinic', place: null } as const;
  for (const said of [
    'To be honest, I found this phone on the bus.',
    "Well, I don't work there anymore, I quit last week.",
    "I'm a reporter, I'm doing a story on the clinic.",
    "Just kidding, I'm Dana's brother, she went for lunch.",
  ])
    expect(partyAfter(verified, hear(said, false), called, false).status, said).toBe('unverified');
  for (const said of [
    "I'm just waiting for the system. Okay, what's the birth date?",
    "I'm waiting for my screen. And is she your mother's sister?",
    "I'm a patient coordinator here, I can look.",
    "I'm the customer service lead, so yes.",
  ])
    expect(partyAfter(verified, hear(said, false), called, false).status, said).toBe('verified');
});
