import type { CarrierLimits } from '#shared/calls/capacity/capacity.ts';
import type { CarrierClient } from '#shared/carrier/carrier-client.ts';
import type { CallResult } from '#shared/domain/call-result.ts';
import type { OptOutScope } from '#shared/domain/opt-out.ts';
import type { CarrierName } from '#shared/domain/project.ts';
import type { RecordingQueue } from '#shared/recordings/recording-queue.ts';
import type { Table } from '#shared/table/client.ts';
import type { CallQueue } from './call-queue.ts';
import type { NumberLimits } from './dial/live-limits.ts';
import type { WarmUpForAnswer } from './warm-up-for-answer.ts';

/** The dependencies of carrying out calls. */
export interface CallServices {
  readonly table: Table;
  readonly queue: CallQueue;
  /** Receives requests to fetch and delete recordings. */
  readonly recordingQueue: RecordingQueue;
  /** The carrier of that name, or null when the service has no credentials for it. */
  readonly carrier: (name: CarrierName) => Promise<CarrierClient | null>;
  /** Call capacity of each carrier. */
  readonly carrierLimits: Readonly<Record<CarrierName, CarrierLimits>>;
  /** How often live projects may call one number. */
  readonly numberLimits: NumberLimits;
  /** Whether opt-outs apply to all live projects or only to the one that made the call. */
  readonly optOutScope: OptOutScope;
  /** Starts the functions that the answer needs, while the call rings. */
  readonly warmUp: WarmUpForAnswer;
  /** The conversation's result of a call; null without a conversation. */
  readonly callResult: (callId: string) => Promise<CallResult | null>;
  /** Base URL for the carrier's callbacks, without trailing slash. */
  readonly publicBaseUrl: string;
  readonly now: () => Date;
  /** Waits in the function until the carrier takes a call. */
  readonly wait: (milliseconds: number) => Promise<unknown>;
}
