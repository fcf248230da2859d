import { describe, expect, test } from 'vitest';
import type { Callee } from '#shared/voice-agent/call-plan/call-plan.ts';
import { nobodyYet, type Party, partyAfter } from '#shared/voice-agent/core/right-party.ts';
import { understand } from '#shared/voice-agent/understanding/understand.ts';

function statusOf(said: string, callee: Callee, isAsked = true, asked = 0): Party['status'] {
  const heard = understand(said, 3, { today: '2026-11-16', after: isAsked ? 'reach-question' : 'opening' });
  return partyAfter({ ...nobodyYet, is_asked: isAsked, asked }, heard, { callee, place: null }, false).status;
}

describe('a yes to something else than our question', () => {
  test.each<[Callee, string]>([
    ['clinic', 'Yep, I keep the book here, is it a trim or a dye job?'],
    ['clinic', 'Sure do, honey, I book everybody, is it nails or toes?'],
    ['claims-department', 'Claims, yes, which suitcase was it?'],
    ['claims-department', 'Yes, we take claims, was it hail or wind?'],
    ['insurer', 'Yes, we are both listening, go ahead, please.'],
    ['office', 'Yes, I can talk now, I just got off work.'],
  ])('does not make a %s the right party: "%s"', (callee, said) => {
    expect(statusOf(said, callee)).toBe('unverified');
  });

  test('does not make an office the right party when it is asked again', () => {
    const said = 'yes yes i told you i am at home all day come on over';
    expect(statusOf(said, 'office', true, 1)).toBe('unverified');
  });

  test.each<[Callee, string]>([
    ['clinic', "Yep, you've got scheduling, which doctor?"],
    ['clinic', 'It is. New patient or established?'],
    ['insurer', 'Yes, provider services, go ahead with the NPI.'],
    ['claims-department', "Yes ma'am, medical claims, what's the member number?"],
    ['office', 'You sure have, this is the pharmacy counter.'],
    [
      'clinic',
      'Well, look at that, a robot. Yes, this is the front desk of the clinic. My daughter has one of you. ' +
        'Now what was the name?',
    ],
  ])('is none where a %s says yes and goes on: "%s"', (callee, said) => {
    expect(statusOf(said, callee)).toBe('verified');
  });
});

test.each(["Hello, this is not Dr. Abara's office.", 'Hello, you probably want the hospital.'])(
  'a person who names another place at pick-up is not the right party: "%s"',
  (said) => {
    expect(statusOf(said, 'clinic', false)).toBe('unverified');
  },
);
