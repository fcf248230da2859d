import { setTimeout as sleep } from 'node:timers/promises';
import { encodeEventStreamFrame } from '@copilotkit/aimock';
import * as z from 'zod/mini';
import { respondJson, startTestServer, type TestServer } from './http-server.ts';

const cachePoint = z.optional(z.object({ type: z.string() }));
const block = z.object({
  cachePoint,
  text: z.optional(z.string()),
  toolUse: z.optional(z.object({ toolUseId: z.string(), name: z.string(), input: z.unknown() })),
  toolResult: z.optional(
    z.object({
      toolUseId: z.string(),
      status: z.string(),
      content: z.array(z.object({ text: z.string() })),
    }),
  ),
});
const Request = z.object({
  system: z.array(z.object({ text: z.optional(z.string()), cachePoint })),
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), content: z.array(block) })),
  toolConfig: z.object({
    tools: z.array(z.object({ toolSpec: z.optional(z.object({ name: z.string() })) })),
  }),
  inferenceConfig: z.object({ maxTokens: z.number(), temperature: z.number() }),
});
export type ConverseRequest = z.infer<typeof Request>;

/** The service's next step in a response. */
export type Step =
  | { readonly event: string; readonly payload: object }
  /** An error in the middle of the stream, by its name there. */
  | { readonly exception: string }
  | { readonly waitMs: number }
  | { readonly until: Promise<unknown> }
  /** The connection breaks. */
  | { readonly cut: true };

/** A response other than a stream: an error by its name. */
export interface Refusal {
  readonly status: number;
  readonly type: string;
}

export interface FakeBedrock {
  readonly origin: string;
  readonly requests: ConverseRequest[];
  /** The requested paths, which name the model. */
  readonly paths: string[];
  /** Requests whose connection was closed before the response was complete. */
  readonly abandoned: () => number;
  stop(): Promise<void>;
}

/** A server that speaks ConverseStream; `reply` returns the response by the number of the request. */
export async function startFakeBedrock(
  reply: (request: ConverseRequest, count: number) => readonly Step[] | Refusal,
): Promise<FakeBedrock> {
  const requests: ConverseRequest[] = [];
  let abandoned = 0;
  const server: TestServer = await startTestServer(async ({ body }, response) => {
    const request = Request.parse(JSON.parse(body));
    requests.push(request);
    response.once('close', () => {
      if (!response.writableFinished) abandoned += 1;
    });
    const answer = reply(request, requests.length);
    if ('status' in answer) {
      response.setHeader('x-amzn-errortype', answer.type);
      respondJson(response, answer.status, { message: 'as the test wants it' });
      return;
    }
    response.writeHead(200, { 'Content-Type': 'application/vnd.amazon.eventstream' });
    response.flushHeaders();
    for (const step of answer) {
      if ('waitMs' in step) await sleep(step.waitMs);
      else if ('until' in step) await step.until;
      else if ('cut' in step) {
        // Lets the previous data arrive.
        await sleep(50);
        response.destroy();
      } else if ('exception' in step) {
        response.write(frame({ ':message-type': 'exception', ':exception-type': step.exception }, {}));
      } else response.write(frame({ ':message-type': 'event', ':event-type': step.event }, step.payload));
      if (response.destroyed) return;
    }
    response.end();
  });
  return {
    origin: server.origin,
    requests,
    get paths() {
      return server.requests.map(({ url }) => url);
    },
    abandoned: () => abandoned,
    stop: () => server.stop(),
  };
}

function frame(headers: Record<string, string>, payload: object): Buffer {
  return encodeEventStreamFrame(
    { ':content-type': 'application/json', ...headers },
    Buffer.from(JSON.stringify(payload)),
  );
}

/** A block of text, in pieces of a few characters, like tokens. */
export function text(words: string, contentBlockIndex = 0): Step[] {
  const pieces = words.match(/[\s\S]{1,5}/g) ?? [];
  return [
    ...pieces.map(
      (piece): Step => ({
        event: 'contentBlockDelta',
        payload: { contentBlockIndex, delta: { text: piece } },
      }),
    ),
    { event: 'contentBlockStop', payload: { contentBlockIndex } },
  ];
}

/** The use of a tool, with its input in fragments; a string is sent unchanged. */
export function tool(name: string, input: object | string, contentBlockIndex = 1): Step[] {
  const written = typeof input === 'string' ? input : JSON.stringify(input);
  const fragments = written.match(/[\s\S]{1,7}/g) ?? [];
  return [
    {
      event: 'contentBlockStart',
      payload: { contentBlockIndex, start: { toolUse: { toolUseId: `use-${contentBlockIndex}`, name } } },
    },
    ...fragments.map(
      (fragment): Step => ({
        event: 'contentBlockDelta',
        payload: { contentBlockIndex, delta: { toolUse: { input: fragment } } },
      }),
    ),
    { event: 'contentBlockStop', payload: { contentBlockIndex } },
  ];
}

export function end(stopReason: string): Step[] {
  return [
    { event: 'messageStop', payload: { stopReason } },
    {
      event: 'metadata',
      payload: {
        usage: {
          inputTokens: 900,
          outputTokens: 20,
          totalTokens: 1370,
          cacheReadInputTokens: 400,
          cacheWriteInputTokens: 50,
        },
        metrics: { latencyMs: 5 },
      },
    },
  ];
}

export const begin: Step = { event: 'messageStart', payload: { role: 'assistant' } };

/** A whole reply that only speaks. */
export function speaks(words: string): Step[] {
  return [begin, ...text(words), ...end('end_turn')];
}
