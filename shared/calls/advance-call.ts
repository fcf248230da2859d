import { type Call, versioned } from '#shared/domain/call.ts';
import { getCall, replaceCallItem } from '#shared/table/call.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import type { CallServices } from './call-services.ts';
import { completeCall } from './complete-call.ts';
import { nextDueAt } from './deadlines.ts';
import { judgeCall } from './judge-call.ts';
import { type CallEvent, isEnded, reduceCall, wasAnswered } from './reduce-call.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

type WritingServices = Pick<CallServices, 'table' | 'callResult' | 'now'>;

/**
 * Applies an event to a call and, when that was the last thing the call waited for, completes the call and moves its
 * task on in the same transaction. The only way in which a call is changed after its claim. Returns the call as it
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
    const end = isReadyToComplete(reduced) ? await judgeCall(services, reduced, now) : null;
    if (end !== null) return completeCall(services.table, reduced, end, now);
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
    // A completed call waits for nothing, unless something about its recording is left to do.
    if (call === null || (call.completed_at !== null && call.due_at === null)) return call;
    const now = services.now();
    return writeCall(services, { ...call, due_at: dueAt(call, now) }, now);
  });
}

async function writeCall(services: WritingServices, call: Call, now: Date): Promise<Call> {
  const next = versioned(call, now);
  await writeTransaction(services.table, [replaceCallItem(services.table, next)]);
  return next;
}

/** The carrier has nothing more to say about the call, and its recording is stored or will not come. */
function isReadyToComplete(call: Call): boolean {
  if (call.completed_at !== null || !isEnded(call)) return false;
  const { status, carrier_recording_sid } = call.recording;
  return status !== 'awaited' || (carrier_recording_sid === null && !wasAnswered(call));
}
