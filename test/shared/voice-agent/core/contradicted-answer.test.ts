import { expect, test } from 'vitest';
import type { CallPlan } from '#shared/voice-agent/call-plan/call-plan.ts';
import { unlessContradicted } from '#shared/voice-agent/core/contradicted-answer.ts';
import { benefits, claim } from './told-in.ts';

/** The answer that remains of a value recorded with these words. */
function kept(plan: CallPlan, key: string, value: string | number | boolean, quote: string) {
  const answer = { key, value, answer: 'in other words', quote, turn: 1, needs_review: false };
  return unlessContradicted(answer, quote, { plan, today: '2026-11-16' });
}

test.each([
  ['coverage_active', true, 'It lapsed in May.'],
  ['service_covered', true, 'No, it is not covered.'],
  ['pre_authorization', false, 'for out-of-network therapy you need the auth yup'],
  ['pre_authorization', true, 'No auth needed.'],
  ['coinsurance', 80, 'We pay at 80 percent'],
])('leaves %s for review if it is %s where they said "%s"', (key, value, quote) => {
  expect(kept(benefits, key, value, quote)).toMatchObject({ value: null, answer: quote, needs_review: true });
});

test.each([
  ['coverage_active', false, 'It lapsed in May.'],
  ['service_covered', false, 'It is excluded.'],
  ['service_covered', true, 'Let me see. It should be, as far as I can tell.'],
  ['pre_authorization', true, 'for out-of-network therapy you need the auth yup'],
  ['coinsurance', 20, 'We pay at 80 percent'],
])('takes %s %s from "%s"', (key, value, quote) => {
  expect(kept(benefits, key, value, quote)).toMatchObject({ value, needs_review: false });
});

test('takes no other status of a claim than they told', () => {
  const told = 'It was paid in full.';
  expect(kept(claim, 'claim_status', 'paid', told)).toMatchObject({ value: 'paid' });
  expect(kept(claim, 'claim_status', 'denied', told)).toMatchObject({ value: null, needs_review: true });
});
