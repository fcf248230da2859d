import { soonDelaySeconds } from '#shared/calls/schedule-reconcile.ts';
import type { Call } from '#shared/domain/call.ts';
import { annotateLog } from '#shared/observability/log.ts';
import { isFetchLeased } from './recording-deadlines.ts';
import { enqueueRecording, type RecordingMessage } from './recording-queue.ts';
import type { RecordingServices } from './recording-services.ts';
import { recordingWork } from './recording-work.ts';

/** Schedules work on a recording that is due soon, as `scheduleReconcile` does for calls. */
export async function scheduleRecording(
  { recordingQueue, now }: Pick<RecordingServices, 'recordingQueue' | 'now'>,
  call: Call | null,
): Promise<void> {
  const delaySeconds = soonDelaySeconds(call?.recording.due_at ?? null, now());
  if (call === null || delaySeconds === null) return;
  await enqueueRecording(recordingQueue, messageAbout(call), call.project_id, delaySeconds);
}

/** Enqueues the work due on a recording, unless a worker is at it. */
export async function requestRecordingWork(
  { recordingQueue, now }: Pick<RecordingServices, 'recordingQueue' | 'now'>,
  call: Call,
): Promise<void> {
  if (recordingWork(call, now()) === null || isFetchLeased(call.recording, now())) return;
  annotateLog({ recording: 'requested' });
  await enqueueRecording(recordingQueue, messageAbout(call), call.project_id);
}

function messageAbout({ task_id, id }: Call): RecordingMessage {
  return { task_id, call_id: id };
}
