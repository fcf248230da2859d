import type { IncomingMessage } from 'node:http';
import type {
  RecordedAttempt,
  WebhookAttempt,
  WebhookEndpoint,
  WebhookResponse,
} from '#shared/domain/webhook.ts';
import { type KmsEnvelope, SecretNotOpenedError } from '#shared/encryption/kms-envelope.ts';
import type { WebhookNetwork } from './address.ts';
import { postWebhook } from './connect.ts';
import { failureCause } from './failure-cause.ts';
import { signedHeaders } from './signature.ts';
import { openSigningSecrets } from './signing-secret.ts';

/** What became of one attempt, still without its place among the attempts of its delivery. */
export type SentAttempt = Omit<RecordedAttempt, 'number'>;

export interface SendServices {
  readonly network: WebhookNetwork;
  readonly secrets: KmsEnvelope;
  readonly now: () => Date;
}

/** What is posted: the `webhook-id` and the signed JSON text. */
interface Message {
  readonly id: string;
  readonly body: string;
}

/** What is kept of a receiver's answer. */
const keptHeaders = ['content-type', 'location', 'retry-after', 'server'];
const mostHeaderCharacters = 200;
const mostBodyBytes = 16 * 1024;

/**
 * Posts one webhook once and says what happened. A receiver's failure is a result, never an exception, and so
 * is a secret that does not open, which its owner must see; thrown is what keeps us from asking for the
 * secret, because that passes and is no fault of the receiver. The receiver has accepted it as soon as its
 * status says so: a body that breaks off or takes too long after that changes nothing.
 *
 * @param timeoutMs for the whole attempt, the body of the answer included
 */
export async function sendWebhook(
  { network, secrets, now }: SendServices,
  endpoint: WebhookEndpoint,
  { id, body }: Message,
  timeoutMs = 15_000,
): Promise<SentAttempt> {
  const signingSecrets = await openSigningSecrets(secrets, endpoint, now()).catch(lastingFailure);
  const sentAt = now();
  const startedAt = performance.now();
  const attempt = (result: Pick<SentAttempt, 'status_code' | 'error' | 'response'>): SentAttempt => ({
    attempted_at: sentAt.toISOString(),
    duration_ms: Math.round(performance.now() - startedAt),
    ...result,
  });
  if (signingSecrets instanceof SecretNotOpenedError) {
    return attempt({ status_code: null, error: failureCause(signingSecrets), response: null });
  }
  try {
    const response = await postWebhook(network, {
      url: endpoint.url,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'voice-agent-tasks/1.0',
        ...signedHeaders(signingSecrets, { id, sentAt, body }),
      },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const status_code = response.statusCode ?? null;
    return attempt({ status_code, error: null, response: await readBeginning(response) });
  } catch (error) {
    return attempt({ status_code: null, error: failureCause(error), response: null });
  }
}

/** The permanent reason why the attempt failed; rethrows a transient one. */
function lastingFailure(error: unknown): SecretNotOpenedError {
  if (error instanceof SecretNotOpenedError) return error;
  throw error;
}

export function isAccepted(attempt: Pick<WebhookAttempt, 'status_code'>): boolean {
  return attempt.status_code !== null && attempt.status_code >= 200 && attempt.status_code < 300;
}

/** Reads no more than is kept, then closes the connection: an answer may be large, or never end. */
async function readBeginning(response: IncomingMessage): Promise<WebhookResponse> {
  const headers = Object.fromEntries(
    keptHeaders.flatMap((name) => {
      const value = response.headers[name];
      return value === undefined ? [] : [[name, String(value).slice(0, mostHeaderCharacters)]];
    }),
  );
  const { bytes, isWhole } = await readBytes(response);
  const text = lenientText(bytes);
  // What is no text takes more room as text, because each stray byte becomes a character of three.
  const body = lenientText(Buffer.from(text));
  return { headers, body, truncated: !isWhole || body.length < text.length };
}

async function readBytes(response: IncomingMessage): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response) {
      chunks.push(Buffer.from(chunk));
      length += chunk.length;
      if (length > mostBodyBytes) return { bytes: Buffer.concat(chunks), isWhole: false };
    }
    return { bytes: Buffer.concat(chunks), isWhole: true };
  } catch {
    // It broke off, or time is up: what came until then is what there is.
    return { bytes: Buffer.concat(chunks), isWhole: false };
  }
}

/** The text with which the bytes begin; a character that is cut off at the end is left out. */
function lenientText(bytes: Buffer): string {
  return new TextDecoder().decode(bytes.subarray(0, mostBodyBytes), { stream: true });
}
