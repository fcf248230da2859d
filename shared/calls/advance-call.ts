import type { Call } from '#shared/domain/call.ts';
import { defaultRedialPolicy } from '#shared/domain/project.ts';
import { isTerminalTaskStatus } from '#shared/domain/task.ts';
import { logError } from '#shared/observability/log.ts';
import { getCall, replaceCallItem } from '#shared/table/call.ts';
import { getConversation, getTurns } from '#shared/table/conversation.ts';
import { getProject } from '#shared/table/project.ts';
import { getTaskWithCalls, replaceTaskItem } from '#shared/table/task.ts';
import { type TransactionItem, writeTransaction } from '#shared/table/transaction.ts';
import type { CallServices } from './call-services.ts';
import { type CallConclusion, concludeCall } from './conclude-call.ts';
import { concludeTask } from './conclude-task.ts';
import { conversationGraceSeconds, nextDueAt, resultGiveUpAfterSeconds, secondsSince } from './deadlines.ts';
import { type CallEvent, isEnded, noRecording, reduceCall, wasAnswered } from './reduce-call.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

type WritingServices = Pick<CallServices, 'table' | 'callResult' | 'now'>;

/**
 * Applies an event to a call and, when that was the last thing the call waited for, completes the call and moves its
 * task on in the same transaction. The only place where a call is changed after its claim. Returns the call as it
 * then stands, or null when there is none.
 *
 * @param dueAt when the call is looked at next, for a caller who knows better than the state of the call tells
 */
export function advanceCall(
  services: WritingServices,
  taskId: string,
  callId: string,
  event: CallEvent | null,
  dueAt: (call: Call, now: Date) => string | null = nextDueAt,
): Promise<Call | null> {
  return retryOnConflict(async () => {
    const call = await getCall(services.table, taskId, callId);
    if (call === null) return null;
    const now = services.now();
    const reduced = event === null ? call : reduceCall(call, event, now);
    const outcome = isReadyToComplete(reduced) ? await outcomeOf(services, reduced, now) : null;
    if (outcome !== null) return complete(services, reduced, outcome, now);
    if (reduced === call) return call;
    return writeCall(services, { ...reduced, due_at: dueAt(reduced, now) }, now);
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

/** The carrier has nothing more to say about the call, and its recording is stored or will not come. */
function isReadyToComplete(call: Call): boolean {
  if (call.completed_at !== null || !isEnded(call)) return false;
  const { status, carrier_recording_sid } = call.recording;
  return status !== 'awaited' || (carrier_recording_sid === null && !wasAnswered(call));
}

/** What an ended call comes to, or null as long as the last words of its conversation are still to come. */
async function outcomeOf(services: WritingServices, call: Call, now: Date): Promise<CallConclusion | null> {
  const waitedSeconds = secondsSince(call.ended_at ?? call.created_at, now);
  try {
    if (waitedSeconds < conversationGraceSeconds) {
      const conversation = await getConversation(services.table, call.id);
      if (conversation !== null && conversation.status !== 'ended') return null;
    }
    const result = await services.callResult(call.id);
    const turns = result === null ? [] : await getTurns(services.table, call.id);
    return concludeCall(
      call,
      result,
      turns.some(({ role }) => role === 'user'),
    );
  } catch (error) {
    logError('call-result-not-read', error, { call_id: call.id });
    // What the carrier reported is kept, and the call looked at again; in the end it is completed without a result.
    return waitedSeconds < resultGiveUpAfterSeconds ? null : concludeCall(call, null, false);
  }
}

async function complete(
  services: WritingServices,
  call: Call,
  conclusion: CallConclusion,
  now: Date,
): Promise<Call> {
  const { table } = services;
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
  const items: TransactionItem[] = [replaceCallItem(table, completed)];
  const found = await getTaskWithCalls(table, call.task_id, { limit: call.attempt });
  // A task that was ended in another way, or that has gone on without this call, stays as it is.
  if (found !== null && found.task.current_call_id === call.id && !isTerminalTaskStatus(found.task.status)) {
    const policy = (await getProject(table, call.project_id))?.redial_policy ?? defaultRedialPolicy;
    const earlier = found.calls.filter(({ id }) => id !== call.id).reverse();
    const next = concludeTask(found.task, conclusion, earlier, policy, now);
    items.push(replaceTaskItem(table, found.task, next));
  }
  await writeTransaction(table, items);
  return completed;
}
