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
  /** From when on its audio can be fetched; infinite for one that never can. */
  availableAtMs: number;
  isDeleted: boolean;
}
