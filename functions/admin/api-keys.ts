import {
  type ApiKeyAddress,
  ApiKeyRotation,
  createApiKey,
  NewApiKey,
  revokeApiKey,
  rotateApiKey,
} from '#shared/admin/api-keys.ts';
import type { ManagementServices } from '#shared/admin/management-services.ts';
import { listApiKeysLinked } from '#shared/http/admin-lists.ts';
import { readProjectId } from '#shared/http/admin-requests.ts';
import { readBody } from '#shared/http/json-body.ts';
import { readListPosition } from '#shared/http/list-page.ts';
import { readPathId } from '#shared/http/parameters.ts';
import type { apiKeyOperations } from '#shared/operations/admin/api-keys.ts';
import type { AdminHandlers } from '#shared/triggers/admin.ts';
import type { RawRequest } from '#shared/triggers/http.ts';

const readKeyAddress = (request: RawRequest): ApiKeyAddress => ({
  projectId: readProjectId(request),
  apiKeyId: readPathId(request, 'api_key_id', 'API key'),
});

export function apiKeyHandlers(services: ManagementServices): AdminHandlers<typeof apiKeyOperations> {
  const { table } = services;
  return {
    listApiKeys: (caller, request) =>
      listApiKeysLinked(services, caller, readProjectId(request), readListPosition(request)),
    createApiKey: async (caller, request) => ({
      body: await createApiKey(table, caller, readProjectId(request), readBody(request, NewApiKey)),
    }),
    revokeApiKey: async (caller, request) => ({
      body: await revokeApiKey(table, caller, readKeyAddress(request)),
    }),
    rotateApiKey: async (caller, request) => {
      const address = readKeyAddress(request);
      const rotation = readBody(request, ApiKeyRotation);
      return { body: await rotateApiKey(table, caller, address, rotation) };
    },
  };
}
