import { describe, expect, test } from 'vitest';
import type { CallPlan } from '#shared/voice-agent/plan/call-plan.ts';
import { understand } from '#shared/voice-agent/scripted-model/understanding.ts';
import {
  agreesToBeRightPlace,
  deniesToBeRightPlace,
  isOtherDepartment,
  presentsAsRightPlace,
} from '#shared/voice-agent/scripted-model/whom-we-reached.ts';

const heard = (said: string) => understand(said, 1, '2026-11-16');

describe('the right place names itself', () => {
  test.each<[CallPlan['callee'], string]>([
    ['clinic', 'Lakeside Family Practice, this is Dana.'],
    ['clinic', 'good morning summit neurology this is karen'],
    ['clinic', 'Front desk.'],
    ['clinic', 'Thank you for calling Lakeside, how can I help?'],
    ['clinic', 'This is Dana, how may I help you?'],
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
    ['insurer', "I don't need any insurance."],
    ['insurer', 'What is it about?'],
  ])('%s: %s', (callee, said) => {
    expect(presentsAsRightPlace(heard(said), callee)).toBe(false);
  });
});

test.each(['Yes.', 'Yes, you have.', 'sure', "That's us.", 'Speaking.', 'You have, this is the clinic.'])(
  'is agreed to: %s',
  (said) => {
    expect(agreesToBeRightPlace(heard(said), 'clinic')).toBe(true);
  },
);

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
