import { describe, expect, test } from 'vitest';
import type { CallPlan } from '#shared/voice-agent/plan/call-plan.ts';
import { understand } from '#shared/voice-agent/scripted-model/understanding.ts';
import {
  agreesToBeRightPlace,
  deniesToBeRightPlace,
  handsOver,
  isOtherDepartment,
  presentsAsRightPlace,
} from '#shared/voice-agent/scripted-model/whom-we-reached.ts';

const heard = (said: string) => understand(said, 1, '2026-11-16');

describe('the right place names itself', () => {
  test.each<[CallPlan['callee'], string]>([
    ['clinic', 'Lakeside Family Practice, this is Dana.'],
    ['clinic', 'good morning summit neurology this is karen'],
    ['clinic', 'Front desk.'],
    ['clinic', "Dr. Grant's office, who is calling?"],
    ['clinic', 'Clinic, hello?'],
    ['insurer', 'Provider services, Marcus speaking.'],
    ['insurer', 'example health plan benefits and eligibility'],
    ['claims-department', 'Claims, this is Hana. Claim number?'],
    ['office', 'Main Street Pharmacy, Al.'],
  ])('%s: %s', (callee, said) => {
    expect(presentsAsRightPlace(heard(said), callee)).toBe(true);
  });
});

describe('nobody has named a place yet', () => {
  test.each<[CallPlan['callee'], string]>([
    ['clinic', 'Hello?'],
    ['clinic', 'Yes?'],
    ['clinic', 'Who is this?'],
    ['clinic', 'Hi, this is Tom.'],
    ['clinic', 'Tom speaking.'],
    ['clinic', "Tony's Pizza, how can I help you?"],
    ['clinic', 'Smith residence, Tom.'],
    ['clinic', 'What clinic? I have no appointment.'],
    // A first name, a greeting, an offer of help and a question prove nothing, however they are put together.
    ...[
      'Hello, this is Tom.',
      'hello this is tom',
      'Yes, this is Tom.',
      'Good morning, this is Tom.',
      'Good evening, Tom here.',
      'Hey, Tom speaking. How can I help?',
      'Thank you for calling, how can I help?',
      'This is Dana, how may I help you?',
      'Okay, Tom here, what do you need?',
      'Afternoon, Ray.',
      'Yes?',
      'Speaking.',
      'Hi, what is her date of birth?',
      'And the member ID?',
      "I'm hard of hearing.",
    ].flatMap((said) =>
      (['clinic', 'insurer', 'claims-department', 'office'] as const).map(
        (callee): [CallPlan['callee'], string] => [callee, said],
      ),
    ),
    ['insurer', "I don't need any insurance."],
    ['insurer', 'What is it about?'],
  ])('%s: %s', (callee, said) => {
    expect(presentsAsRightPlace(heard(said), callee)).toBe(false);
  });
});

test.each(['Yes.', 'Yes, you have.', 'yeah', "That's us.", 'You have, this is the clinic.'])(
  'is agreed to: %s',
  (said) => {
    expect(agreesToBeRightPlace(heard(said), 'clinic')).toBe(true);
  },
);

test.each([
  'Speaking.',
  'Yes?',
  'Yes, who is this?',
  'Yes, this is Tom.',
  'Sure.',
  'What is the date of birth?',
  'I can help.',
])('is not agreed to: %s', (said) => {
  expect(agreesToBeRightPlace(heard(said), 'clinic')).toBe(false);
});

test.each([
  'Hold on, my husband wants to talk to you.',
  "Here's my manager.",
  'Let me get my wife, she handles that.',
])('the telephone goes to somebody else: %s', (said) => {
  expect(handsOver(heard(said))).toBe(true);
});

test.each(['No.', 'nope', "No, you haven't.", 'No, this is my house.'])('is denied: %s', (said) => {
  expect(deniesToBeRightPlace(heard(said))).toBe(true);
});

test.each(["I don't understand.", 'No problem.', 'What do you want?'])('is not denied: %s', (said) => {
  expect(deniesToBeRightPlace(heard(said))).toBe(false);
});

test('another department of the same place is known by its name', () => {
  expect(isOtherDepartment(heard('You have reached the billing department.'), 'clinic')).toBe(true);
  expect(isOtherDepartment(heard('Pharmacy, this is Lou.'), 'clinic')).toBe(true);
  expect(isOtherDepartment(heard('Billing and scheduling, this is Lou.'), 'clinic')).toBe(false);
  expect(isOtherDepartment(heard('For billing, press 1.'), 'clinic')).toBe(false);
});
