import {
  ApiKeyList,
  ApiKeyResource,
  ApiKeyRotation,
  CreatedApiKey,
  createApiKey,
  NewApiKey,
  RotatedApiKey,
  revokeApiKey,
  rotateApiKey,
} from '#shared/admin/api-keys.ts';
import { listApiKeysLinked } from '#shared/http/admin-lists.ts';
import { readProjectId } from '#shared/http/admin-requests.ts';
import { readBody } from '#shared/http/json-body.ts';
import { readListPosition } from '#shared/http/list-page.ts';
import { readPathId } from '#shared/http/parameters.ts';
import { signedInPerson } from '#shared/identity/signed-in-person.ts';
import { openTable } from '#shared/table/client.ts';
import { adminEndpoint, adminFunction } from '#shared/triggers/admin.ts';
import { environment } from '#shared/triggers/environment.ts';
import type { RawRequest } from '#shared/triggers/http.ts';

const table = openTable(environment('TABLE_NAME'));
const publicBaseUrl = environment('PUBLIC_BASE_URL');

const readKey = (request: RawRequest): { projectId: string; apiKeyId: string } => ({
  projectId: readProjectId(request),
  apiKeyId: readPathId(request, 'api_key_id', 'API key'),
});

export const handler = adminFunction({
  authenticate: signedInPerson(),
  operations: {
    'GET /admin/projects/{project_id}/api-keys': adminEndpoint({
      parse: (request) => ({ projectId: readProjectId(request), position: readListPosition(request) }),
      perform: async (caller, { projectId, position }) => ({
        status: 200,
        ...(await listApiKeysLinked({ table, publicBaseUrl }, caller, projectId, position)),
      }),
      response: ApiKeyList,
    }),
    'POST /admin/projects/{project_id}/api-keys': adminEndpoint({
      parse: (request) => ({ projectId: readProjectId(request), newApiKey: readBody(request, NewApiKey) }),
      perform: async (caller, { projectId, newApiKey }) => ({
        status: 201,
        body: await createApiKey(table, caller, projectId, newApiKey),
      }),
      response: CreatedApiKey,
    }),
    'POST /admin/projects/{project_id}/api-keys/{api_key_id}/revoke': adminEndpoint({
      parse: readKey,
      perform: async (caller, { projectId, apiKeyId }) => ({
        status: 200,
        body: await revokeApiKey(table, caller, { projectId, apiKeyId }),
      }),
      response: ApiKeyResource,
    }),
    'POST /admin/projects/{project_id}/api-keys/{api_key_id}/rotate': adminEndpoint({
      parse: (request) => ({ ...readKey(request), rotation: readBody(request, ApiKeyRotation) }),
      perform: async (caller, { projectId, apiKeyId, rotation }) => ({
        status: 201,
        body: await rotateApiKey(table, caller, { projectId, apiKeyId }, rotation),
      }),
      response: RotatedApiKey,
    }),
  },
});
