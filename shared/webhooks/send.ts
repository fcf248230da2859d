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

/** The result of one attempt, without its number. */
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

/** The stored part of a receiver's response. */
const keptHeaders = ['content-type', 'location', 'retry-after', 'server'];
const mostHeaderCharacters = 200;
const mostBodyBytes = 16 * 1024;

/**
 * Posts one webhook once and returns the result. A receiver's failure is a result, never an exception, and so is an
 * undecryptable secret, which its owner must see; a transient failure to decrypt is thrown, because it is no fault
 * of the receiver. A success status means acceptance: a body that breaks off or takes too long after that changes
 * nothing.
 *
 * @param timeoutMs for the whole attempt, including the response body
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

/** Reads no more than is stored, then closes the connection: a response may be large or endless. */
async function readBeginning(response: IncomingMessage): Promise<WebhookResponse> {
  const headers = Object.fromEntries(
    keptHeaders.flatMap((name) => {
      const value = response.headers[name];
      return value === undefined ? [] : [[name, String(value).slice(0, mostHeaderCharacters)]];
    }),
  );
  const { bytes, isWhole } = await readBytes(response);
  const text = lenientText(bytes);
  // Binary data grows as text, because each invalid byte becomes a character of three.
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
    // It broke off, or timed out: uses what has arrived.
    return { bytes: Buffer.concat(chunks), isWhole: false };
  }
}

/** The text at the beginning of the bytes, without a character cut off at the end. */
function lenientText(bytes: Buffer): string {
  return new TextDecoder().decode(bytes.subarray(0, mostBodyBytes), { stream: true });
}
