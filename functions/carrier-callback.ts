import { openCallQueue } from '#shared/calls/call-queue.ts';
import { type CallbackServices, receiveCallback } from '#shared/calls/follow/receive-callback.ts';
import { openTable } from '#shared/table/client.ts';
import { environment } from '#shared/triggers/environment.ts';
import { rawEndpoint } from '#shared/triggers/http.ts';

const services: CallbackServices = {
  table: openTable(environment('TABLE_NAME')),
  queue: openCallQueue(environment('CALL_QUEUE_URL')),
  secretIds: {
    sandbox: environment('SANDBOX_CARRIER_SECRET_ID'),
    live: environment('LIVE_CARRIER_SECRET_ID'),
  },
  publicBaseUrl: environment('PUBLIC_BASE_URL'),
  relayUrl: environment('RELAY_URL'),
};

/** POST /carrier/{kind}/{task_id}/{call_id}: what the carrier reports about a call, and what it asks. */
export const handler = rawEndpoint(async ({ resource, pathParameters, headers, body }) => {
  const document = await receiveCallback(services, {
    kind: resource.split('/')[2] ?? '',
    taskId: pathParameters.task_id ?? '',
    callId: pathParameters.call_id ?? '',
    signature: headers['x-twilio-signature'],
    form: new URLSearchParams(body.toString('utf8')),
  });
  return document === null
    ? { status: 204 }
    : { status: 200, headers: { 'Content-Type': 'text/xml' }, body: document };
});
