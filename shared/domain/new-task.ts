import * as z from 'zod/mini';
import { clientData } from './client-data.ts';
import { Uuid } from './identifiers.ts';
import {
  NewCustomTaskData,
  ReimbursementData,
  ScheduleAppointmentData,
  VerifyInsuranceData,
} from './task-data.ts';
import { RequestedTaskType, type TaskType } from './task-type.ts';
import { GivenTime, notBlank, PhoneNumber } from './values.ts';

/** Body of `POST /v1/task`, with `task_data` still unchecked because its shape depends on `task_type`. */
export const NewTask = z.object({
  project_id: Uuid,
  patient_id: Uuid,
  task_type: RequestedTaskType,
  /** A description for a voice agent, not a document: a longer one would only slow the call. */
  task: z.string().check(z.maxLength(4000), notBlank),
  phone_number: PhoneNumber,
  task_data: z.optional(z.record(z.string(), z.unknown())),
  ...clientData,
  /** Calls may begin between these two times, within the calling hours. */
  call_after: z.optional(GivenTime),
  call_before: z.optional(GivenTime),
});
export type NewTask = z.infer<typeof NewTask>;

/** The whole body by task type, with its `task_data`. */
export const newTaskSchemas = {
  SCHEDULE_APPOINTMENT: withTaskData(ScheduleAppointmentData),
  VERIFY_INSURANCE: withTaskData(VerifyInsuranceData),
  REIMBURSEMENT: withTaskData(ReimbursementData),
  CUSTOM_TASK: withTaskData(NewCustomTaskData),
} satisfies Record<TaskType, z.ZodMiniType<NewTask>>;

function withTaskData<Data extends z.ZodMiniType<Record<string, unknown>>>(data: Data) {
  return z.extend(NewTask, { task_data: z.optional(data) });
}

/** The schema for a whole body, by its `task_type`; for an unknown type, one that refuses it. */
export function newTaskSchema(requestedType: unknown): z.ZodMiniType<NewTask> {
  const taskType = RequestedTaskType.safeParse(requestedType);
  return taskType.success ? newTaskSchemas[taskType.data] : NewTask;
}
