import type { CallServices } from '#shared/calls/call-services.ts';
import {
  countedEndItems,
  findHeldSlot,
  pastCallItems,
  releaseSlotItems,
  wakeWaiting,
} from '#shared/calls/capacity/held-slot.ts';
import { operatorsRemedy } from '#shared/carrier/explain-call.ts';
import { type Call, isStateChanged, wasAnswered } from '#shared/domain/call.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { log } from '#shared/observability/log.ts';
import { followTrace } from '#shared/observability/trace.ts';
import { estimateCostOfCall } from '#shared/usage/estimate-cost.ts';
import { changeCall, type KnownCall, onCall, writeCall } from './change-call.ts';
import { completeCall } from './complete-call.ts';
import { nextDueAt } from './deadlines.ts';
import { judgeCall } from './judge-call.ts';
import { type CallEvent, isEnded, reduceCall } from './reduce-call.ts';

type WritingServices = Pick<CallServices, 'table' | 'queue' | 'callResult' | 'now'>;

/**
 * Applies an event to a call and, when the call waits for nothing more, completes it and advances its task in the same
 * transaction. A call that ends releases its slot and number, also in the same one. The only way a call changes after
 * its claim. Returns the changed call, or null if it does not exist.
 */
export async function advanceCall(
  services: WritingServices,
  known: KnownCall,
  event: CallEvent | null,
): Promise<Call | null> {
  const { call, givenBack, isCompleted } = await onCall(services, known, async (read) => {
    if (read === null) return { call: null, givenBack: null, isCompleted: false };
    followTrace(read);
    const now = services.now();
    const reduced = event === null ? read : reduceCall(read, event, now);
    const held = isEnded(reduced) && !isEnded(read) ? await findHeldSlot(services.table, read) : null;
    const lineItems = [
      ...releaseSlotItems(services.table, held),
      ...countedEndItems(services.table, held, talkSecondsOf(reduced, now), now),
      ...pastCallItems(services.table, held === null ? null : reduced, now),
    ];
    const end = isReadyToComplete(reduced) ? await judgeCall(services, reduced, now) : null;
    if (end !== null) {
      const completed = await completeCall(services.table, { read, reduced }, end, {
        alongside: lineItems,
        now,
      });
      return { call: completed, givenBack: held, isCompleted: true };
    }
    if (reduced === read) return { call: read, givenBack: null, isCompleted: false };
    const changed = { ...reduced, due_at: dueAfter(read, reduced, now) };
    const written = await writeCall(services, { read, changed }, lineItems, now);
    return { call: written, givenBack: held, isCompleted: false };
  });
  if (call !== null && isCompleted) {
    log('call-completed', { calls: 1, result: call.status, call_id: call.id });
    noteFault(call);
    log('call-cost', { estimated_cost_usd: estimateCostOfCall(call), call_id: call.id });
  }
  await wakeWaiting(services, givenBack);
  return call;
}

/** The carrier accepted the call, and now reports that the service's configuration prevents it. */
function noteFault(call: Call): void {
  const fault = operatorsRemedy(call);
  if (fault === null) return;
  const { meaning, remedy } = fault;
  log(alarmingEvents.carrierRefusesOurConfiguration, {
    carrier: call.carrier,
    call_id: call.id,
    carrier_means: meaning,
    remedy,
  });
}

/** Postpones the next check of a call after a check without result. A completed call is not checked. */
export function postponeCall(
  services: Pick<CallServices, 'table' | 'now'>,
  known: KnownCall,
  dueAt: (call: Call, now: Date) => string | null,
): Promise<Call | null> {
  return changeCall(services, known, (call, now) =>
    call.completed_at === null ? { ...call, due_at: dueAt(call, now) } : call,
  );
}

/** An event about its recording moves a call's next check only if that would come too late. */
function dueAfter(read: Call, reduced: Call, now: Date): string | null {
  const next = nextDueAt(reduced, now);
  const isSoonEnough =
    read.due_at !== null && next !== null && read.due_at > now.toISOString() && read.due_at <= next;
  return isSoonEnough && !isStateChanged(read, reduced) ? read.due_at : next;
}

/** For a call whose end the carrier never reports, the whole time since its claim. */
function talkSecondsOf(call: Call, now: Date): number {
  if (!wasAnswered(call)) return 0;
  return call.talk_seconds ?? (now.getTime() - Date.parse(call.created_at)) / 1000;
}

/** The carrier will report no more about the call, and its recording is stored or will not come. */
function isReadyToComplete(call: Call): boolean {
  if (call.completed_at !== null || !isEnded(call)) return false;
  const { status, carrier_recording_sid } = call.recording;
  return status !== 'awaited' || (carrier_recording_sid === null && !wasAnswered(call));
}
