import { expect, test } from 'vitest';
import type { TaskType } from '#shared/domain/task-type.ts';
import { createCallPlan } from '#shared/voice-agent/call-plan/create-call-plan.ts';
import {
  type Answers,
  isGoalReached,
  isRelevant,
  type KnownAnswer,
} from '#shared/voice-agent/call-plan/progress.ts';
import { patient } from '../../../support/conversation.ts';
import { sampleProject, sampleTask } from '../../../support/sample-tasks.ts';

function planOf(task_type: TaskType) {
  return createCallPlan(sampleTask(sampleProject(), { task_type, task: 'Call.' }), patient, sampleProject());
}

function isReached(
  type: 'SCHEDULE_APPOINTMENT' | 'REIMBURSEMENT',
  answers: Record<string, KnownAnswer>,
): boolean {
  return isGoalReached(planOf(type), new Map(Object.entries(answers)));
}

test('an appointment is made when booked, not when mentioned', () => {
  const time = { appointment_time: { value: '2026-03-05T09:00' } };
  expect(isReached('SCHEDULE_APPOINTMENT', time)).toBe(false);
  expect(isReached('SCHEDULE_APPOINTMENT', { ...time, booking_confirmed: { value: false } })).toBe(false);
  expect(isReached('SCHEDULE_APPOINTMENT', { ...time, booking_confirmed: { value: true } })).toBe(true);
});

test('an answer kept for review was asked and answered', () => {
  expect(isReached('REIMBURSEMENT', { claim_status: { value: 'pending' } })).toBe(true);
  expect(isReached('REIMBURSEMENT', { claim_status: { value: 'pending', needs_review: true } })).toBe(true);
});

test('requirements depend on other answers', () => {
  expect(isReached('REIMBURSEMENT', { claim_status: { value: 'paid' } })).toBe(false);
  expect(isReached('REIMBURSEMENT', { claim_status: { value: 'paid' }, paid_amount: { value: 410 } })).toBe(
    true,
  );
  const plan = planOf('REIMBURSEMENT');
  const reason = plan.items.find(({ key }) => key === 'denial_reason');
  if (reason === undefined) throw new Error('the plan asks for no reason');
  expect(isRelevant(reason, new Map(), plan)).toBe(false);
  expect(isRelevant(reason, new Map([['claim_status', { value: 'denied' }]]), plan)).toBe(true);
});

test('what a service costs, and whether it must be authorized, matters only if it is covered', () => {
  const plan = planOf('VERIFY_INSURANCE');
  const relevant = (answers: Answers): string[] =>
    plan.items.filter((item) => isRelevant(item, answers, plan)).map(({ key }) => key);
  const costs = ['copay', 'coinsurance', 'pre_authorization'];
  const active: [string, KnownAnswer] = ['coverage_active', { value: true }];
  expect(relevant(new Map([active]))).toEqual(expect.arrayContaining([...costs, 'deductible']));
  const excluded = relevant(new Map([active, ['service_covered', { value: false }]]));
  expect(excluded.filter((key) => costs.includes(key))).toEqual([]);
  expect(excluded).toContain('deductible');
  const ended = relevant(new Map([['coverage_active', { value: false }]]));
  expect(ended.filter((key) => [...costs, 'service_covered', 'deductible'].includes(key))).toEqual([]);
});
