import type { CarrierLimits } from '#shared/call-capacity/capacity.ts';
import type { CarrierClient } from '#shared/carrier/carrier-client.ts';
import type { CallResult } from '#shared/domain/call-result.ts';
import type { OptOutScope } from '#shared/domain/opt-out.ts';
import type { CarrierName } from '#shared/domain/project.ts';
import type { RecordingQueue } from '#shared/recordings/recording-queue.ts';
import type { Table } from '#shared/table/client.ts';
import type { CallQueue } from './call-queue.ts';
import type { NumberLimits } from './dial/live-limits.ts';
import type { WarmUpForAnswer } from './warm-up.ts';

/** Everything outside that carrying out calls needs. */
export interface CallServices {
  readonly table: Table;
  readonly queue: CallQueue;
  /** Asks for recordings to be fetched and deleted. */
  readonly recordingQueue: RecordingQueue;
  /** The carrier of that name, or null when the service has no credentials for it. */
  readonly carrier: (name: CarrierName) => Promise<CarrierClient | null>;
  /** How many calls each carrier takes. */
  readonly carrierLimits: Readonly<Record<CarrierName, CarrierLimits>>;
  /** How often live projects may call one number. */
  readonly numberLimits: NumberLimits;
  /** Whether opt-outs hold for all live projects or for that to which they were spoken. */
  readonly optOutScope: OptOutScope;
  /** Starts what the answer to a call needs, while it rings. */
  readonly warmUp: WarmUpForAnswer;
  /** What the conversation of a call came to; null when there was none. */
  readonly callResult: (callId: string) => Promise<CallResult | null>;
  /** Where the carrier reaches us, without trailing slash. */
  readonly publicBaseUrl: string;
  readonly now: () => Date;
  /** Waits in the function itself, for the moment at which the carrier takes a call. */
  readonly wait: (milliseconds: number) => Promise<unknown>;
}
