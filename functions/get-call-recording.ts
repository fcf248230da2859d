import * as z from 'zod/mini';
import { apiKeyAuthentication } from '#shared/http/api-key-authentication.ts';
import { readPathId } from '#shared/http/parameters.ts';
import { recordingLink } from '#shared/recordings/recording-link.ts';
import { openTable } from '#shared/table/client.ts';
import { projectRateLimit } from '#shared/throttling/project-rate-limit.ts';
import { environment } from '#shared/triggers/environment.ts';
import { apiEndpoint } from '#shared/triggers/http.ts';

const table = openTable(environment('TABLE_NAME'));
const bucket = environment('RECORDINGS_BUCKET');

export const handler = apiEndpoint({
  authenticate: apiKeyAuthentication(table),
  limitRate: projectRateLimit(table, environment('PROJECT_REQUESTS_PER_SECOND')),
  parse: (request) => readPathId(request, 'call_id', 'call'),
  perform: async ({ projectId }, callId) => ({
    status: 302,
    headers: { Location: await recordingLink(table, bucket, projectId, callId) },
    body: null,
  }),
  response: z.null(),
});
