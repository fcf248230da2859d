import { randomBytes } from 'node:crypto';
import { hourMs, timestampAfter } from '#shared/domain/time.ts';
import type { SealedSigningSecret, WebhookEndpoint } from '#shared/domain/webhook.ts';
import { type KmsEnvelope, type SealContext, SecretNotOpenedError } from '#shared/encryption/kms-envelope.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { logError } from '#shared/observability/log.ts';

const secretBytes = 32;
/** Maximum concurrent signing secrets, because each adds to a header; the oldest gives way. */
const maxSigningSecrets = 5;

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
 * All current signing secrets in plain text, newest first. Throws a `SecretNotOpenedError` if the current one cannot
 * be decrypted; omits older ones that cannot, so that a rotation fixes it. Both raise an alarm.
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
 * The secrets after `next` became the current one. The previous one signs for some more hours, so that receivers can
 * switch without missing a webhook; expiring ones keep their time.
 *
 * @param overlapHours 0 for a leaked secret: then no old one signs anymore
 */
export function rotatedSecrets(
  previous: readonly SealedSigningSecret[],
  next: SealedSigningSecret,
  overlapHours: number,
  now: Date,
): SealedSigningSecret[] {
  if (overlapHours === 0) return [next];
  const ending = timestampAfter(now, overlapHours * hourMs);
  const others = previous.map((secret) => ({ ...secret, expires_at: secret.expires_at ?? ending }));
  return [next, ...unexpired(others, now)].slice(0, maxSigningSecrets);
}

function unexpired(secrets: readonly SealedSigningSecret[], now: Date): SealedSigningSecret[] {
  return secrets.filter(({ expires_at }) => expires_at === null || Date.parse(expires_at) > now.getTime());
}

/** A sealed secret copied to another endpoint does not open there. */
function contextOf({ id, project_id }: EndpointKey): SealContext {
  return { project_id, webhook_id: id };
}
