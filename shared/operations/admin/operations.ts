import { apiKeyOperations } from './api-keys.ts';
import { auditLogOperations } from './audit-log.ts';
import { deliveryOperations } from './deliveries.ts';
import { destinationOperations } from './destinations.ts';
import { liveGrantOperations } from './live-grants.ts';
import { memberOperations } from './members.ts';
import { optOutOperations } from './opt-outs.ts';
import { patientExportOperations } from './patient-exports.ts';
import { patientOperations } from './patients.ts';
import { projectOperations } from './projects.ts';
import { taskOperations } from './tasks.ts';
import { webhookOperations } from './webhooks.ts';

/** The management API, for signed-in people. Even read operations write: the audit log records who saw what. */
export const adminOperations = {
  ...projectOperations,
  ...liveGrantOperations,
  ...memberOperations,
  ...auditLogOperations,
  ...patientOperations,
  ...patientExportOperations,
  ...taskOperations,
  ...optOutOperations,
  ...destinationOperations,
  ...apiKeyOperations,
  ...webhookOperations,
  ...deliveryOperations,
};
