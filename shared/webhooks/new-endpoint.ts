import { invalidField } from '#shared/domain/errors.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { PayloadForm, WebhookEndpoint } from '#shared/domain/webhook.ts';
import type { KmsEnvelope } from '#shared/encryption/kms-envelope.ts';
import type { WebhookNetwork } from './address.ts';
import { newSigningSecret, sealSigningSecret } from './signing-secret.ts';
import { webhookAddressProblem } from './webhook-url.ts';

/** What creating an endpoint requires. */
export interface EndpointServices {
  readonly secrets: KmsEnvelope;
  readonly network: WebhookNetwork;
}

export interface CreatedEndpoint {
  readonly endpoint: WebhookEndpoint;
  /** In plain text, for the response that creates the endpoint. */
  readonly signingSecret: string;
}

/** A new endpoint with its own secret; writes nothing. Throws `invalid_request` for an invalid address. */
export async function newEndpoint(
  { secrets, network }: EndpointServices,
  projectId: string,
  settings: Pick<WebhookEndpoint, 'url' | 'description' | 'events'> & { payload?: PayloadForm },
  now: Date,
): Promise<CreatedEndpoint> {
  await checkWebhookAddress(network, settings.url);
  const key = { id: uuidv7(now.getTime()), project_id: projectId };
  const signingSecret = newSigningSecret();
  const endpoint = {
    ...key,
    payload: 'minimal' as const,
    ...settings,
    signing_secrets: [await sealSigningSecret(secrets, key, signingSecret, now)],
    enabled: true,
    disabled_reason: null,
    disabled_at: null,
    failing_since: null,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  };
  return { endpoint, signingSecret };
}

/** Throws `invalid_request` with a reason if webhooks cannot be sent to the address. */
export async function checkWebhookAddress(network: WebhookNetwork, url: string): Promise<void> {
  const problem = await webhookAddressProblem(url, network);
  if (problem !== null) throw invalidField('url', problem);
}
