import type { Patient } from '#shared/domain/patient.ts';
import type { Project } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import {
  CustomTaskData,
  ReimbursementData,
  ScheduleAppointmentData,
  VerifyInsuranceData,
} from '#shared/domain/task-data.ts';
import { localDay } from '../language/calendar.ts';
import type { CallPlan, Fact } from './call-plan.ts';
import { claimFacts, extraFacts, patientFacts, schedulingFacts, verificationFacts } from './facts.ts';
import { claimItems, customItems, schedulingItems, verificationItems } from './items.ts';
import { openItems } from './open-items.ts';
import { claimPurpose, customPurpose, schedulingPurpose, verificationPurpose } from './purpose.ts';
import { parseTimeWishes } from './time-wishes.ts';
import { timeZoneOfState } from './time-zone.ts';

/**
 * Makes the plan of a call. Pure: the same task, patient and project give the same plan. A further call of a task asks
 * only for what the earlier ones have left open; an appointment is always made from the beginning, because a time that
 * was spoken of before may be gone.
 */
export function createCallPlan(
  task: Task,
  patient: Patient,
  { call_policy, caller_number }: Pick<Project, 'call_policy' | 'caller_number'>,
): CallPlan {
  const data = task.task_data ?? {};
  const earlierAnswers = task.result?.answers ?? [];
  const time_zone = timeZoneOfState(patient.address?.state);
  const today = localDay(new Date(task.created_at), time_zone);
  const common = {
    task_type: task.task_type,
    is_rescheduling: false,
    time_wishes: parseTimeWishes(undefined, today),
    time_zone,
    voicemail:
      call_policy.voicemail === 'hang-up'
        ? null
        : { callback_number: call_policy.callback_number ?? caller_number },
    max_hold_seconds: call_policy.max_hold_seconds,
    instructions: instructionsOf(task, data),
  };
  switch (task.task_type) {
    case 'SCHEDULE_APPOINTMENT': {
      const known = ScheduleAppointmentData.parse(data);
      return {
        ...common,
        callee: 'clinic',
        is_rescheduling: known.is_rescheduling === true,
        ...schedulingPurpose(known),
        facts: uniqueFacts([
          ...schedulingFacts(known, task.task),
          ...patientFacts(patient),
          ...extraFacts(ScheduleAppointmentData, data),
        ]),
        items: schedulingItems(known),
        time_wishes: parseTimeWishes(known.timeframe_availability, today),
      };
    }
    case 'VERIFY_INSURANCE': {
      const known = VerifyInsuranceData.parse(data);
      return {
        ...common,
        callee: 'insurer',
        ...verificationPurpose(),
        facts: uniqueFacts([
          ...verificationFacts(known),
          ...patientFacts(patient),
          ...extraFacts(VerifyInsuranceData, data),
        ]),
        items: openItems(verificationItems(known, common.instructions), earlierAnswers),
      };
    }
    case 'REIMBURSEMENT': {
      const known = ReimbursementData.parse(data);
      return {
        ...common,
        callee: 'claims-department',
        ...claimPurpose(),
        facts: uniqueFacts([
          ...claimFacts(known),
          ...patientFacts(patient),
          ...extraFacts(ReimbursementData, data),
        ]),
        items: openItems(claimItems(common.instructions), earlierAnswers),
      };
    }
    case 'CUSTOM_TASK': {
      const known = CustomTaskData.parse(data);
      const items = openItems(customItems(known, task.task), earlierAnswers);
      return {
        ...common,
        callee: 'office',
        ...customPurpose(items.length),
        facts: uniqueFacts([...patientFacts(patient), ...extraFacts(CustomTaskData, data)]),
        items,
      };
    }
  }
}

/** Facts about the task come first: what the task says about the insurance counts more than what the patient's record says. */
function uniqueFacts(facts: readonly Fact[]): Fact[] {
  const byTopicAndField = new Map<string, Fact>();
  for (const fact of facts) {
    // Facts of no special topic stand each for itself.
    const key = fact.topic === 'other' || fact.topic === 'context' ? fact.field : fact.topic;
    if (!byTopicAndField.has(key)) byTopicAndField.set(key, fact);
  }
  return [...byTopicAndField.values()];
}

function instructionsOf(task: Task, data: Record<string, unknown>): string {
  const context = data.additional_context;
  return typeof context === 'string' && context.trim() !== '' ? `${task.task}\n${context}` : task.task;
}
