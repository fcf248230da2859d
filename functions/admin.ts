import { openProjectKeyMaker } from '#shared/encryption/kms-data-key.ts';
import { openKmsEnvelope } from '#shared/encryption/kms-envelope.ts';
import { openFailFastErasureQueue } from '#shared/erasure/erasure-queue.ts';
import { tokenAuthentication } from '#shared/identity/verify-token.ts';
import { adminOperations } from '#shared/operations/admin/operations.ts';
import { openTable } from '#shared/table/client.ts';
import { openFailFastCallQueue } from '#shared/tasks/enqueue-dial.ts';
import { type AdminHandlers, adminApi } from '#shared/triggers/admin.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { openWebhookNetwork } from '#shared/webhooks/address.ts';
import { openDeliveryQueue } from '#shared/webhooks/delivery-queue.ts';
import type { AdminServices } from './admin/admin-services.ts';
import { apiKeyHandlers } from './admin/api-keys.ts';
import { auditLogHandlers } from './admin/audit-log.ts';
import { deliveryHandlers } from './admin/deliveries.ts';
import { destinationHandlers } from './admin/destinations.ts';
import { memberHandlers } from './admin/members.ts';
import { optOutHandlers } from './admin/opt-outs.ts';
import { patientExportHandlers } from './admin/patient-exports.ts';
import { patientHandlers } from './admin/patients.ts';
import { projectHandlers } from './admin/projects.ts';
import { taskHandlers } from './admin/tasks.ts';
import { webhookHandlers } from './admin/webhooks.ts';
import { manifest } from './manifests/admin.ts';

const env = readEnvironment(manifest.environment);
const services: AdminServices = {
  table: openTable(env.TABLE_NAME),
  secrets: openKmsEnvelope(env.SECRETS_KEY_ID),
  keys: openProjectKeyMaker(env.TABLE_NAME),
  network: openWebhookNetwork(env.WEBHOOK_LOOPBACK),
  queue: openDeliveryQueue(env.DELIVERY_QUEUE_URL),
  sendsMail: env.MAIL_FROM !== '',
  callQueue: openFailFastCallQueue(env.CALL_QUEUE_URL),
  hasSandboxPhone: env.SANDBOX_CARRIER_BASE_URL !== '',
  erasureQueue: openFailFastErasureQueue(env.ERASURE_QUEUE_URL),
  publicBaseUrl: env.PUBLIC_BASE_URL,
  bucket: env.RECORDINGS_BUCKET,
};

const handlers: AdminHandlers<typeof adminOperations> = {
  ...projectHandlers(services),
  ...memberHandlers(services),
  ...auditLogHandlers(services),
  ...patientHandlers(services),
  ...patientExportHandlers(services),
  ...taskHandlers(services),
  ...optOutHandlers(services),
  ...destinationHandlers(services),
  ...apiKeyHandlers(services),
  ...webhookHandlers(services),
  ...deliveryHandlers(services),
};

/** The management API: every method of `/admin/{proxy+}`. */
export const handler = adminApi({
  operations: adminOperations,
  handlers,
  authenticate: tokenAuthentication({ issuer: env.OIDC_ISSUER, clientId: env.OIDC_CLIENT_ID }),
});
