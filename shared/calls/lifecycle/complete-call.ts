import { type Call, versioned } from '#shared/domain/call.ts';
import { isTerminalTaskStatus } from '#shared/domain/task.ts';
import { saidOptOutItems } from '#shared/opt-outs/said-opt-out.ts';
import { replaceCallItems } from '#shared/table/call.ts';
import type { Table } from '#shared/table/client.ts';
import { type Conversation, replaceConversationItem } from '#shared/table/conversation.ts';
import {
  getTaskWithCalls,
  replaceEndedTaskItem,
  replaceTaskItem,
  type TaskWithCalls,
} from '#shared/table/task.ts';
import { type TransactionItem, writeTransaction } from '#shared/table/transaction.ts';
import type { CallConclusion } from './conclude-call.ts';
import { concludeCancelledTask, concludeTask } from './conclude-task.ts';
import { fittingConclusion, fittingTask } from './fitting-result.ts';
import type { CallEnd } from './judge-call.ts';
import { loadRedialRules } from './redial-rules.ts';

/**
 * Completes a call as judged, with everything that follows from its end, all or nothing: closes its conversation,
 * records an opt-out that the conversation has not, and advances its task. Returns the call as written. Throws
 * `TransactionConditionFailed` when the call, conversation or task has changed meanwhile.
 *
 * @param call as read, and as it must be stored, apart from what its completion changes
 * @param options `alongside`: other writes of the transaction
 */
export async function completeCall(
  table: Table,
  { read, reduced: call }: { readonly read: Call; readonly reduced: Call },
  { conclusion: judged, openConversation, holdSeconds }: CallEnd,
  { alongside, now }: { readonly alongside: readonly TransactionItem[]; readonly now: Date },
): Promise<Call> {
  const conclusion = fittingConclusion(judged);
  const found = await getTaskWithCalls(table, call.task_id, { limit: call.attempt });
  const concluded: Call = {
    ...call,
    status: conclusion.status,
    call_outcome: conclusion.outcome,
    result: conclusion.result,
    ...(holdSeconds > 0 ? { hold_seconds: holdSeconds } : {}),
    due_at: null,
    completed_at: now.toISOString(),
    // The status of a finished task never changes, so this still holds when it is written.
    outlived_task: found !== null && isTerminalTaskStatus(found.task.status),
  };
  const completed = versioned(read, concluded, now);
  await writeTransaction(table, [
    ...replaceCallItems(table, read, completed),
    ...(openConversation === null ? [] : [closeConversationItem(table, openConversation, now)]),
    ...(conclusion.result?.ending === 'opted-out' ? await saidOptOutItems(table, completed, now) : []),
    ...(await taskItemsAfter(table, found, { completed, conclusion, now })),
    ...alongside,
  ]);
  return completed;
}

/** No turn is written after this, so the transcript is what was judged. */
function closeConversationItem(table: Table, conversation: Conversation, now: Date): TransactionItem {
  return replaceConversationItem(table, {
    ...conversation,
    epoch: conversation.epoch + 1,
    status: 'ended',
    updated_at: now.toISOString(),
  });
}

/** Advances the task, or adds to its end if it was canceled during this call, unless it continued without it. */
async function taskItemsAfter(
  table: Table,
  found: TaskWithCalls | null,
  { completed, conclusion, now }: { completed: Call; conclusion: CallConclusion; now: Date },
): Promise<TransactionItem[]> {
  if (found === null || found.task.current_call_id !== completed.id) return [];
  const earlier = found.calls.filter(({ id }) => id !== completed.id).reverse();
  const calls = [...earlier, completed];
  if (isTerminalTaskStatus(found.task.status)) {
    const ended = concludeCancelledTask(found.task, calls);
    return [replaceEndedTaskItem(table, found.task, fittingTask(ended))];
  }
  const rules = await loadRedialRules(table, found.task);
  const next = concludeTask(found.task, { conclusion, calls }, rules, now);
  return [replaceTaskItem(table, found.task, fittingTask(next))];
}
