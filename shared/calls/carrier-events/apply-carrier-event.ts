import type { CallServices } from '#shared/calls/call-services.ts';
import { advanceCall } from '#shared/calls/lifecycle/advance-call.ts';
import { nextDueAt } from '#shared/calls/lifecycle/deadlines.ts';
import { scheduleReconcile } from '#shared/calls/schedule-reconcile.ts';
import { explainCall } from '#shared/carrier/explain-call.ts';
import type { CarrierEvent } from '#shared/domain/carrier-event.ts';
import { annotateLog } from '#shared/observability/log.ts';
import { handoverDueAt, isBeingFetched } from '#shared/recordings/recording-due.ts';
import { enqueueRecording } from '#shared/recordings/recording-queue.ts';
import { recordingWork } from '#shared/recordings/recording-work.ts';
import { putAnsweredBy } from '#shared/table/conversation.ts';

/** Applies what the carrier reported about a call. May be repeated at any time and in any order. */
export async function applyCarrierEvent(
  services: CallServices,
  taskId: string,
  callId: string,
  event: CarrierEvent,
): Promise<void> {
  const isAboutRecording = event.type === 'recording';
  // The recording queue gets the work now, so the due time can wait a moment.
  const dueAt = isAboutRecording ? handoverDueAt : nextDueAt;
  const call = await advanceCall(services, { id: callId, task_id: taskId }, event, dueAt);
  if (call === null) {
    annotateLog({ carrier_event: 'unknown-call' });
    return;
  }
  const says = explainCall(call);
  annotateLog({
    carrier_event: event.type,
    project_id: call.project_id,
    ...(says.length === 0 ? {} : { carrier_says: says.join(' ') }),
  });
  if (call.carrier_call_sid !== event.carrier_call_sid) {
    annotateLog({ carrier_event: 'other-call-at-carrier' });
    return;
  }
  if (event.type === 'answered-by' && call.answered_by !== null && call.completed_at === null) {
    // The voice agent reads the conversation and not the call.
    await putAnsweredBy(services.table, call.id, call.answered_by);
  }
  const now = services.now();
  if (isAboutRecording && recordingWork(call, now) !== null && !isBeingFetched(call, now)) {
    await enqueueRecording(services.recordingQueue, call);
  }
  await scheduleReconcile(services, call);
}
