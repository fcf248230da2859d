/** As the carrier's REST API names them. */
export type CarrierStatus =
  | 'queued'
  | 'initiated'
  | 'ringing'
  | 'in-progress'
  | 'completed'
  | 'busy'
  | 'failed'
  | 'no-answer'
  | 'canceled';

export interface CarrierRecording {
  readonly sid: string;
  readonly callSid: string;
  readonly channels: 1 | 2;
  readonly seconds: number;
  status: 'in-progress' | 'processing' | 'completed' | 'absent';
  /** When its audio becomes available; infinite if it never does. */
  availableAtMs: number;
  isDeleted: boolean;
}
