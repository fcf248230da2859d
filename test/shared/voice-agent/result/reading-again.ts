import type { Turn } from '#shared/domain/conversation.ts';
import type { TaskType } from '#shared/domain/task-type.ts';
import type { CallPlan } from '#shared/voice-agent/call-plan/call-plan.ts';
import { createCallPlan } from '#shared/voice-agent/call-plan/create-call-plan.ts';
import type { RecordedAnswer } from '#shared/voice-agent/dialogue/dialogue-record.ts';
import { readAgain } from '#shared/voice-agent/result/second-reading.ts';
import { patient } from '../../../support/conversation.ts';
import { sampleProject, sampleTask } from '../../../support/sample-tasks.ts';
import { sharesOf } from './booked-conversation.ts';

export function planOf(type: TaskType, data: Record<string, unknown> = {}): CallPlan {
  const project = sampleProject();
  return createCallPlan(sampleTask(project, { task_type: type, task_data: data }), patient, project);
}

export const benefits = planOf('VERIFY_INSURANCE', { service: { description: 'physical therapy' } });
export const claim = planOf('REIMBURSEMENT');
export const visit = planOf('SCHEDULE_APPOINTMENT');

/** Every other line is the person's, the first one ours. */
export function turnsOf(lines: readonly string[]): Turn[] {
  return sharesOf(
    ...lines.map((line, at): [Turn['role'], string] => [at % 2 === 0 ? 'assistant' : 'user', line]),
  );
}

/** The answers by item after a second reading of these lines. */
export function again(plan: CallPlan, lines: readonly string[], answers: readonly RecordedAnswer[]) {
  const found = readAgain(plan, answers, turnsOf(lines));
  return new Map(found.map((answer) => [answer.key, answer]));
}

/** Our question for an item. */
export function ask(plan: CallPlan, key: string): string {
  return plan.items.find((item) => item.key === key)?.question ?? 'What else?';
}
