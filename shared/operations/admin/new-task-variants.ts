import * as z from 'zod/mini';
import { projectTaskBodies } from '#shared/admin/tasks.ts';

/** The body of `POST /v1/task` below a project of the management API, whose path names the project. */
export const AnyNewProjectTask = z.discriminatedUnion('task_type', [
  z.extend(projectTaskBodies.SCHEDULE_APPOINTMENT, { task_type: z.literal('SCHEDULE_APPOINTMENT') }),
  z.extend(projectTaskBodies.VERIFY_INSURANCE, { task_type: z.literal('VERIFY_INSURANCE') }),
  z.extend(projectTaskBodies.REIMBURSEMENT, {
    task_type: z.enum(['REIMBURSEMENT', 'INSURANCE_REIMBURSEMENT']),
  }),
  z.extend(projectTaskBodies.CUSTOM_TASK, { task_type: z.literal('CUSTOM_TASK') }),
]);
