import type { CallServices } from '#shared/calls/call-services.ts';
import type { RecordingStore } from './recording-store.ts';

/** Everything outside that keeping recordings needs. */
export interface RecordingServices
  extends Pick<CallServices, 'table' | 'queue' | 'recordingQueue' | 'carrier' | 'callResult' | 'now'> {
  readonly recordings: RecordingStore;
}
