import type { S3Client } from '@aws-sdk/client-s3';
import type { Directory } from '../personas/directory.ts';
import type { SpeechKind } from '../sound/speech.ts';
import type { SandboxStore } from '../store/sandbox-store.ts';
import type { LineQueue } from './line-queue.ts';

export interface LineServices {
  readonly store: SandboxStore;
  readonly lineQueue: LineQueue;
  readonly bucket: { readonly client: S3Client; readonly name: string };
  readonly authToken: string;
  readonly publicBaseUrl: string;
  readonly relayUrl: string;
  /** Real seconds per natural second. */
  readonly pace: number;
  readonly speech: SpeechKind;
  readonly directory: Directory;
  readonly now?: () => Date;
}
