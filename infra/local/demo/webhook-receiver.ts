import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';
import * as z from 'zod/mini';
import { serveOnLoopback } from '../../loopback.ts';

/** Exactly these members: a body with any other is not ours. */
const Event = z.strictObject({
  event: z.string(),
  task_id: z.string(),
  call_id: z.nullable(z.string()),
  timestamp: z.string(),
});

/** A webhook as received by an integrator's endpoint. */
export type ReceivedWebhook = z.infer<typeof Event> & { readonly signatureValid: boolean };

export interface WebhookReceiver {
  readonly url: string;
  /** Every webhook so far, in order of arrival. */
  readonly received: readonly ReceivedWebhook[];
  onReceived(listener: (webhook: ReceivedWebhook) => void): void;
  stop(): Promise<void>;
}

/**
 * A loopback endpoint that acts like an integrator's: verifies the signature over the raw bytes with the public
 * Standard Webhooks library, and responds 204 if valid and 401 if not.
 *
 * @param signingSecret read per request, because the receiver must listen before the secret exists
 */
export async function startWebhookReceiver(signingSecret: () => string): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const listeners: ((webhook: ReceivedWebhook) => void)[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const body = Buffer.concat(chunks).toString('utf8');
    const event = Event.safeParse(parseJson(body));
    if (!event.success) {
      response.writeHead(400).end();
      return;
    }
    const webhook = {
      ...event.data,
      signatureValid: isSignatureValid(signingSecret(), body, request.headers),
    };
    received.push(webhook);
    for (const listener of listeners) listener(webhook);
    response.writeHead(webhook.signatureValid ? 204 : 401).end();
  });
  const { endpoint, stop } = await serveOnLoopback(server);
  return {
    url: `${endpoint}/webhooks`,
    received,
    onReceived: (listener) => void listeners.push(listener),
    stop,
  };
}

function isSignatureValid(secret: string, body: string, headers: NodeJS.Dict<string | string[]>): boolean {
  try {
    new Webhook(secret).verify(body, {
      'webhook-id': String(headers['webhook-id']),
      'webhook-timestamp': String(headers['webhook-timestamp']),
      'webhook-signature': String(headers['webhook-signature']),
    });
    return true;
  } catch {
    return false;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
