import { openQueue } from '#shared/aws/message-queue.ts';
import { type CallbackServices, receiveCallback } from '#shared/calls/carrier-events/receive-callback.ts';
import { openTable } from '#shared/table/client.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { rawEndpoint } from '#shared/triggers/http.ts';
import { warmable } from '#shared/triggers/warmable.ts';
import { manifest } from './manifests/carrier-callback.ts';

const env = readEnvironment(manifest.environment);
const services: CallbackServices = {
  table: openTable(env.TABLE_NAME),
  queue: openQueue(env.CALL_QUEUE_URL),
  secretIds: {
    sandbox: env.SANDBOX_CARRIER_SECRET_ID,
    live: env.LIVE_CARRIER_SECRET_ID,
  },
  publicBaseUrl: env.PUBLIC_BASE_URL,
  relayUrl: env.RELAY_URL,
};

/** POST /carrier/{callback+}: the carrier's reports and questions about a call. */
export const handler = warmable(
  rawEndpoint(async ({ pathParameters, headers, body }) => {
    const document = await receiveCallback(services, {
      path: `/carrier/${pathParameters.callback ?? ''}`,
      signature: headers['x-twilio-signature'],
      form: new URLSearchParams(body.toString('utf8')),
    });
    return document === null
      ? { status: 204 }
      : { status: 200, headers: { 'Content-Type': 'text/xml' }, body: document };
  }),
);
