import { expect, test } from 'vitest';
import type { TaskType } from '#shared/domain/task-type.ts';
import { calledPlace } from '#shared/voice-agent/call-plan/called-place.ts';
import { createCallPlan } from '#shared/voice-agent/call-plan/create-call-plan.ts';
import { patient } from '../../../support/conversation.ts';
import { sampleProject, sampleTask } from '../../../support/sample-tasks.ts';

const names = ['Elena', 'Marsh'];

test.each([
  ['Call Otter Bay Family Clinic and schedule a physical for Elena Marsh.', 'Otter Bay Family Clinic'],
  ['Schedule a checkup at the Otter Bay Clinic for Elena Marsh.', 'Otter Bay Clinic'],
  ["Ask Otter Bay Hospital's records office how Elena Marsh gets a copy.", 'Otter Bay Hospital'],
  ["Book a visit with Otter Bay Women's Health on Monday.", "Otter Bay Women's Health"],
  ['Schedule a visit with Jane Lind at St. Ann Joint and Spine.', 'St. Ann Joint and Spine'],
  ['Ask Three Kettles Banquet Hall about a party for Elena Marsh.', 'Three Kettles Banquet Hall'],
  ["Find Elena Marsh an appointment at Sawyer's Run Dental", "Sawyer's Run Dental"],
])('finds the name of the called place: "%s"', (task, name) => {
  expect(calledPlace(task, names)).toBe(name);
});

test.each([
  "Call Elena Marsh's pharmacy about a refill.",
  'Call Dr. Lind about a follow-up.',
  'Schedule a visit with Jane Lind.',
  'Ask Medicare about a card.',
  'Schedule a visit at noon on Tuesday.',
  'Get her in at Otterbay.',
  '',
])('finds none in "%s"', (task) => {
  expect(calledPlace(task, names)).toBeNull();
});

const project = sampleProject();

test("a plan has the name of a clinic or an office, and none of the patient's insurer", () => {
  const placeIn = (task_type: 'SCHEDULE_APPOINTMENT' | 'CUSTOM_TASK' | 'VERIFY_INSURANCE', task: string) =>
    createCallPlan({ ...sampleTask(project, { task_type }), task }, patient, project).place;
  expect(placeIn('SCHEDULE_APPOINTMENT', 'Call Otter Bay Clinic.')).toBe('Otter Bay Clinic');
  expect(placeIn('CUSTOM_TASK', 'Ask Otter Bay Pharmacy about a refill.')).toBe('Otter Bay Pharmacy');
  expect(placeIn('CUSTOM_TASK', 'Ask Sample Mutual Insurance about a card.')).toBeNull();
  expect(placeIn('VERIFY_INSURANCE', 'Call Otter Bay Health Plan.')).toBeNull();
});

test.each<[TaskType, boolean]>([
  ['VERIFY_INSURANCE', true],
  ['REIMBURSEMENT', true],
  ['SCHEDULE_APPOINTMENT', false],
])("knows the payer's name to hear it, and never says it: %s", (task_type, isKnown) => {
  const plan = createCallPlan(sampleTask(project, { task_type }), patient, project);
  expect(plan.payer !== null).toBe(isKnown);
  if (plan.payer !== null)
    expect(`${plan.subject} ${plan.purpose.text} ${plan.place}`).not.toContain(plan.payer);
});
