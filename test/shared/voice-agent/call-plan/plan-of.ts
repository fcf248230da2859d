import type { TaskType } from '#shared/domain/task-type.ts';
import type { CallPlan, FactTopic } from '#shared/voice-agent/call-plan/call-plan.ts';
import { createCallPlan } from '#shared/voice-agent/call-plan/create-call-plan.ts';
import { patient } from '../../../support/conversation.ts';
import { sampleProject, sampleTask } from '../../../support/sample-tasks.ts';

export function planOf(
  task_type: TaskType,
  task_data: Record<string, unknown> | null = null,
  task = 'Carry out the task.',
): CallPlan {
  return createCallPlan(
    sampleTask(sampleProject(), { task_type, task_data, task }),
    patient,
    sampleProject(),
  );
}

export function spoken(plan: CallPlan, topic: FactTopic): string | undefined {
  return plan.facts.find((fact) => fact.topic === topic)?.spoken;
}
