import type { Operation } from '../operation.ts';
import { lacksScope } from '../parameters.ts';

export const getCallRecording = {
  method: 'GET',
  path: '/v1/call/{call_id}/recording',
  authentication: 'api-key',
  summary: 'Redirect to a short-lived link to the recording of a call.',
  tag: 'Recordings',
  scope: 'recordings:read',
  description:
    'The recording is a WAV file: the person called on the left channel, the agent on the right. The link ' +
    'is valid for 300 seconds and needs no API key.',
  success: {
    status: 302,
    description: 'The link to the recording.',
    schema: null,
    headers: ['Location'],
  },
  errors: {
    400: ['Invalid call ID format'],
    403: [lacksScope('recordings:read')],
    404: ['Call not found', 'Recording not found'],
  },
} as const satisfies Operation;
