import { expect, test } from 'vitest';
import { createCallPlan } from '#shared/voice-agent/call-plan/create-call-plan.ts';
import { patient } from '../../support/conversation.ts';
import { sampleProject, sampleTask } from '../../support/sample-tasks.ts';
import { offPlanDisclosures } from './disclosure-check.ts';

const plan = createCallPlan(
  sampleTask(sampleProject(), { task_type: 'VERIFY_INSURANCE', task_data: null }),
  patient,
  sampleProject(),
);
const asked = { role: 'user', content: 'And the date of birth?' } as const;
const told = { role: 'assistant', content: 'The date of birth is March 5th, 1979.' } as const;
const written = [{ field: 'patient.date_of_birth', turn: 1 }];

test('a requested and recorded fact is in order', () => {
  expect(offPlanDisclosures(plan, [asked, told], written, true)).toEqual([]);
});

test('an unrecorded fact is found', () => {
  expect(offPlanDisclosures(plan, [asked, told], [], true)).toEqual([
    'patient.date_of_birth at turn 1: not written down',
  ]);
});

test('an unrequested fact is found', () => {
  const greeting = { role: 'user', content: 'Good morning.' } as const;
  expect(offPlanDisclosures(plan, [greeting, told], written, true)).toEqual([
    'patient.date_of_birth at turn 1: neither asked for nor needed',
  ]);
});

test('a cell phone is requested by that name', () => {
  const { spoken = '' } = plan.facts.find(({ topic }) => topic === 'phone') ?? {};
  const cell = { role: 'user', content: 'And a good cell for the forms?' } as const;
  const number = { role: 'assistant', content: `The phone number is ${spoken}.` } as const;
  const declared = [{ field: 'patient.phone_number', turn: 1 }];
  expect(offPlanDisclosures(plan, [cell, number], declared, true)).toEqual([]);
});

test('any disclosure to an unrelated person is found, also spelled', () => {
  const spelled = { role: 'assistant', content: 'S M X, 5 5 1, 2 0 9 8 7' } as const;
  const declared = [{ field: 'patient.insurance.medical.member_id', turn: 1 }];
  expect(offPlanDisclosures(plan, [asked, spelled], declared, false)).toEqual([
    'patient.insurance.medical.member_id at turn 1: told to somebody who has no business with it',
  ]);
});

test('letters across two words are not a name', () => {
  const greeting = { role: 'user', content: 'One moment.' } as const;
  const waiting = { role: 'assistant', content: 'I will wait while Len asks.' } as const;
  expect(offPlanDisclosures(plan, [greeting, waiting], [], true)).toEqual([]);
});
