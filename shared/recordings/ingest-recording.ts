import { advanceCall } from '#shared/calls/lifecycle/advance-call.ts';
import { changeCall } from '#shared/calls/lifecycle/change-call.ts';
import { scheduleReconcile } from '#shared/calls/schedule-reconcile.ts';
import type { Call } from '#shared/domain/call.ts';
import { dayMs } from '#shared/domain/time.ts';
import { annotateLog } from '#shared/observability/log.ts';
import { getCall } from '#shared/table/call.ts';
import { getProject } from '#shared/table/project.ts';
import { deleteAtCarrier } from './delete-at-carrier.ts';
import { held, isFetchLeased, withRecordingDue } from './recording-deadlines.ts';
import type { RecordingMessage } from './recording-queue.ts';
import type { RecordingServices } from './recording-services.ts';
import { type RecordingWork, recordingWork } from './recording-work.ts';
import { scheduleRecording } from './schedule-recording.ts';
import { storeRecording } from './store-recording.ts';

/**
 * Does the due work on a call's recording: fetches it from the carrier, deletes the carrier's copy, deletes ours when
 * its retention has ended. Idempotent, also when concurrent.
 */
export async function ingestRecording(services: RecordingServices, message: RecordingMessage): Promise<void> {
  annotateLog({ task_id: message.task_id, call_id: message.call_id });
  const call = await getCall(services.table, message.task_id, message.call_id);
  if (call === null) return;
  annotateLog({ project_id: call.project_id });
  // Due while another worker may be fetching it: its lease did not move the due time.
  const isLeased = isFetchLeased(call.recording, services.now());
  const next = isLeased ? await changeCall(services, call, withRecordingDue) : await workOn(services, call);
  await Promise.all([scheduleReconcile(services, next), scheduleRecording(services, next)]);
}

/** One step after the other, while more is due at once. */
async function workOn(services: RecordingServices, call: Call): Promise<Call | null> {
  const work = recordingWork(call, services.now());
  if (work === null)
    return isOverdue(call, services.now()) ? changeCall(services, call, withRecordingDue) : call;
  annotateLog({ recording_work: work });
  const next = await stepOf(services, call, work);
  const isDone = next !== null && recordingWork(next, services.now()) !== work;
  return isDone ? workOn(services, next) : next;
}

async function stepOf(services: RecordingServices, call: Call, work: RecordingWork): Promise<Call | null> {
  switch (work) {
    case 'fetch':
      return storeRecording(services, call);
    case 'delete':
      return deleteRetained(services, call);
    case 'delete-at-carrier':
      return deleteAtCarrier(services, call);
  }
}

/** Ours goes first: if this is interrupted, the call merely claims to have a recording for a moment too long. */
async function deleteRetained(services: RecordingServices, call: Call): Promise<Call | null> {
  const project = await getProject(services.table, call.project_id);
  if (project?.legal_hold === true) {
    annotateLog({ recording: 'held' });
    return changeCall(services, call, held);
  }
  if (call.recording.key !== null) await services.recordings.delete(call.recording.key);
  annotateLog({ recording: 'deleted' });
  return advanceCall(services, call, {
    type: 'recording-deleted',
    reason: deletionReason(call),
  });
}

/** Whether it was due for something that is no longer wanted. */
function isOverdue({ recording }: Call, now: Date): boolean {
  return recording.due_at !== null && recording.due_at <= now.toISOString();
}

/** The reason shown to clients: the retention of the project. */
function deletionReason({ ended_at, created_at, recording }: Call): string {
  const keptMs = Date.parse(recording.kept_until ?? '') - Date.parse(ended_at ?? created_at);
  const days = Math.round(keptMs / dayMs);
  return `Deleted after ${days} ${days === 1 ? 'day' : 'days'}, by the project’s retention.`;
}
