import * as z from 'zod/mini';

export const taskTypes = [
  'SCHEDULE_APPOINTMENT',
  'VERIFY_INSURANCE',
  'REIMBURSEMENT',
  'CUSTOM_TASK',
] as const;
export const TaskType = z.enum(taskTypes);
export type TaskType = z.infer<typeof TaskType>;

/** The spellings a request may use: some of the specification's samples send INSURANCE_REIMBURSEMENT. */
export const RequestedTaskType = z.pipe(
  z.enum([...taskTypes, 'INSURANCE_REIMBURSEMENT']),
  z.transform((name): TaskType => (name === 'INSURANCE_REIMBURSEMENT' ? 'REIMBURSEMENT' : name)),
);
