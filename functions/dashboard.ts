import { createDashboard } from '#shared/dashboard/app.tsx';
import { linksBelow } from '#shared/dashboard/links.ts';
import { tokenSealer } from '#shared/dashboard/session/sealed-token.ts';
import { sessionKey } from '#shared/dashboard/session/session-key.ts';
import { signInAt } from '#shared/dashboard/sign-in/sign-in.ts';
import { openProjectKeyMaker } from '#shared/encryption/kms-data-key.ts';
import { openKmsEnvelope } from '#shared/encryption/kms-envelope.ts';
import { openFailFastErasureQueue } from '#shared/erasure/erasure-queue.ts';
import { tokenAuthentication } from '#shared/identity/verify-token.ts';
import { openTable } from '#shared/table/client.ts';
import { openFailFastCallQueue } from '#shared/tasks/enqueue-dial.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { rawEndpoint } from '#shared/triggers/http.ts';
import { openWebhookNetwork } from '#shared/webhooks/address.ts';
import { openDeliveryQueue } from '#shared/webhooks/delivery-queue.ts';
import { manifest } from './manifests/dashboard.ts';

const env = readEnvironment(manifest.environment);
const publicBaseUrl = env.PUBLIC_BASE_URL;
const links = linksBelow(publicBaseUrl);
const provider = { issuer: env.OIDC_ISSUER, clientId: env.OIDC_CLIENT_ID };

export const handler = rawEndpoint(
  createDashboard({
    table: openTable(env.TABLE_NAME),
    secrets: openKmsEnvelope(env.SECRETS_KEY_ID),
    keys: openProjectKeyMaker(env.TABLE_NAME),
    network: openWebhookNetwork(env.WEBHOOK_LOOPBACK),
    queue: openDeliveryQueue(env.DELIVERY_QUEUE_URL),
    sendsMail: env.MAIL_FROM !== '',
    publicBaseUrl,
    callQueue: openFailFastCallQueue(env.CALL_QUEUE_URL),
    erasureQueue: openFailFastErasureQueue(env.ERASURE_QUEUE_URL),
    hasSandboxPhone: env.SANDBOX_CARRIER_BASE_URL !== '',
    bucket: env.RECORDINGS_BUCKET,
    links,
    sealer: tokenSealer(sessionKey(env.SESSION_SECRET_ID)),
    signIn: signInAt(provider, {
      redirectUri: links.signedIn,
      homeAddress: `${links.origin}${links.home}`,
      personOfToken: tokenAuthentication(provider),
    }),
  }),
);
