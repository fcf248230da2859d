import { ServiceError } from '#shared/domain/errors.ts';
import type { Permission } from '#shared/domain/permissions.ts';
import type { AdminCaller } from '#shared/domain/person.ts';
import type { WebhookEndpoint } from '#shared/domain/webhook.ts';
import type { Table } from '#shared/table/client.ts';
import { getWebhookEndpoint } from '#shared/table/webhook-endpoint.ts';
import { authorizeProject, type ProjectAccess } from './authorize-project.ts';

/** Path parameters of a webhook endpoint. */
export interface EndpointAddress {
  readonly projectId: string;
  readonly webhookId: string;
}

/** Authorizes access to an endpoint of a project. Throws what `authorizeProject` throws, and `not_found`. */
export async function authorizeEndpoint(
  table: Table,
  caller: AdminCaller,
  { projectId, webhookId }: EndpointAddress,
  needed: Permission,
): Promise<{ access: ProjectAccess; endpoint: WebhookEndpoint }> {
  const access = await authorizeProject(table, caller, projectId, needed);
  const endpoint = await getWebhookEndpoint(table, access.project.id, webhookId);
  if (endpoint === null) throw webhookNotFound();
  return { access, endpoint };
}

export function webhookNotFound(): ServiceError {
  return new ServiceError('not_found', 'Webhook not found');
}
