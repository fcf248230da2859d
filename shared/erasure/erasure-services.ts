import type { CallServices } from '#shared/calls/call-services.ts';
import type { ProjectKeyMaker } from '#shared/encryption/kms-data-key.ts';
import type { RecordingStore } from '#shared/recordings/recording-store.ts';
import type { ErasureQueue } from './erasure-queue.ts';

/** The dependencies of erasing. */
export interface ErasureServices extends Pick<CallServices, 'table' | 'queue' | 'carrier' | 'now'> {
  readonly recordings: RecordingStore;
  /** Deletes the keys of projects. */
  readonly keys: Pick<ProjectKeyMaker, 'delete'>;
  readonly erasureQueue: ErasureQueue;
}

/** Why something cannot be erased yet. */
export interface Delay {
  /** As a sentence, for readers of the receipt. */
  readonly reason: string;
  /** When that ends at the latest; null if unknown. */
  readonly until: Date | null;
  /** When the last access to an erased project ended, for the receipt. */
  readonly closedAt?: Date;
}
