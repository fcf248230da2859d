import type { CallStatus } from '#shared/domain/call.ts';
import type { TaskStatus } from '#shared/domain/task.ts';
import type { TaskType } from '#shared/domain/task-type.ts';

export const taskTypeNames: Readonly<Record<TaskType, string>> = {
  SCHEDULE_APPOINTMENT: 'Schedule an appointment',
  VERIFY_INSURANCE: 'Verify insurance',
  REIMBURSEMENT: 'Follow up on a claim',
  CUSTOM_TASK: 'Ask a list of questions',
};

export const taskStatusNames: Readonly<Record<TaskStatus, string>> = {
  PENDING: 'Waiting',
  IN_PROGRESS: 'In progress',
  COMPLETED: 'Completed',
  FAILED: 'Failed',
  CANCELLED: 'Canceled',
};

const taskKinds: Readonly<Record<TaskStatus, string>> = {
  PENDING: 'plain',
  IN_PROGRESS: 'warn',
  COMPLETED: 'good',
  FAILED: 'bad',
  CANCELLED: 'plain',
};

export function TaskState({ status }: { readonly status: TaskStatus }) {
  return <span class={`state ${taskKinds[status]}`}>{taskStatusNames[status]}</span>;
}

const callStatusNames: Readonly<Record<CallStatus, string>> = {
  IN_PROGRESS: 'In progress',
  SUCCESS: 'Answered',
  VOICEMAIL: 'Voicemail',
  NO_ANSWER: 'No answer',
  BUSY: 'Busy',
  FAILED: 'Failed',
  CANCELLED: 'Canceled',
};

/** Beside figures of who answered, which also count menus and fax machines. */
export const callEndingNames: Readonly<Record<CallStatus, string>> = {
  ...callStatusNames,
  SUCCESS: 'Conversation',
};

const callKinds: Readonly<Record<CallStatus, string>> = {
  IN_PROGRESS: 'warn',
  SUCCESS: 'good',
  VOICEMAIL: 'plain',
  NO_ANSWER: 'plain',
  BUSY: 'plain',
  FAILED: 'bad',
  CANCELLED: 'plain',
};

export function CallState({ status }: { readonly status: CallStatus }) {
  return <span class={`state ${callKinds[status]}`}>{callStatusNames[status]}</span>;
}
