import { describe, expect, test } from 'vitest';
import { benefits, claim, told } from './told-in.ts';

describe('what a clause also says, unasked', () => {
  test.each([
    ['The claim was processed and partially paid November 3rd.', 'partially paid', '2026-11-03'],
    ['Processed November 3rd and denied.', 'denied', '2026-11-03'],
  ])('the status of a claim beside a day: "%s"', (said, status, day) => {
    expect(told(claim, null, said)).toMatchObject({ claim_status: status, processed_date: day });
  });

  test('a status stands beside the amount of which it speaks', () => {
    const said = 'Processed and partially paid on November 3rd. We paid $212.40 of it.';
    expect(told(claim, null, said)).toMatchObject({ claim_status: 'partially paid', paid_amount: 212.4 });
  });

  test.each([
    "Her plan is the Heron Silver and it's active. The copay is $35.",
    'Heron Silver, and she is active.',
  ])('a yes in words of the question beside a name: "%s"', (said) => {
    expect(told(benefits, null, said)).toMatchObject({ coverage_active: true });
  });

  test.each([
    ['in_network', 'Yes, provider services at Heron Health.'],
    ['referral_required', "That's all right, I can go on without it. Her birth date?"],
    ['in_network', 'No, sorry.'],
  ])('no %s in "%s"', (key, said) => {
    expect(told(benefits, null, said)).not.toHaveProperty(key);
  });
});

describe('a yes that answers what was asked', () => {
  test('says nothing of another item', () => {
    expect(told(benefits, 'coverage_active', 'Covered, yes.')).toEqual({ coverage_active: true });
    expect(told(benefits, 'coverage_active', 'In network, yes.')).toEqual({ in_network: true });
  });

  test('may tell two things', () => {
    expect(told(benefits, 'coverage_active', "Yes, and she's in network.")).toEqual({
      coverage_active: true,
      in_network: true,
    });
  });
});
