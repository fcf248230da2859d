import { describe, expect, test } from 'vitest';
import type { CallPlan } from '#shared/voice-agent/call-plan/call-plan.ts';
import { nobodyYet, type Party, partyAfter } from '#shared/voice-agent/core/right-party.ts';
import { type Heard, understand } from '#shared/voice-agent/understanding/understand.ts';

type Callee = CallPlan['callee'];

function hear(said: string): Heard {
  return understand(said, 1, { today: '2026-11-16', after: 'reach-question' });
}

describe('replies that are unclear alone', () => {
  /** What is known after these replies to our question, one after the other. */
  const partyReplied = (callee: Callee, ...replies: readonly string[]): Party => {
    let party: Party = nobodyYet;
    for (const [at, said] of replies.entries()) {
      const heard = understand(said, at * 2 + 1, { today: '2026-11-16', after: 'reach-question' });
      party = partyAfter({ ...party, is_asked: true }, heard, { callee, place: null }, false);
    }
    return party;
  };

  test('are combined', () => {
    const replies = ['You bet, eye clinic.', 'Like I said, eye clinic, this is the one.'];
    expect(partyReplied('clinic', ...replies).status).toBe('verified');
  });

  test.each([
    ['office', 'yes this is cottonwood'],
    ['office', 'Yeah, this is Tallgrass.'],
    ['clinic', 'Yes, this is Ashford Heart Associates, Mrs. Novak speaking. Now who is it for?'],
  ] as const)('of %s are a yes at the second time: "%s"', (callee, said) => {
    expect(partyReplied(callee, said, said).status).toBe('verified');
  });

  test('of a home are none, however often they say yes', () => {
    const said = 'Yes, this is the Hansen residence.';
    expect(partyReplied('office', said, said, said).status).not.toBe('verified');
    expect(partyReplied('clinic', said, said, said).status).not.toBe('verified');
  });

  test('name the place if the speaker has another name', () => {
    const known: Party = { ...nobodyYet, person: 'Priscilla', is_asked: true, asked: 1 };
    const partyOf = (before: Party, said: string): Party['status'] =>
      partyAfter(before, hear(said), { callee: 'insurer', place: null }, false).status;
    expect(partyOf(known, 'yes this is cerro mesa')).toBe('verified');
    expect(partyOf({ ...known, person: 'Cerro' }, 'yes this is cerro mesa')).toBe('unverified');
    expect(partyOf({ ...known, person: null }, 'yes this is cerro mesa')).toBe('unverified');
    expect(partyOf({ ...known, asked: 0 }, 'yes this is cerro mesa')).toBe('unverified');
  });

  test('prove the party at the third yes, and not if they ask who we are', () => {
    const said = 'Yes, this is Cerro Mesa. Who is the member?';
    expect(partyReplied('claims-department', said, said).status).toBe('unverified');
    expect(partyReplied('claims-department', said, said, said).status).toBe('verified');
    const wary = 'Yes, this is Gloria. Who is this?';
    expect(partyReplied('claims-department', wary, wary, wary).status).toBe('unverified');
  });

  test.each([
    'Yes, this is Hansen Tack and Feed.',
    'Yes, this is Gloria.',
    'Yes, this is Gloria, who is this?',
    'Hm? This is Gloria.',
    'Yes, this is the Hansen residence.',
  ])('of a person or another kind of place are none at the second time: "%s"', (said) => {
    expect(partyReplied('clinic', said, said).status).not.toBe('verified');
  });

  test('prove nothing if none leans to a yes', () => {
    const replies = ['Whose appointment is it?', 'What is the full name?', 'And is she very ill?'];
    const party = partyReplied('clinic', ...replies);
    expect(party).toMatchObject({ status: 'unverified', asked: 3 });
    expect(party.support).toBeLessThan(0.5);
  });

  test('are not counted if they only ask to repeat', () => {
    expect(partyReplied('clinic', 'Pardon me?', 'Say again?').asked).toBe(0);
  });
});
