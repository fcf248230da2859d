import type { WebhookAttempt, WebhookDelivery, WebhookEndpoint } from '#shared/domain/webhook.ts';
import { signedHeaders } from './signature.ts';
import { webhookUrlProblem } from './webhook-url.ts';

/** Posts one webhook once and says what happened; a receiver's failure is a result, never an exception. */
export async function sendWebhook(
  endpoint: WebhookEndpoint,
  delivery: WebhookDelivery,
  timeoutMs = 15_000,
): Promise<WebhookAttempt> {
  const sentAt = new Date();
  const startedAt = performance.now();
  const attempt = (result: Pick<WebhookAttempt, 'status_code' | 'error'>): WebhookAttempt => ({
    attempted_at: sentAt.toISOString(),
    duration_ms: Math.round(performance.now() - startedAt),
    ...result,
  });
  if (webhookUrlProblem(endpoint.url, { allowsLoopback: true }) !== null) {
    return attempt({ status_code: null, error: 'address refused' });
  }
  const body = JSON.stringify(delivery.payload);
  try {
    const response = await fetch(endpoint.url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'voice-agent-tasks/1.0',
        ...signedHeaders(endpoint.signing_secret, { id: delivery.id, sentAt, body }),
      },
      body,
      // A redirect would carry the signed body to an address that nobody configured.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    // The answer's text means nothing here, and an endless one must not keep the connection.
    await response.body?.cancel();
    return attempt({ status_code: response.status, error: null });
  } catch (error) {
    return attempt({ status_code: null, error: causeOf(error) });
  }
}

export function isAccepted(attempt: WebhookAttempt): boolean {
  return attempt.status_code !== null && attempt.status_code >= 200 && attempt.status_code < 300;
}

/** A short cause such as `timeout` or `ECONNREFUSED`; the full message may quote addresses. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.name === 'TimeoutError') return 'timeout';
  const { cause } = error;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return cause instanceof Error ? cause.name : error.name;
}
