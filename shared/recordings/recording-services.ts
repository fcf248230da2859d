import type { CallServices } from '#shared/calls/call-services.ts';
import type { RecordingStore } from './recording-store.ts';

/** The dependencies of storing recordings. */
export interface RecordingServices
  extends Pick<CallServices, 'table' | 'queue' | 'recordingQueue' | 'carrier' | 'callResult' | 'now'> {
  readonly recordings: RecordingStore;
}
