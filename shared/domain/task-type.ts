import * as z from 'zod/mini';

export const taskTypes = [
  'SCHEDULE_APPOINTMENT',
  'VERIFY_INSURANCE',
  'REIMBURSEMENT',
  'CUSTOM_TASK',
] as const;
export const TaskType = z.enum(taskTypes);
export type TaskType = z.infer<typeof TaskType>;

/** Accepted spellings: some of the specification's samples send INSURANCE_REIMBURSEMENT. */
export const requestedTaskTypes = [...taskTypes, 'INSURANCE_REIMBURSEMENT'] as const;
export const RequestedTaskType = z.pipe(
  z.enum(requestedTaskTypes),
  z.transform((name): TaskType => (name === 'INSURANCE_REIMBURSEMENT' ? 'REIMBURSEMENT' : name)),
);
export type RequestedTaskType = z.input<typeof RequestedTaskType>;
