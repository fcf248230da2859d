import { SQSClient } from '@aws-sdk/client-sqs';
import { createDashboard } from '#shared/dashboard/app.tsx';
import { linksBelow } from '#shared/dashboard/links.ts';
import { tokenSealer } from '#shared/dashboard/session/sealed-token.ts';
import { sessionKey } from '#shared/dashboard/session/session-key.ts';
import { signInAt } from '#shared/dashboard/sign-in/sign-in.ts';
import { openSecretBox } from '#shared/encryption/secret-box.ts';
import { tokenAuthentication } from '#shared/identity/verify-token.ts';
import { openTable } from '#shared/table/client.ts';
import { openAnnouncementQueue } from '#shared/tasks/announce-task.ts';
import { environment } from '#shared/triggers/environment.ts';
import { rawEndpoint } from '#shared/triggers/http.ts';
import { openWebhookNetwork } from '#shared/webhooks/address.ts';

const publicBaseUrl = environment('PUBLIC_BASE_URL');
const links = linksBelow(publicBaseUrl);
const provider = { issuer: environment('OIDC_ISSUER'), clientId: environment('OIDC_CLIENT_ID') };

export const handler = rawEndpoint(
  createDashboard({
    table: openTable(environment('TABLE_NAME')),
    secrets: openSecretBox(environment('SECRETS_KEY_ID')),
    network: openWebhookNetwork(environment('WEBHOOK_LOOPBACK')),
    queue: { url: environment('DELIVERY_QUEUE_URL'), client: new SQSClient({}) },
    publicBaseUrl,
    callQueue: openAnnouncementQueue(environment('CALL_QUEUE_URL')),
    bucket: environment('RECORDINGS_BUCKET'),
    links,
    sealer: tokenSealer(sessionKey(environment('SESSION_SECRET_ID'))),
    signIn: signInAt(provider, {
      redirectUri: links.signedIn,
      homeAddress: `${links.origin}${links.home}`,
      personOfToken: tokenAuthentication(provider),
    }),
  }),
);
