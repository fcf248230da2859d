import { createHmac } from 'node:crypto';

/**
 * The three headers of Standard Webhooks (version 1 of the specification): each signature is an HMAC-SHA256 over
 * `id.timestamp.body` with a secret's bytes, which follow `whsec_` in base64. During a rotation there are several,
 * separated by spaces, and a receiver accepts the message if one of them is valid.
 *
 * @param signingSecrets newest first
 * @param body exactly the bytes that are sent, as text
 */
export function signedHeaders(
  signingSecrets: readonly string[],
  message: { id: string; sentAt: Date; body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(message.sentAt.getTime() / 1000));
  const content = `${message.id}.${timestamp}.${message.body}`;
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signingSecrets.map((secret) => `v1,${signature(secret, content)}`).join(' '),
  };
}

function signature(signingSecret: string, content: string): string {
  const key = Buffer.from(signingSecret.replace(/^whsec_/, ''), 'base64');
  return createHmac('sha256', key).update(content).digest('base64');
}
