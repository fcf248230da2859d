import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';
import * as z from 'zod/mini';
import { listenOnLoopback, loopback } from '../../infra/loopback.ts';

const Event = z.object({
  event: z.enum(['task.completed', 'call.completed']),
  task_id: z.string(),
  call_id: z.nullable(z.string()),
});

/** A webhook delivery, as seen by a process that outlives the stack. */
export interface SeenWebhook {
  /** Its content, such as `task.completed` and the task's identifier. */
  readonly event: string;
  readonly webhookId: string;
}

export interface WebhookWitness {
  readonly url: string;
  readonly seen: readonly SeenWebhook[];
  /** Deliveries that were not our webhooks or not signed with the secret. */
  readonly refused: number;
  stop(): Promise<void>;
}

/** The event of a finished task or call, under the same name on both sides of the comparison. */
export function eventName(event: 'task.completed' | 'call.completed', id: string): string {
  return `${event} ${id}`;
}

/**
 * A webhook endpoint in this process, which is never killed.
 *
 * @param signingSecret read for each request, because it is known only once the project exists
 */
export async function startWebhookWitness(signingSecret: () => string): Promise<WebhookWitness> {
  const seen: SeenWebhook[] = [];
  let refused = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(Buffer.from(chunk));
    } catch {
      // The sender was killed in the middle of its request.
      return;
    }
    const webhookId = String(request.headers['webhook-id']);
    try {
      const verified = new Webhook(signingSecret()).verify(Buffer.concat(chunks).toString('utf8'), {
        'webhook-id': webhookId,
        'webhook-timestamp': String(request.headers['webhook-timestamp']),
        'webhook-signature': String(request.headers['webhook-signature']),
      });
      const { event, task_id, call_id } = Event.parse(verified);
      const id = event === 'task.completed' ? task_id : String(call_id);
      seen.push({ event: eventName(event, id), webhookId });
      response.writeHead(204).end();
    } catch {
      refused += 1;
      response.writeHead(400).end();
    }
  });
  const port = await listenOnLoopback(server, 0);
  return {
    url: `http://${loopback}:${port}/webhooks`,
    seen,
    get refused() {
      return refused;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
