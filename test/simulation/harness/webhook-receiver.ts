import { Webhook } from 'standardwebhooks';
import * as z from 'zod/mini';
import type { Service } from '../cloud/network.ts';
import type { Faults } from '../engine/faults.ts';
import type { OutgoingRequest, OutgoingResponse } from '../engine/outgoing-request.ts';
import type { VirtualClock } from '../engine/virtual-clock.ts';

const Payload = z.strictObject({
  event: z.enum(['task.completed', 'call.completed']),
  task_id: z.string(),
  call_id: z.nullable(z.string()),
  timestamp: z.string(),
});
export type WebhookPayload = z.infer<typeof Payload>;

export interface ReceiverOptions {
  readonly clock: VirtualClock;
  readonly faults: Faults;
  /** An endpoint's signing secret, by the last part of its URL. */
  readonly secretOf: (endpoint: string) => string | null;
  /** An accepted webhook, each time that it arrives. */
  readonly onReceived: (webhook: {
    endpoint: string;
    id: string;
    payload: WebhookPayload;
    isFirst: boolean;
  }) => void;
  readonly onViolation: (invariant: string, detail: string, taskIds: readonly string[]) => void;
}

/** The clients' webhook endpoints: they check webhooks as a careful client does, and fail as real ones do. */
export class WebhookReceiver {
  readonly #options: ReceiverOptions;
  /** The identifiers under which each event reached each endpoint. */
  readonly #idsByEvent = new Map<string, string>();

  constructor(options: ReceiverOptions) {
    this.#options = options;
  }

  /** Whether an event has reached an endpoint. */
  hasReceived(endpoint: string, event: WebhookPayload['event'], subjectId: string): boolean {
    return this.#idsByEvent.has(`${endpoint} ${event} ${subjectId}`);
  }

  get service(): Service {
    const answer = (status: number) => (): OutgoingResponse => ({
      status,
      headers: {},
      body: Buffer.from('no'),
    });
    return {
      name: 'receiver',
      describe: ({ method }) => method,
      refusals: {
        'internal error': { probability: 0.05, answer: answer(500) },
        'error after acceptance': { probability: 0.03, afterEffect: true, answer: answer(503) },
        'too many requests': { probability: 0.02, answer: answer(429) },
        redirect: {
          probability: 0.01,
          answer: () => ({
            status: 302,
            headers: { location: 'https://elsewhere.example.test/' },
            body: Buffer.alloc(0),
          }),
        },
      },
      lossFactor: 8,
      answer: (request) => this.#receive(request),
    };
  }

  #receive({ url, headers, body }: OutgoingRequest): OutgoingResponse {
    const { secretOf, onReceived, onViolation, clock } = this.#options;
    const endpoint = url.pathname.slice(1);
    const secret = secretOf(endpoint);
    if (secret === null) return { status: 404, headers: {}, body: Buffer.alloc(0) };
    const text = body.toString('utf8');
    const parsed = Payload.safeParse(JSON.parse(text));
    if (!parsed.success) {
      onViolation('webhooks hold the four members and nothing else', 'another body came', []);
      return { status: 400, headers: {}, body: Buffer.alloc(0) };
    }
    const payload = parsed.data;
    const violation = (detail: string): void =>
      onViolation('one webhook id per event and endpoint, signed', detail, [payload.task_id]);
    if (!isSigned(secret, headers, text, clock.nowMs)) violation('the signature does not hold');
    const id = headers['webhook-id'] ?? '';
    const subjectId = payload.event === 'call.completed' ? String(payload.call_id) : payload.task_id;
    const event = `${endpoint} ${payload.event} ${subjectId}`;
    const known = this.#idsByEvent.get(event);
    if (known !== undefined && known !== id) violation(`${payload.event} came under two ids`);
    this.#idsByEvent.set(event, id);
    onReceived({ endpoint, id, payload, isFirst: known === undefined });
    return { status: 204, headers: {}, body: Buffer.alloc(0) };
  }
}

/** By the public library, whose own check of the age uses the real clock and is therefore done here. */
function isSigned(
  secret: string,
  headers: Readonly<Record<string, string>>,
  text: string,
  nowMs: number,
): boolean {
  const sentAtMs = Number(headers['webhook-timestamp']) * 1000;
  if (Math.abs(nowMs - sentAtMs) > 5 * 60_000) return false;
  const expected = new Webhook(secret).sign(headers['webhook-id'] ?? '', new Date(sentAtMs), text);
  return (headers['webhook-signature'] ?? '').split(' ').includes(expected);
}
