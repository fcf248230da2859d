import type { Call } from '#shared/domain/call.ts';
import type { OptOut } from '#shared/domain/opt-out.ts';
import { defaultRedialPolicy } from '#shared/domain/project.ts';
import { isTerminalTaskStatus } from '#shared/domain/task.ts';
import { logError } from '#shared/observability/log.ts';
import { getCall, replaceCallItem } from '#shared/table/call.ts';
import type { Table } from '#shared/table/client.ts';
import {
  type Conversation,
  getConversation,
  getTurns,
  replaceConversationItem,
} from '#shared/table/conversation.ts';
import { putOptOutItem } from '#shared/table/opt-out.ts';
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
    const ending = isReadyToComplete(reduced) ? await endingOf(services, reduced, now) : null;
    if (ending !== null) return complete(services, reduced, ending, now);
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

/** What an ended call comes to, and the conversation that must be closed with it. */
interface CallEnd {
  readonly conclusion: CallConclusion;
  /** The conversation as it was judged, if it is still open: the person hung up, or the line was lost. */
  readonly openConversation: Conversation | null;
}

/** Whether the voice agent is still taking a turn, and may have something to write down. */
function isAnswering({ answering }: Conversation, now: Date): boolean {
  return answering !== null && Date.parse(answering.until) > now.getTime();
}

/** Null as long as the last words of the conversation may still be on their way. */
async function endingOf(services: WritingServices, call: Call, now: Date): Promise<CallEnd | null> {
  const waitedSeconds = secondsSince(call.ended_at ?? call.created_at, now);
  try {
    // Read before everything that is judged by it: if it changes after this, completing the call fails and starts anew.
    const conversation = await getConversation(services.table, call.id);
    const isOpen = conversation !== null && conversation.status !== 'ended';
    if (isOpen && (waitedSeconds < conversationGraceSeconds || isAnswering(conversation, now))) return null;
    const result = await services.callResult(call.id);
    const turns = result === null ? [] : await getTurns(services.table, call.id);
    const heard = turns.some(({ role }) => role === 'user');
    return {
      conclusion: concludeCall(call, result, heard),
      openConversation: isOpen ? conversation : null,
    };
  } catch (error) {
    logError('call-result-not-read', error, { call_id: call.id });
    // What the carrier reported is kept, and the call looked at again; in the end it is completed without a result.
    return waitedSeconds < resultGiveUpAfterSeconds
      ? null
      : { conclusion: concludeCall(call, null, false), openConversation: null };
  }
}

async function complete(
  services: WritingServices,
  call: Call,
  { conclusion, openConversation }: CallEnd,
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
  await writeTransaction(table, [
    replaceCallItem(table, completed),
    ...(openConversation === null ? [] : [closeConversationItem(table, openConversation, now)]),
    ...(conclusion.result?.ending === 'opted-out' ? [putOptOutItem(table, optOutOf(completed, now))] : []),
    ...(await taskItemsAfter(table, completed, conclusion, now)),
  ]);
  return completed;
}

/** From here on no turn is written any more, so what was judged is what stands in the transcript. */
function closeConversationItem(table: Table, conversation: Conversation, now: Date): TransactionItem {
  return replaceConversationItem(table, {
    ...conversation,
    epoch: conversation.epoch + 1,
    status: 'ended',
    updated_at: now.toISOString(),
  });
}

function optOutOf(call: Call, now: Date): OptOut {
  return {
    project_id: call.project_id,
    phone_number: call.phone_number,
    call_id: call.id,
    task_id: call.task_id,
    created_at: now.toISOString(),
  };
}

/** Moves the task on, unless it was ended in another way or has gone on without this call: then it stays as it is. */
async function taskItemsAfter(
  table: Table,
  completed: Call,
  conclusion: CallConclusion,
  now: Date,
): Promise<TransactionItem[]> {
  const found = await getTaskWithCalls(table, completed.task_id, { limit: completed.attempt });
  if (found === null || found.task.current_call_id !== completed.id) return [];
  if (isTerminalTaskStatus(found.task.status)) return [];
  const policy = (await getProject(table, completed.project_id))?.redial_policy ?? defaultRedialPolicy;
  const earlier = found.calls.filter(({ id }) => id !== completed.id).reverse();
  const next = concludeTask(found.task, conclusion, [...earlier, completed], policy, now);
  return [replaceTaskItem(table, found.task, next)];
}
