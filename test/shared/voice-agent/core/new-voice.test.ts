import { describe, expect, test } from 'vitest';
import { nobodyYet, type Party, partyAfter } from '#shared/voice-agent/core/right-party.ts';
import { understand } from '#shared/voice-agent/understanding/understand.ts';

describe('a new voice in mid-call', () => {
  const talked: Party = { ...nobodyYet, status: 'verified', notice_heard: true };
  const partyNow = (said: string): Party =>
    partyAfter(
      talked,
      understand(said, 5, { today: '2026-11-16', after: 'question' }),
      { callee: 'insurer', place: null },
      false,
    );

  test.each([
    'claims department walt speaking what do you need',
    'Good afternoon, eligibility, this is Rosa.',
  ])('has heard no notice and is verified again: "%s"', (said) => {
    expect(partyNow(said)).toMatchObject({ since: 5, notice_heard: false });
  });

  test.each([
    'Okay, I am back, thanks for holding.',
    'The copay is forty dollars.',
    'yes that is right',
    "We don't bill it, no. I'll give you a receipt though.",
  ])('is not heard in: "%s"', (said) => {
    expect(partyNow(said)).toMatchObject({ since: 0, notice_heard: true });
  });
});

test('a second reply to our question is the same voice, and so is a name without its title', () => {
  const proven: Party = { ...nobodyYet, status: 'verified', turn: 5, person: 'Novak', notice_heard: true };
  const isNew = (said: string, turn: number): boolean =>
    partyAfter(
      proven,
      understand(said, turn, { today: '2026-11-16', after: null }),
      { callee: 'clinic', place: null },
      false,
    ).since > 0;
  expect(isNew('Ashford Cardiology, front desk.', 7)).toBe(false);
  expect(isNew('Ashford Cardiology, front desk.', 13)).toBe(true);
  expect(isNew('My name is Mrs. Novak.', 13)).toBe(false);
  expect(isNew('My name is Mrs. Adeyemi.', 13)).toBe(true);
});
