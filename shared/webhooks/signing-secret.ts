import { randomBytes } from 'node:crypto';
import type { SealedSigningSecret, WebhookEndpoint } from '#shared/domain/webhook.ts';
import { type KmsEnvelope, type SealContext, SecretNotOpenedError } from '#shared/encryption/kms-envelope.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { logError } from '#shared/observability/log.ts';

const secretBytes = 32;
/** How many secrets sign at the same time at most, because each is a part of a header; the oldest gives way. */
const maxSigningSecrets = 5;
const hourMs = 60 * 60 * 1000;

type EndpointKey = Pick<WebhookEndpoint, 'id' | 'project_id'>;

/** `whsec_` and random bytes in base64, as Standard Webhooks writes symmetric secrets. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`;
}

export async function sealSigningSecret(
  secrets: KmsEnvelope,
  endpoint: EndpointKey,
  secret: string,
  now: Date,
): Promise<SealedSigningSecret> {
  return {
    sealed: await secrets.seal(secret, contextOf(endpoint)),
    created_at: now.toISOString(),
    expires_at: null,
  };
}

/** The current secret of an endpoint in plain text. */
export async function openCurrentSecret(secrets: KmsEnvelope, endpoint: WebhookEndpoint): Promise<string> {
  const [current] = endpoint.signing_secrets;
  if (current === undefined) throw new Error(`endpoint ${endpoint.id} has no signing secret`);
  return secrets.open(current.sealed, contextOf(endpoint));
}

/**
 * All secrets that sign now, in plain text, newest first. Throws a `SecretNotOpenedError` when the current
 * one does not open; an older one that does not is left out, so that a rotation fixes it. Both raise an
 * alarm.
 */
export async function openSigningSecrets(
  secrets: KmsEnvelope,
  endpoint: WebhookEndpoint,
  now: Date,
): Promise<string[]> {
  const opening = unexpired(endpoint.signing_secrets, now).map(async ({ sealed, expires_at }) => {
    try {
      return [await secrets.open(sealed, contextOf(endpoint))];
    } catch (error) {
      if (!(error instanceof SecretNotOpenedError)) throw error;
      logError(alarmingEvents.webhookSecretNotOpened, error, { webhook_id: endpoint.id });
      if (expires_at === null) throw error;
      return [];
    }
  });
  return (await Promise.all(opening)).flat();
}

/**
 * The secrets after `next` became the current one. The one before it signs for some hours more, so that receivers can
 * change over without a webhook that they cannot verify; those that were on their way out keep their time.
 *
 * @param overlapHours 0 when an old secret has leaked: then no old one signs any more
 */
export function rotatedSecrets(
  previous: readonly SealedSigningSecret[],
  next: SealedSigningSecret,
  overlapHours: number,
  now: Date,
): SealedSigningSecret[] {
  if (overlapHours === 0) return [next];
  const ending = new Date(now.getTime() + overlapHours * hourMs).toISOString();
  const others = previous.map((secret) => ({ ...secret, expires_at: secret.expires_at ?? ending }));
  return [next, ...unexpired(others, now)].slice(0, maxSigningSecrets);
}

function unexpired(secrets: readonly SealedSigningSecret[], now: Date): SealedSigningSecret[] {
  return secrets.filter(({ expires_at }) => expires_at === null || Date.parse(expires_at) > now.getTime());
}

/** A sealed secret that was copied to another endpoint does not open there. */
function contextOf({ id, project_id }: EndpointKey): SealContext {
  return { project_id, webhook_id: id };
}
