import type { CallServices } from '#shared/calls/call-services.ts';
import { advanceCall } from '#shared/calls/lifecycle/advance-call.ts';
import { scheduleReconcile } from '#shared/calls/schedule-reconcile.ts';
import { explainCall } from '#shared/carrier/explain-call.ts';
import type { CarrierEvent } from '#shared/domain/carrier-event.ts';
import { annotateLog } from '#shared/observability/log.ts';
import { requestRecordingWork } from '#shared/recordings/schedule-recording.ts';
import { putAnsweredBy } from '#shared/table/conversation.ts';

/** Applies a carrier event to a call. Idempotent, in any order. */
export async function applyCarrierEvent(
  services: CallServices,
  taskId: string,
  callId: string,
  event: CarrierEvent,
): Promise<void> {
  const call = await advanceCall(services, { id: callId, task_id: taskId }, event);
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
    // The voice agent reads the conversation, not the call.
    await putAnsweredBy(services.table, call.id, call.answered_by);
  }
  if (event.type === 'recording') await requestRecordingWork(services, call);
  await scheduleReconcile(services, call);
}
