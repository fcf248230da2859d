import type { MemberServices } from '#shared/admin/members.ts';
import type { WebhookServices } from '#shared/admin/webhooks.ts';
import type { CallQueue } from '#shared/calls/call-queue.ts';
import type { ProjectKeyMaker } from '#shared/encryption/kms-data-key.ts';
import type { ErasureQueue } from '#shared/erasure/erasure-queue.ts';
import type { ReplayServices } from '#shared/webhooks/replay.ts';

/** Services behind the management API. */
export interface AdminServices extends WebhookServices, ReplayServices, MemberServices {
  readonly keys: ProjectKeyMaker;
  readonly publicBaseUrl: string;
  /** Receives new tasks and calls to end. */
  readonly callQueue: CallQueue;
  /** Whether sandbox projects can place calls here. */
  readonly hasSandboxPhone: boolean;
  readonly erasureQueue: ErasureQueue;
  /** Holds the recordings. */
  readonly bucket: string;
}
