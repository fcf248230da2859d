import { openManagementServices } from '#shared/admin/management-services.ts';
import { carrierClients } from '#shared/carrier/carriers.ts';
import { tokenAuthentication } from '#shared/identity/verify-token.ts';
import { adminOperations } from '#shared/operations/admin/operations.ts';
import { type AdminHandlers, adminApi } from '#shared/triggers/admin.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { apiKeyHandlers } from './admin/api-keys.ts';
import { auditLogHandlers } from './admin/audit-log.ts';
import { deliveryHandlers } from './admin/deliveries.ts';
import { destinationHandlers } from './admin/destinations.ts';
import { liveGrantHandlers } from './admin/live-grants.ts';
import { memberHandlers } from './admin/members.ts';
import { optOutHandlers } from './admin/opt-outs.ts';
import { patientExportHandlers } from './admin/patient-exports.ts';
import { patientHandlers } from './admin/patients.ts';
import { projectHandlers } from './admin/projects.ts';
import { taskHandlers } from './admin/tasks.ts';
import { webhookHandlers } from './admin/webhooks.ts';
import { manifest } from './manifests/admin.ts';

const env = readEnvironment(manifest.environment);
const services = openManagementServices(env);

const handlers: AdminHandlers<typeof adminOperations> = {
  ...projectHandlers(services),
  ...liveGrantHandlers({
    table: services.table,
    operators: env.OPERATOR_EMAILS,
    liveCarrier: () => carrierClients({ sandbox: '', live: env.LIVE_CARRIER_SECRET_ID }, '')('live'),
  }),
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
