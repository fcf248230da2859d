import { openFailFastQueue, openQueue } from '#shared/aws/message-queue.ts';
import type { CallQueue } from '#shared/calls/call-queue.ts';
import { openProjectKeyMaker } from '#shared/encryption/kms-data-key.ts';
import { openKmsEnvelope } from '#shared/encryption/kms-envelope.ts';
import type { ErasureQueue } from '#shared/erasure/erasure-queue.ts';
import type { DataKeyServices } from '#shared/projects/data-key.ts';
import { openTable } from '#shared/table/client.ts';
import { openWebhookNetwork } from '#shared/webhooks/address.ts';
import type { ReplayServices } from '#shared/webhooks/replay.ts';
import type { MemberServices } from './members.ts';
import type { WebhookServices } from './webhooks.ts';

/** What people manage projects with, in the management API and on the dashboard. */
export interface ManagementServices extends DataKeyServices, WebhookServices, ReplayServices, MemberServices {
  readonly publicBaseUrl: string;
  /** Receives new tasks and calls to end. */
  readonly callQueue: CallQueue;
  /** Whether sandbox projects can place calls here. */
  readonly hasSandboxPhone: boolean;
  /** Receives orders to erase. */
  readonly erasureQueue: ErasureQueue;
  /** Of the recordings. */
  readonly bucket: string;
}

export function openManagementServices(env: {
  readonly TABLE_NAME: string;
  readonly SECRETS_KEY_ID: string;
  readonly WEBHOOK_LOOPBACK: string;
  readonly DELIVERY_QUEUE_URL: string;
  readonly MAIL_FROM: string;
  readonly CALL_QUEUE_URL: string;
  readonly SANDBOX_CARRIER_BASE_URL: string;
  readonly ERASURE_QUEUE_URL: string;
  readonly PUBLIC_BASE_URL: string;
  readonly RECORDINGS_BUCKET: string;
}): ManagementServices {
  return {
    table: openTable(env.TABLE_NAME),
    secrets: openKmsEnvelope(env.SECRETS_KEY_ID),
    keys: openProjectKeyMaker(env.TABLE_NAME),
    network: openWebhookNetwork(env.WEBHOOK_LOOPBACK),
    queue: openQueue(env.DELIVERY_QUEUE_URL),
    sendsMail: env.MAIL_FROM !== '',
    callQueue: openFailFastQueue(env.CALL_QUEUE_URL),
    hasSandboxPhone: env.SANDBOX_CARRIER_BASE_URL !== '',
    erasureQueue: openFailFastQueue(env.ERASURE_QUEUE_URL),
    publicBaseUrl: env.PUBLIC_BASE_URL,
    bucket: env.RECORDINGS_BUCKET,
  };
}
