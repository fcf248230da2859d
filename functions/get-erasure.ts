import { getErasureReceipt } from '#shared/erasure/order-erasure.ts';
import { openClientApi } from '#shared/http/client-api.ts';
import { readPathId } from '#shared/http/parameters.ts';
import { getErasure } from '#shared/operations/v1/get-erasure.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { apiEndpoint } from '#shared/triggers/http.ts';
import { manifest } from './manifests/get-erasure.ts';

const env = readEnvironment(manifest.environment);
const { table, admission } = openClientApi(env);

export const handler = apiEndpoint(getErasure, {
  ...admission,
  parse: (request) => readPathId(request, 'erasure_id', 'erasure'),
  perform: async ({ projectId }, id) => ({ body: await getErasureReceipt(table, projectId, id) }),
});
