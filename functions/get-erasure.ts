import { getErasureReceipt } from '#shared/erasure/order-erasure.ts';
import { apiKeyAuthentication } from '#shared/http/api-key-authentication.ts';
import { readPathId } from '#shared/http/parameters.ts';
import { getErasure } from '#shared/operations/v1/get-erasure.ts';
import { openTable } from '#shared/table/client.ts';
import { projectRateLimit } from '#shared/throttling/project-rate-limit.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { apiEndpoint } from '#shared/triggers/http.ts';
import { manifest } from './manifests/get-erasure.ts';

const env = readEnvironment(manifest.environment);
const table = openTable(env.TABLE_NAME);

// Bypasses `openClientApi`: this function writes no access entries and has no permission to.
export const handler = apiEndpoint(getErasure, {
  authenticate: apiKeyAuthentication(table),
  limitRate: projectRateLimit(table, env.PROJECT_REQUESTS_PER_SECOND),
  parse: (request) => readPathId(request, 'erasure_id', 'erasure'),
  perform: async ({ projectId }, id) => ({ body: await getErasureReceipt(table, projectId, id) }),
});
