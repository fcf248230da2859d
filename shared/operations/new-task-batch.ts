import * as z from 'zod/mini';
import { maxBatchItems } from '#shared/domain/task-batch.ts';
import {
  NewCustomTask,
  NewReimbursementTask,
  NewScheduleAppointmentTask,
  NewVerifyInsuranceTask,
} from './new-task-variants.ts';

/*
 * The body of `POST /v1/task/batch`: tasks as in `POST /v1/task`, each with the key that a single request would have
 * in a header.
 */
const keyed = {
  idempotency_key: z.optional(z.string().check(z.minLength(1), z.maxLength(255), z.regex(/^[ -~]+$/))),
};

export const BatchScheduleAppointmentTask = z.extend(NewScheduleAppointmentTask, keyed);
export const BatchVerifyInsuranceTask = z.extend(NewVerifyInsuranceTask, keyed);
export const BatchReimbursementTask = z.extend(NewReimbursementTask, keyed);
export const BatchCustomTask = z.extend(NewCustomTask, keyed);

export const AnyBatchTask = z.discriminatedUnion('task_type', [
  BatchScheduleAppointmentTask,
  BatchVerifyInsuranceTask,
  BatchReimbursementTask,
  BatchCustomTask,
]);

export const NewTaskBatch = z.object({
  tasks: z.array(AnyBatchTask).check(z.minLength(1), z.maxLength(maxBatchItems)),
});
