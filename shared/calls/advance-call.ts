import type { Call } from '#shared/domain/call.ts';
import { isTerminalTaskStatus } from '#shared/domain/task.ts';
import { getCall, replaceCallItem } from '#shared/table/call.ts';
import { getConversation } from '#shared/table/conversation.ts';
import { getProject } from '#shared/table/project.ts';
import { getTaskWithCalls, replaceTaskItem } from '#shared/table/task.ts';
import { type TransactionItem, writeTransaction } from '#shared/table/transaction.ts';
import type { CallServices } from './call-services.ts';
import { concludeCall } from './conclude-call.ts';
import { concludeTask } from './conclude-task.ts';
import { conversationGraceSeconds, nextDueAt, secondsSince } from './deadlines.ts';
import { type CallEvent, isEnded, noRecording, reduceCall, wasAnswered } from './reduce-call.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

type WritingServices = Pick<CallServices, 'table' | 'callResult' | 'now'>;

/**
 * Applies an event to a call and, when that was the last thing the call waited for, completes the call and moves its
 * task on in the same transaction. The only place where a call is changed after its claim. Returns the call as it
 * then stands, or null when there is none.
 */
export function advanceCall(
  services: WritingServices,
  taskId: string,
  callId: string,
  event: CallEvent | null,
): Promise<Call | null> {
  return retryOnConflict(async () => {
    const call = await getCall(services.table, taskId, callId);
    if (call === null) return null;
    const now = services.now();
    const reduced = event === null ? call : reduceCall(call, event, now);
    if (await isReadyToComplete(services, reduced, now)) return complete(services, reduced, now);
    if (reduced === call) return call;
    return writeCall(services, { ...reduced, due_at: nextDueAt(reduced, now) }, now);
  });
}

/** Moves the moment at which a call is looked at, for a call that was just looked at in vain. */
export function postponeCall(
  services: WritingServices,
  taskId: string,
  callId: string,
  dueAt: (call: Call, now: Date) => string | null,
): Promise<Call | null> {
  return retryOnConflict(async () => {
    const call = await getCall(services.table, taskId, callId);
    if (call === null || call.completed_at !== null) return call;
    const now = services.now();
    return writeCall(services, { ...call, due_at: dueAt(call, now) }, now);
  });
}

async function writeCall(services: WritingServices, call: Call, now: Date): Promise<Call> {
  const next = versioned(call, now);
  await writeTransaction(services.table, [replaceCallItem(services.table, next)]);
  return next;
}

function versioned(call: Call, now: Date): Call {
  return { ...call, version: call.version + 1, updated_at: now.toISOString() };
}

/**
 * A call is complete when the carrier has nothing more to say about it, its recording is stored or will not come, and
 * the transcript has its last words.
 */
async function isReadyToComplete(services: WritingServices, call: Call, now: Date): Promise<boolean> {
  if (call.completed_at !== null || !isEnded(call)) return false;
  const { status, carrier_recording_sid } = call.recording;
  if (status === 'awaited' && (carrier_recording_sid !== null || wasAnswered(call))) return false;
  if (secondsSince(call.ended_at ?? call.created_at, now) >= conversationGraceSeconds) return true;
  const conversation = await getConversation(services.table, call.id);
  return conversation === null || conversation.status === 'ended';
}

async function complete(services: WritingServices, call: Call, now: Date): Promise<Call> {
  const conclusion = concludeCall(call, await services.callResult(call.id));
  const completed = versioned(
    {
      ...call,
      status: conclusion.status,
      call_outcome: conclusion.outcome,
      result: conclusion.result,
      recording:
        call.recording.status === 'awaited'
          ? noRecording('Nobody answered, so nothing was recorded.', null)
          : call.recording,
      due_at: null,
      completed_at: now.toISOString(),
    },
    now,
  );
  const { table } = services;
  const items: TransactionItem[] = [replaceCallItem(table, completed)];
  const found = await getTaskWithCalls(table, call.task_id, { limit: call.attempt });
  // A task that was ended in another way, or that has gone on without this call, stays as it is.
  if (found !== null && found.task.current_call_id === call.id && !isTerminalTaskStatus(found.task.status)) {
    const project = await getProject(table, call.project_id);
    if (project === null) throw new Error(`project ${call.project_id} of a call does not exist`);
    const earlier = found.calls.filter(({ id }) => id !== call.id).reverse();
    items.push(
      replaceTaskItem(
        table,
        found.task,
        concludeTask(found.task, conclusion, earlier, project.redial_policy, now),
      ),
    );
  }
  await writeTransaction(table, items);
  return completed;
}
