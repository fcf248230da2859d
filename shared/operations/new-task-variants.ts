import * as z from 'zod/mini';
import { newTaskSchemas } from '#shared/domain/new-task.ts';

/*
 * The body of `POST /v1/task`, once per task type with that type as a constant, so that readers and generated clients
 * see which `task_data` belongs to which type.
 */

export const NewScheduleAppointmentTask = z.extend(newTaskSchemas.SCHEDULE_APPOINTMENT, {
  task_type: z.literal('SCHEDULE_APPOINTMENT'),
});

export const NewVerifyInsuranceTask = z.extend(newTaskSchemas.VERIFY_INSURANCE, {
  task_type: z.literal('VERIFY_INSURANCE'),
});

export const NewReimbursementTask = z.extend(newTaskSchemas.REIMBURSEMENT, {
  task_type: z.enum(['REIMBURSEMENT', 'INSURANCE_REIMBURSEMENT']),
});

export const NewCustomTask = z.extend(newTaskSchemas.CUSTOM_TASK, { task_type: z.literal('CUSTOM_TASK') });

export const AnyNewTask = z.discriminatedUnion('task_type', [
  NewScheduleAppointmentTask,
  NewVerifyInsuranceTask,
  NewReimbursementTask,
  NewCustomTask,
]);
