import * as z from 'zod/mini';
import { DialogueFailure, type FailureReason } from '../dialogue/dialogue-failure.ts';
import {
  ending,
  failureOfStatus,
  type Message,
  type ModelRequest,
  maxReplyTokens,
  parsedInput,
  type ReplyEvent,
  type Transport,
  temperature,
} from './transport.ts';

/** A service's key. It is forgotten when the service refuses it, because it may have been rotated. */
export interface ServiceKey {
  read(): Promise<string>;
  forget(): void;
}

export interface OpenAiSettings {
  /** The URL before `/chat/completions`, without a trailing slash. */
  readonly baseUrl: string;
  readonly model: string;
  /** `null` for services without a key. */
  readonly key: ServiceKey | null;
}

/**
 * Any service with OpenAI's chat completions, streaming and tools, such as vLLM or Ollama. Requests use
 * `fetch`: the one format needed here is a small part of OpenAI's own library.
 */
export function openAiTransport({ baseUrl, model, key }: OpenAiSettings): Transport {
  return {
    model,
    async *stream(request, signal) {
      const headers = new Headers({ 'Content-Type': 'application/json', Accept: 'text/event-stream' });
      const bearer = await key?.read().catch(failing('access-denied'));
      if (bearer !== undefined) headers.set('Authorization', `Bearer ${bearer}`);
      const body = JSON.stringify(completionRequest(request, model));
      // Redirects are not followed: the content is for this address only.
      const options = { method: 'POST', headers, body, signal, redirect: 'manual' } as const;
      const response = await fetch(`${baseUrl}/chat/completions`, options).catch(failing('unavailable'));
      if (!response.ok) {
        if (response.status === 401) key?.forget();
        await response.body?.cancel();
        throw new DialogueFailure(failureOfStatus(response.status));
      }
      try {
        yield* replyEvents(dataOf(response.body ?? new ReadableStream()));
      } catch (error) {
        failing('broken-stream')(error);
      }
    },
  };
}

function failing(reason: FailureReason) {
  return (cause: unknown): never => {
    throw cause instanceof DialogueFailure ? cause : new DialogueFailure(reason, { cause });
  };
}

function completionRequest(
  { rules, plan, tools, messages, maxTokens = maxReplyTokens }: ModelRequest,
  model: string,
): object {
  return {
    model,
    // Services with a cache use it automatically, from the beginning.
    messages: [{ role: 'system', content: `${rules}\n\n${plan}` }, ...messages.flatMap(chatMessages)],
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: inputSchema },
    })),
    temperature,
    max_tokens: maxTokens,
    stream: true,
    stream_options: { include_usage: true },
  };
}

/** One message of ours: each tool result is a separate message there. */
function chatMessages({ role, blocks }: Message): object[] {
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const said = texts.length === 0 ? null : texts.join('\n');
  if (role === 'user') {
    const results = blocks.flatMap((block) =>
      block.type === 'result' ? [{ role: 'tool', tool_call_id: block.id, content: block.text }] : [],
    );
    return [...results, ...(said === null ? [] : [{ role, content: said }])];
  }
  const calls = blocks.flatMap((block) => (block.type === 'call' ? [block] : []));
  const tool_calls = calls.map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  return [{ role, content: said, ...(calls.length === 0 ? {} : { tool_calls }) }];
}

/** The data of server-sent events: each chat completion chunk is on one line; other lines are ignored. */
async function* dataOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let unfinished = '';
  for await (const bytes of body) {
    const lines = (unfinished + decoder.decode(bytes, { stream: true })).split('\n');
    unfinished = lines.pop() ?? '';
    for (const line of lines) yield* dataIn(line);
  }
  // Some services do not end the last line.
  yield* dataIn(unfinished);
}

function dataIn(line: string): string[] {
  return line.startsWith('data:') ? [line.slice('data:'.length).trim()] : [];
}

const text = z.nullish(z.string());
/** Some services send parts. */
const content = z.union([text, z.array(z.object({ text }))]);
/** Some services send the object itself. */
const toolInput = z.union([text, z.record(z.string(), z.unknown())]);
const CallPart = z.object({
  index: z._default(z.int(), 0),
  id: text,
  function: z.nullish(z.object({ name: text, arguments: toolInput })),
});
const Choice = z.object({
  delta: z.nullish(z.object({ content, tool_calls: z.nullish(z.array(CallPart)) })),
  finish_reason: text,
});
const Tokens = z.object({
  prompt_tokens: z._default(z.number(), 0),
  completion_tokens: z._default(z.number(), 0),
  prompt_tokens_details: z.nullish(z.object({ cached_tokens: z.nullish(z.number()) })),
});
const Chunk = z.object({
  choices: z._default(z.array(Choice), []),
  usage: z.nullish(Tokens),
  error: z.optional(z.unknown()),
});

async function* replyEvents(data: AsyncIterable<string>): AsyncGenerator<ReplyEvent> {
  const calls = new CallWriter();
  let stop: string | null = null;
  let usage: z.infer<typeof Tokens> | null = null;
  for await (const line of data) {
    if (line === '[DONE]') break;
    const chunk = chunkOf(line);
    usage = chunk.usage ?? usage;
    const [choice] = chunk.choices;
    const piece = textOf(choice?.delta?.content);
    if (piece !== '') yield { type: 'text', piece };
    for (const part of choice?.delta?.tool_calls ?? []) yield* calls.write(part);
    if (choice?.finish_reason != null) yield* calls.finish();
    stop = choice?.finish_reason ?? stop;
  }
  const cacheRead = usage?.prompt_tokens_details?.cached_tokens ?? 0;
  yield* ending(stop, {
    input: (usage?.prompt_tokens ?? 0) - cacheRead,
    output: usage?.completion_tokens ?? 0,
    cacheRead,
    cacheWrite: 0,
  });
}

function textOf(written: z.infer<typeof content>): string {
  return Array.isArray(written) ? written.map((part) => part.text ?? '').join('') : (written ?? '');
}

function chunkOf(line: string): z.infer<typeof Chunk> {
  const chunk = Chunk.safeParse(parsedInput(line));
  if (!chunk.success) throw new DialogueFailure('malformed-output');
  if (chunk.data.error != null) throw new DialogueFailure('broken-stream');
  return chunk.data;
}

/** Assembles tool uses from fragments, one after the other. */
class CallWriter {
  #open: { readonly index: number; readonly id: string; name: string; input: string } | null = null;
  #count = 0;

  /** Adds a fragment. An ID or another index starts a new use, which completes the previous one. */
  *write({ index, id, function: use }: z.infer<typeof CallPart>): Generator<ReplyEvent> {
    if (this.#open?.index !== index || (id || this.#open.id) !== this.#open.id) {
      // Speech never waits for a tool's complete input.
      yield* this.finish();
      this.#count += 1;
    }
    this.#open ??= { index, id: id || `call-${this.#count}`, name: '', input: '' };
    this.#open.name += use?.name ?? '';
    const input = use?.arguments ?? '';
    this.#open.input += typeof input === 'string' ? input : JSON.stringify(input);
  }

  *finish(): Generator<ReplyEvent> {
    const { id, name, input } = this.#open ?? { id: null, name: '', input: '' };
    this.#open = null;
    yield id === null ? { type: 'text-end' } : { type: 'call', id, name, input: parsedInput(input) };
  }
}
