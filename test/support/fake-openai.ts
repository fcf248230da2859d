import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { respondJson, startTestServer, type TestServer } from './http-server.ts';

const Call = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
});
/** Strict, like a service that refuses unknown members. */
const Request = z.strictObject({
  model: z.string(),
  messages: z.array(
    z.strictObject({
      role: z.enum(['system', 'user', 'assistant', 'tool']),
      content: z.nullable(z.string()),
      tool_calls: z.optional(z.array(Call)),
      tool_call_id: z.optional(z.string()),
    }),
  ),
  tools: z.array(
    z.strictObject({
      type: z.literal('function'),
      function: z.strictObject({ name: z.string(), description: z.string(), parameters: z.looseObject({}) }),
    }),
  ),
  temperature: z.number(),
  max_tokens: z.number(),
  stream: z.literal(true),
  stream_options: z.strictObject({ include_usage: z.literal(true) }),
});
export type CompletionRequest = z.infer<typeof Request>;

/** The service's next step in a response. */
export type Step =
  /** The data of an event: JSON, or a string unchanged. */
  | { readonly data: object | string }
  /** The last data, without a line end. */
  | { readonly last: object }
  | { readonly waitMs: number }
  | { readonly until: Promise<unknown> }
  /** The connection breaks. */
  | { readonly cut: true };

/** A response other than a stream. */
export interface Refusal {
  readonly status: number;
}

export interface FakeOpenAi {
  readonly origin: string;
  readonly requests: CompletionRequest[];
  readonly paths: string[];
  /** The `Authorization` of each request. */
  readonly keys: (string | undefined)[];
  /** Requests whose connection was closed before the response was complete. */
  readonly abandoned: () => number;
  stop(): Promise<void>;
}

/** A server that speaks OpenAI's chat completions; `reply` returns the response by the number of the request. */
export async function startFakeOpenAi(
  reply: (request: CompletionRequest, count: number) => readonly Step[] | Refusal,
): Promise<FakeOpenAi> {
  const requests: CompletionRequest[] = [];
  let abandoned = 0;
  const server: TestServer = await startTestServer(async ({ body }, response) => {
    const request = Request.parse(JSON.parse(body));
    requests.push(request);
    response.once('close', () => {
      if (!response.writableFinished) abandoned += 1;
    });
    const answer = reply(request, requests.length);
    if ('status' in answer) {
      response.setHeader('Location', `${server.origin}/elsewhere`);
      respondJson(response, answer.status, { error: { message: 'as the test wants it' } });
      return;
    }
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.flushHeaders();
    for (const step of answer) {
      if ('waitMs' in step) await sleep(step.waitMs);
      else if ('until' in step) await step.until;
      else if ('last' in step) response.write(`data: ${JSON.stringify(step.last)}`);
      else if ('cut' in step) {
        // Lets the previous data arrive.
        await sleep(50);
        response.destroy();
      } else {
        const written = typeof step.data === 'string' ? step.data : JSON.stringify(step.data);
        response.write(`data: ${written}\r\n\r\n`);
      }
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
    get keys() {
      return server.requests.map(({ headers }) => headers.authorization);
    },
    abandoned: () => abandoned,
    stop: () => server.stop(),
  };
}

function delta(change: object, finish_reason: string | null = null): Step {
  return { data: { object: 'chat.completion.chunk', choices: [{ index: 0, delta: change, finish_reason }] } };
}

export const begin: Step = delta({ role: 'assistant', content: '' });

/** Text in pieces of a few characters, like tokens. */
export function text(words: string): Step[] {
  return (words.match(/[\s\S]{1,5}/g) ?? []).map((content) => delta({ content }));
}

/** The use of a tool, with its input in fragments; a string is sent unchanged. */
export function tool(name: string, input: object | string, index = 1): Step[] {
  const written = typeof input === 'string' ? input : JSON.stringify(input);
  const fragments = written.match(/[\s\S]{1,7}/g) ?? [];
  const opened = { index, id: `use-${index}`, type: 'function', function: { name, arguments: '' } };
  return [
    delta({ tool_calls: [opened] }),
    ...fragments.map((part) => delta({ tool_calls: [{ index, function: { arguments: part } }] })),
  ];
}

export function end(finishReason: string): Step[] {
  const usage = {
    prompt_tokens: 1300,
    completion_tokens: 20,
    total_tokens: 1320,
    prompt_tokens_details: { cached_tokens: 400 },
  };
  return [delta({}, finishReason), { data: { choices: [], usage } }, { data: '[DONE]' }];
}

/** A whole reply that only speaks. */
export function speaks(words: string): Step[] {
  return [begin, ...text(words), ...end('stop')];
}
