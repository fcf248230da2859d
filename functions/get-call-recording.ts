import { recordingSeen } from '#shared/audit/actions.ts';
import { clientAccess } from '#shared/audit/client-access.ts';
import { apiKeyAuthentication } from '#shared/http/api-key-authentication.ts';
import { readPathId } from '#shared/http/parameters.ts';
import { getCallRecording } from '#shared/operations/v1/get-call-recording.ts';
import { recordingLink } from '#shared/recordings/recording-link.ts';
import { openTable } from '#shared/table/client.ts';
import { projectRateLimit } from '#shared/throttling/project-rate-limit.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { apiEndpoint } from '#shared/triggers/http.ts';
import { manifest } from './manifests/get-call-recording.ts';

const env = readEnvironment(manifest.environment);
const table = openTable(env.TABLE_NAME);
const access = clientAccess(table);
const bucket = env.RECORDINGS_BUCKET;

export const handler = apiEndpoint(getCallRecording, {
  authenticate: apiKeyAuthentication(table),
  limitRate: projectRateLimit(table, env.PROJECT_REQUESTS_PER_SECOND),
  parse: (request) => readPathId(request, 'call_id', 'call'),
  perform: async (caller, callId) => {
    const Location = await recordingLink(table, bucket, caller.projectId, callId);
    await access.seen(caller, recordingSeen(callId));
    return { headers: { Location }, body: null };
  },
});
