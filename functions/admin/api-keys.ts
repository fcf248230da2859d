import {
  ApiKeyRotation,
  createApiKey,
  NewApiKey,
  readApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '#shared/admin/api-keys.ts';
import { readProjectId } from '#shared/admin/named-project.ts';
import { readBody } from '#shared/http/json-body.ts';
import { readListPosition } from '#shared/http/list-page.ts';
import { readPathId } from '#shared/http/parameters.ts';
import type { apiKeyOperations } from '#shared/operations/admin/api-keys.ts';
import type { AdminHandlers } from '#shared/triggers/admin.ts';
import type { RawRequest } from '#shared/triggers/http.ts';
import type { AdminServices } from './admin-services.ts';

const readKeyId = (request: RawRequest): string => readPathId(request, 'api_key_id', 'API key');

export function apiKeyHandlers(services: AdminServices): AdminHandlers<typeof apiKeyOperations> {
  const { table } = services;
  return {
    listApiKeys: (caller, request) =>
      readApiKeys(services, caller, readProjectId(request), readListPosition(request)),
    createApiKey: async (caller, request) => ({
      body: await createApiKey(table, caller, readProjectId(request), readBody(request, NewApiKey)),
    }),
    revokeApiKey: async (caller, request) => ({
      body: await revokeApiKey(table, caller, readProjectId(request), readKeyId(request)),
    }),
    rotateApiKey: async (caller, request) => {
      const keyId = readKeyId(request);
      const rotation = readBody(request, ApiKeyRotation);
      return { body: await rotateApiKey(table, caller, readProjectId(request), keyId, rotation) };
    },
  };
}
