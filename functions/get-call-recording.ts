import { recordingSeen } from '#shared/audit/actions.ts';
import { openClientApi } from '#shared/http/client-api.ts';
import { readPathId } from '#shared/http/parameters.ts';
import { getCallRecording } from '#shared/operations/v1/get-call-recording.ts';
import { recordingLink } from '#shared/recordings/recording-link.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { apiEndpoint } from '#shared/triggers/http.ts';
import { manifest } from './manifests/get-call-recording.ts';

const env = readEnvironment(manifest.environment);
const { table, access, admission } = openClientApi(env);
const bucket = env.RECORDINGS_BUCKET;

export const handler = apiEndpoint(getCallRecording, {
  ...admission,
  parse: (request) => readPathId(request, 'call_id', 'call'),
  perform: async (caller, callId) => {
    const Location = await recordingLink(table, bucket, caller.projectId, callId);
    await access.seen(caller, recordingSeen(callId));
    return { headers: { Location }, body: null };
  },
});
