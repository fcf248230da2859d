import { ServiceError } from '#shared/domain/errors.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import type { Permission } from '#shared/domain/permissions.ts';
import type { AdminCaller } from '#shared/domain/person.ts';
import type { WebhookEndpoint } from '#shared/domain/webhook.ts';
import type { Table } from '#shared/table/client.ts';
import { getWebhookEndpoint } from '#shared/table/webhook-endpoint.ts';
import type { RawRequest } from '#shared/triggers/http.ts';
import { enterProject, type ProjectAccess } from './enter-project.ts';

/** Which webhook endpoint, as the path names it. */
export interface EndpointAddress {
  readonly projectId: string;
  readonly webhookId: string;
}

/** The identifiers in the path. Throws `invalid_request`; `enterProject` says whether there is such a project. */
export function readEndpointAddress({ pathParameters }: Pick<RawRequest, 'pathParameters'>): EndpointAddress {
  const webhookId = Uuid.safeParse(pathParameters.webhook_id);
  if (!webhookId.success) throw new ServiceError('invalid_request', 'Invalid webhook ID format');
  return { projectId: pathParameters.project_id ?? '', webhookId: webhookId.data };
}

/** Lets a member of the project at one of its endpoints. Throws what `enterProject` throws, and `not_found`. */
export async function enterEndpoint(
  table: Table,
  caller: AdminCaller,
  { projectId, webhookId }: EndpointAddress,
  needed: Permission,
): Promise<{ access: ProjectAccess; endpoint: WebhookEndpoint }> {
  const access = await enterProject(table, caller, projectId, needed);
  const endpoint = await getWebhookEndpoint(table, access.project.id, webhookId);
  if (endpoint === null) throw webhookNotFound();
  return { access, endpoint };
}

export function webhookNotFound(): ServiceError {
  return new ServiceError('not_found', 'Webhook not found');
}
