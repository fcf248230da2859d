import { createHmac } from 'node:crypto';

/**
 * The three headers of Standard Webhooks (version 1 of the specification): the signature is an HMAC-SHA256 over
 * `id.timestamp.body` with the secret's bytes, which follow `whsec_` in base64.
 *
 * @param body exactly the bytes that are sent, as text
 */
export function signedHeaders(
  signingSecret: string,
  message: { id: string; sentAt: Date; body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(message.sentAt.getTime() / 1000));
  const key = Buffer.from(signingSecret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key)
    .update(`${message.id}.${timestamp}.${message.body}`)
    .digest('base64');
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
