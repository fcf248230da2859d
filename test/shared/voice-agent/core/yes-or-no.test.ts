import { describe, expect, test } from 'vitest';
import { leastSureYesNo } from '#shared/voice-agent/built-in-model/settle-answer.ts';
import type { CallPlan } from '#shared/voice-agent/call-plan/call-plan.ts';
import { clientItem } from '#shared/voice-agent/call-plan/items.ts';
import { evidenceIn } from '#shared/voice-agent/core/evidence.ts';
import { understand } from '#shared/voice-agent/understanding/understand.ts';
import { benefits, claim, evidenceFor, told } from './told-in.ts';

test('a word before a quotation mark is a separate sentence', () => {
  expect(told(benefits, 'pre_authorization', "Authorization, no. 'Kay, next?").pre_authorization).not.toBe(
    true,
  );
});

test('what is not so does not turn around what is', () => {
  const said = 'the clinic is not outside it is in network';
  expect(told(benefits, 'in_network', said)).not.toMatchObject({ in_network: false });
});

test.each([
  ["the doctor's not outside our network", true],
  ['They are not out of network.', true],
  ["They're out of network.", false],
])('"%s" says on which side the provider is', (said, value) => {
  expect(evidenceFor(benefits, 'in_network', said)?.value).toBe(value);
});

test('a no that takes up the question stands beside a rule', () => {
  const item = clientItem('question_0', 'Can the forms be sent by email?', null, []);
  const said = "No, not by email. They won't let us.";
  expect(told({ ...benefits, items: [item] }, 'question_0', said)).toEqual({ question_0: false });
});

test('a plain yes about something else does not answer the question', () => {
  const said = "We don't do that for chiropractic. Surgery, yes. Not this.";
  expect(told(benefits, 'pre_authorization', said).pre_authorization).not.toBe(true);
  expect(told(benefits, 'pre_authorization', 'Authorization, yes.')).toEqual({ pre_authorization: true });
});

test('a yes in other words is sure only if its form says so, too', () => {
  const item = clientItem('question_0', 'Do you bill the insurance?', null, []);
  const surenessOf = (said: string) =>
    evidenceIn(
      understand(said, 1, { today: '2026-11-16', after: 'question' }),
      { ...benefits, items: [item] },
      item,
    )[0]?.confidence ?? 0;
  expect(surenessOf('I can hand her a form so she can try to get it back.')).toBeLessThan(leastSureYesNo);
  expect(surenessOf('We do bill them.')).toBeGreaterThanOrEqual(leastSureYesNo);
});

test('"no record" is not a plain no', () => {
  const [item = null] = benefits.items.filter(({ key }) => key === 'coverage_active');
  const hear = (said: string) => understand(said, 1, { today: '2026-11-16', after: 'yes-no-question' });
  expect(evidenceIn(hear('No record, friend.'), benefits, item)[0]?.confidence ?? 0).toBeLessThan(0.8);
  expect(evidenceIn(hear('No sir.'), benefits, item)[0]?.confidence).toBeGreaterThan(0.8);
});

test.each([
  ['Is there a notary at the office?', "I am one, and there's no fee."],
  ['Can one apply at the town office?', "We don't issue them, the state does."],
])('%s is not surely answered: "%s"', (question, said) => {
  const plan = { ...benefits, items: [clientItem('question_0', question, null, [])] };
  const item = plan.items[0] ?? null;
  const heard = understand(said, 1, { today: '2026-11-16', after: 'yes-no-question' });
  const [found] = evidenceIn(heard, plan, item);
  expect(found?.confidence).toBeLessThan(0.8);
  expect(found?.value).toBe(false);
});

test('a plain yes beside a date answers the question', () => {
  expect(told(benefits, 'coverage_active', 'Yep, since March first.')).toMatchObject({
    coverage_active: true,
  });
});

describe('asked whether something works without another', () => {
  const item = {
    ...clientItem('question_0', 'Can patients come without a referral?', null, []),
    required: true,
  };
  const plan = { ...benefits, items: [item] };

  test.each([
    ['No referral.', true],
    ['They need a referral.', false],
  ])('"%s"', (said, value) => {
    expect(told(plan, 'question_0', said)).toMatchObject({ question_0: value });
  });
});

test.each([
  ["You don't get one without a prescription.", true],
  ['You can have it without a prescription.', false],
])('possible or impossible without it means needed or not: %s', (said, isNeeded) => {
  const item = { ...clientItem('question_0', 'Is a prescription required?', null, []), required: true };
  const plan = { ...benefits, items: [item] };
  expect(told(plan, 'question_0', said).question_0).toBe(isNeeded);
});

test('a person who finds that coverage has begun has probably not denied it', () => {
  const said = 'No, that one is cancelled. Wait, under it, a new one, effective May 1st, 2024.';
  expect(told(benefits, 'coverage_active', said)).not.toHaveProperty('coverage_active');
});

describe('a plain no', () => {
  test('is a reply and denies nothing that follows it', () => {
    const said = 'Yeah no it got denied on the first.';
    expect(told(claim, 'claim_status', said)).toMatchObject({ claim_status: 'denied' });
  });
});

test('a farewell answers nothing, yes or no', () => {
  expect(told(benefits, 'coverage_active', 'alright yep bye bye')).toEqual({});
});

test.each(["rehab's covered not for sports by itself", 'speech is covered not in a group'])(
  'what is set against the rest is no plain no: "%s"',
  (said) => {
    expect(told(benefits, 'service_covered', said).service_covered ?? null).toBeNull();
  },
);

test('whom they would have to find does not matter for their own actions', () => {
  const item = clientItem('question_0', 'Do you take requests by e-mail?', null, []);
  const plan: CallPlan = { ...benefits, items: [item] };
  const said = "No, we don't take requests by e-mail. It has to be mailed with a signature.";
  expect(told(plan, 'question_0', said)).toEqual({ question_0: false });
});

test.each([
  ['coverage_active', 'No code, no information.'],
  ['coverage_active', "No form, no benefits, that's our rule."],
  ['service_covered', 'not something I have here'],
  ['in_network', 'Not in front of me, no, sorry.'],
])('what they lack, or want first, is no plain no (%s): "%s"', (key, said) => {
  expect(told(benefits, key, said)).not.toHaveProperty(key, false);
});

test('a list of what there is not tells each', () => {
  expect(told(benefits, null, 'No copay, no deductible.')).toEqual({ copay: 0, deductible: 0 });
});

test.each([
  ['pre_authorization', 'Pre-auth, N. Same for the second code.', false],
  ['pre_authorization', 'Authorization required, Y.', true],
])('a field of their screen, read aloud, is never its opposite (%s): "%s"', (key, said, value) => {
  expect(told(benefits, key, said)[key]).not.toBe(!value);
});

test('a no about the service answers whether it must be authorized', () => {
  const said = "We don't do that for therapy, no.";
  expect(told(benefits, 'pre_authorization', said)).toEqual({ pre_authorization: false });
});

test.each(['They never show me the active or not active.', 'not even the covered or not covered, sorry'])(
  'naming both cases tells neither: "%s"',
  (said) => {
    expect(told(benefits, 'coverage_active', said)).not.toHaveProperty('coverage_active');
    expect(told(benefits, 'service_covered', said)).not.toHaveProperty('service_covered');
  },
);

test('a part of a clause that takes up the question counts more than a negation beside it', () => {
  expect(
    evidenceFor(benefits, 'service_covered', "Codes mean nothing to me, therapy's covered."),
  ).toMatchObject({
    value: true,
  });
});
