import { followUpChanged } from '#shared/audit/actions.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { type FollowUp, followUpLimits, newFollowUp } from '#shared/domain/follow-up.ts';
import { may } from '#shared/domain/permissions.ts';
import { isTerminalTaskStatus, type Task } from '#shared/domain/task.ts';
import type { Table } from '#shared/table/client.ts';
import { listMembers } from '#shared/table/member.ts';
import { getTask, replaceFollowUpItem } from '#shared/table/task.ts';
import {
  isTransactionConflict,
  TransactionConditionFailed,
  writeTransaction,
} from '#shared/table/transaction.ts';
import { auditItem } from './audit.ts';
import type { ProjectAccess } from './authorize-project.ts';

/** The new values of a follow-up. */
export interface FollowUpInput {
  /** Email address of a member; null to unassign. */
  readonly assignee: string | null;
  /** `YYYY-MM-DD` */
  readonly due: string | null;
  /** A note to add; empty for none. */
  readonly note: string;
  readonly isDone: boolean;
}

/** Email addresses of possible and current assignees. */
export async function readAssignees(
  table: Table,
  { project }: ProjectAccess,
  { assignee }: Pick<FollowUp, 'assignee'>,
): Promise<readonly string[]> {
  const workers = (await listMembers(table, project.id)).filter(({ role }) => may(role, 'tasks.write'));
  return [...new Set([...workers.map(({ email }) => email), ...(assignee === null ? [] : [assignee])])];
}

/**
 * Changes assignee, due date and completion of a finished task's follow-up, and adds a note. Throws `not_found`,
 * `invalid_request` for an assignee who is not a member or a note that is too long, `conflict` for an unfinished task
 * or a follow-up that changed since `version`.
 */
export async function changeFollowUp(
  table: Table,
  access: ProjectAccess,
  taskId: string,
  version: number,
  { assignee, due, note, isDone }: FollowUpInput,
): Promise<FollowUp> {
  const now = new Date();
  const task = await getTask(table, taskId);
  if (task?.project_id !== access.project.id) throw new ServiceError('not_found', 'Task not found');
  if (!isTerminalTaskStatus(task.status)) {
    throw new ServiceError('conflict', 'The task has not ended yet');
  }
  const previous = task.follow_up_work ?? newFollowUp;
  if (previous.version !== version) throw changedByOthers();
  if (assignee !== null && !(await readAssignees(table, access, previous)).includes(assignee)) {
    throw new ServiceError('invalid_request', 'Choose a member who may work on tasks');
  }
  const by = access.caller.person.email;
  const next: FollowUp = {
    version: previous.version + 1,
    assignee,
    due,
    notes: withNote(previous, note, { at: now.toISOString(), by }),
    done_at: isDone ? (previous.done_at ?? now.toISOString()) : null,
    done_by: isDone ? (previous.done_by ?? by) : null,
  };
  await write(table, access, task, next, now);
  return next;
}

function withNote(
  { notes }: FollowUp,
  note: string,
  { at, by }: { readonly at: string; readonly by: string },
): FollowUp['notes'] {
  const text = note.trim();
  if (text === '') return notes;
  if (text.length > followUpLimits.noteCharacters) {
    throw new ServiceError(
      'invalid_request',
      `A note may have at most ${followUpLimits.noteCharacters} characters`,
    );
  }
  return [...notes, { at, by, text }].slice(-followUpLimits.notes);
}

async function write(
  table: Table,
  access: ProjectAccess,
  task: Task,
  next: FollowUp,
  now: Date,
): Promise<void> {
  try {
    await writeTransaction(table, [
      replaceFollowUpItem(table, task, next),
      auditItem(table, access, followUpChanged(task, next), now),
    ]);
  } catch (error) {
    throw error instanceof TransactionConditionFailed || isTransactionConflict(error)
      ? changedByOthers()
      : error;
  }
}

function changedByOthers(): ServiceError {
  return new ServiceError('conflict', 'The follow-up was changed since this page was opened');
}
