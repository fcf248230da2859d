import type { S3Client } from '@aws-sdk/client-s3';
import type { CarrierCredentials } from '#shared/carrier/credentials.ts';
import type { LineQueue } from '../line/line-queue.ts';
import type { SandboxStore } from '../store/sandbox-store.ts';

export interface RestServices {
  readonly store: SandboxStore;
  readonly bucket: { readonly client: S3Client; readonly name: string };
  readonly lineQueue: LineQueue;
  readonly credentials: () => Promise<CarrierCredentials>;
  /** The credentials as they are now, for somebody whom those that were read earlier do not let in. */
  readonly renewedCredentials: () => Promise<CarrierCredentials>;
  readonly publicBaseUrl: string;
  /** Where the account's numbers ask what to do with those who call them. */
  readonly voiceUrl: string;
  /** How many calls the account may start in a second, as the carrier limits it; null: as many as are asked for. */
  readonly callsPerSecond?: number | null;
  readonly now?: () => Date;
}
