import type { S3Client } from '@aws-sdk/client-s3';
import type { CarrierCredentials } from '#shared/carrier/credentials.ts';
import type { LineQueue } from '../line/line-queue.ts';
import type { SandboxStore } from '../store/sandbox-store.ts';

export interface RestServices {
  readonly store: SandboxStore;
  readonly bucket: { readonly client: S3Client; readonly name: string };
  readonly lineQueue: LineQueue;
  readonly credentials: () => Promise<CarrierCredentials>;
  /** The current credentials, for a request that the cached ones refuse. */
  readonly renewedCredentials: () => Promise<CarrierCredentials>;
  readonly publicBaseUrl: string;
  /** The voice URL of the account's numbers, for inbound calls. */
  readonly voiceUrl: string;
  /** The carrier's limit of calls per second; null for no limit. */
  readonly callsPerSecond?: number | null;
  readonly now?: () => Date;
}
