import { LLMock } from '@copilotkit/aimock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { bedrockTransport, openBedrockClient } from '#shared/voice-agent/language-model/bedrock-transport.ts';
import type { ModelRequest, Transport } from '#shared/voice-agent/language-model/transport.ts';
import {
  begin,
  type ConverseRequest,
  end,
  type FakeBedrock,
  type Refusal,
  type Step,
  speaks,
  startFakeBedrock,
  text,
  tool,
} from '../../../support/fake-bedrock.ts';
import { eventsOf, reasonOf, sampleRequest } from '../../../support/transport-cases.ts';

const haiku = 'us.anthropic.claude-haiku-4-5-20251001-v1:0';

let service: FakeBedrock | undefined;
beforeEach(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await service?.stop();
  service = undefined;
});

/** The transport, asking a service at this address. */
function transportTo(origin: string, modelId = haiku): Transport {
  // As the environment of a function names it.
  vi.stubEnv('AWS_ENDPOINT_URL_BEDROCK_RUNTIME', origin);
  return bedrockTransport(openBedrockClient('us-east-1'), modelId);
}

async function transportThat(
  reply: (request: ConverseRequest, count: number) => readonly Step[] | Refusal,
  modelId = haiku,
): Promise<Transport> {
  service = await startFakeBedrock(reply);
  return transportTo(service.origin, modelId);
}

describe('a request to Amazon Bedrock', () => {
  test("uses the service's format", async () => {
    const transport = await transportThat(() => speaks('Hi.'));
    await eventsOf(transport, sampleRequest);
    expect(service?.requests).toEqual([
      {
        system: [{ text: 'The rules.' }, { text: 'The plan.' }],
        messages: [
          { role: 'user', content: [{ text: 'Hello?' }] },
          {
            role: 'assistant',
            content: [
              { text: 'Thank you.' },
              { toolUse: { toolUseId: 'use-1', name: 'note', input: { words: 'Dana' } } },
            ],
          },
          {
            role: 'user',
            content: [
              { toolResult: { toolUseId: 'use-1', status: 'error', content: [{ text: 'nobody said so' }] } },
            ],
          },
        ],
        toolConfig: { tools: [{ toolSpec: { name: 'note' } }] },
        inferenceConfig: { maxTokens: 600, temperature: 0 },
      },
    ]);
    expect(service?.paths).toEqual([`/model/${encodeURIComponent(haiku)}/converse-stream`]);
  });

  test.each([
    'amazon.nova-lite-v1:0',
    'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2c3d4e5f6',
    'arn:aws:bedrock:us-east-1:123456789012:provisioned-model/a1b2c3d4e5f6',
  ])('names the model verbatim: %s', async (modelId) => {
    await eventsOf(await transportThat(() => speaks('Hi.'), modelId), sampleRequest);
    expect(service?.paths).toEqual([`/model/${encodeURIComponent(modelId)}/converse-stream`]);
  });

  /** How many cache points stand in the instructions and in each message, when the rules have so many characters. */
  async function pointsFor(modelId: string, characters: number): Promise<[number, number[]]> {
    const words = (role: 'user' | 'assistant', size: number) =>
      ({ role, blocks: [{ type: 'text', text: 'w'.repeat(size) }, { type: 'boundary' }] }) as const;
    const request: ModelRequest = {
      ...sampleRequest,
      rules: 'w'.repeat(characters),
      messages: [words('user', 100), words('assistant', 100), words('user', 8_000)],
    };
    await eventsOf(await transportThat(() => speaks('Hi.'), modelId), request);
    await service?.stop();
    const count = (blocks: readonly { cachePoint?: unknown }[] = []): number =>
      blocks.filter(({ cachePoint }) => cachePoint !== undefined).length;
    const [sent] = service?.requests ?? [];
    return [count(sent?.system), sent?.messages.map(({ content }) => count(content)) ?? []];
  }

  test.each<[string, string, number, [number, number[]]]>([
    [
      'a prefix long enough everywhere',
      'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      5_000,
      [1, [1, 1, 1]],
    ],
    ['the minimum that is reached only by the messages', haiku, 9_000, [0, [0, 0, 1]]],
    ['less than the minimum', haiku, 1_000, [0, [0, 0, 0]]],
    ['a model of Amazon', 'us.amazon.nova-pro-v1:0', 5_000, [1, [1, 1, 1]]],
    [
      'the ARN of a profile that names its model',
      'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      5_000,
      [1, [1, 1, 1]],
    ],
    ['a model that knows no such points', 'us.meta.llama3-3-70b-instruct-v1:0', 50_000, [0, [0, 0, 0]]],
    [
      'an ARN that does not tell the model',
      'arn:aws:bedrock:us-east-1:123456789012:provisioned-model/a1b2c3d4e5f6',
      50_000,
      [0, [0, 0, 0]],
    ],
  ])('has cache points where useful: %s', async (_, modelId, characters, points) => {
    expect(await pointsFor(modelId, characters)).toEqual(points);
  });
});

describe('a reply of Amazon Bedrock', () => {
  test('is passed on as it arrives: text, tools with complete input, and token counts', async () => {
    const transport = await transportThat(() => [
      begin,
      ...text('Thank you.'),
      ...tool('note', { words: 'Dana' }, 1),
      ...tool('note', '', 2),
      ...tool('note', '{"words": "Da', 3),
      ...end('tool_use'),
    ]);
    expect(await eventsOf(transport, sampleRequest)).toEqual([
      { type: 'text', piece: 'Thank' },
      { type: 'text', piece: ' you.' },
      { type: 'text-end' },
      { type: 'call', id: 'use-1', name: 'note', input: { words: 'Dana' } },
      { type: 'call', id: 'use-2', name: 'note', input: {} },
      { type: 'call', id: 'use-3', name: 'note', input: undefined },
      {
        type: 'done',
        stop: 'tool_use',
        usage: { input: 900, output: 20, cacheRead: 400, cacheWrite: 50 },
      },
    ]);
  });

  test('is streamed: the first words come before the rest', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const transport = await transportThat(() => [
      begin,
      ...text('Thank'),
      { until: held },
      ...speaks(' you.'),
    ]);
    const pieces: string[] = [];
    for await (const event of transport.stream(sampleRequest, new AbortController().signal)) {
      if (event.type === 'text') pieces.push(event.piece);
      release();
    }
    expect(pieces.join('')).toBe('Thank you.');
  });

  test('ends when aborted, and with it the request', async () => {
    const transport = await transportThat(() => [
      begin,
      ...text('Thank'),
      { waitMs: 60_000 },
      ...speaks('you.'),
    ]);
    const stop = new AbortController();
    const reading = (async () => {
      for await (const event of transport.stream(sampleRequest, stop.signal)) {
        if (event.type === 'text') stop.abort();
      }
    })();
    await expect(reading).rejects.toThrow();
    await vi.waitFor(() => expect(service?.abandoned()).toBe(1), { timeout: 10_000 });
  });
});

describe('a failure of Amazon Bedrock', () => {
  test.each<[string, Refusal, string]>([
    ['throttling', { status: 429, type: 'ThrottlingException' }, 'throttled'],
    ['a model without capacity', { status: 503, type: 'ServiceUnavailableException' }, 'unavailable'],
    ['an internal error', { status: 500, type: 'InternalServerException' }, 'unavailable'],
    ['a model that takes too long', { status: 408, type: 'ModelTimeoutException' }, 'too-slow'],
    ['an account without access', { status: 403, type: 'AccessDeniedException' }, 'access-denied'],
    ['credentials that do not hold', { status: 403, type: 'UnrecognizedClientException' }, 'access-denied'],
    ['an unknown model', { status: 404, type: 'ResourceNotFoundException' }, 'invalid-request'],
    ['a refused request', { status: 400, type: 'ValidationException' }, 'invalid-request'],
  ])('%s is reported at once, without a retry', async (_, refusal, reason) => {
    const transport = await transportThat(() => refusal);
    expect(await reasonOf(eventsOf(transport, sampleRequest))).toBe(reason);
    expect(service?.requests).toHaveLength(1);
  });

  test('as unreachable is reported', async () => {
    expect(await reasonOf(eventsOf(transportTo('http://127.0.0.1:9'), sampleRequest))).toBe('unavailable');
  });

  test.each<[string, readonly Step[], string]>([
    ['throttles', [{ exception: 'throttlingException' }], 'broken-stream'],
    ['breaks off the stream', [{ exception: 'modelStreamErrorException' }], 'broken-stream'],
    ['has an internal error', [{ exception: 'internalServerException' }], 'broken-stream'],
    ['loses the connection', [{ cut: true }], 'broken-stream'],
    ['ends without an end', [], 'broken-stream'],
    ['runs out of tokens', end('max_tokens'), 'too-long'],
    ['is stopped by a guardrail', end('guardrail_intervened'), 'content-filtered'],
    ['filters the content', end('content_filtered'), 'content-filtered'],
    ['writes what is no output', end('malformed_model_output'), 'malformed-output'],
    ['writes what is no tool', end('malformed_tool_use'), 'malformed-output'],
    ['outgrows its window', end('model_context_window_exceeded'), 'too-long'],
    ['breaks off', end('error'), 'broken-stream'],
  ])('that %s in mid-stream is reported after the words so far', async (_, steps, reason) => {
    const transport = await transportThat(() => [begin, ...text('Thank'), ...steps]);
    const pieces: string[] = [];
    const reading = (async () => {
      for await (const event of transport.stream(sampleRequest, new AbortController().signal)) {
        if (event.type === 'text') pieces.push(event.piece);
      }
    })();
    expect(await reasonOf(reading)).toBe(reason);
    expect(pieces).toEqual(['Thank']);
  });
});

describe('with an independent fake of the service', () => {
  let mock: LLMock;
  beforeEach(async () => {
    mock = new LLMock({ port: 0 });
    await mock.start();
  });
  afterEach(() => mock.stop());

  test('text and tools are parsed', async () => {
    const content = 'Thank you.';
    const toolCalls = [{ name: 'note', arguments: '{"words":"Dana"}' }];
    mock.on({}, { content, toolCalls }, { chunkSize: 6 });
    const events = await eventsOf(transportTo(mock.url, 'us.amazon.nova-lite-v1:0'), sampleRequest);
    expect(events.flatMap((event) => (event.type === 'text' ? [event.piece] : [])).join('')).toBe(content);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'call', name: 'note', input: { words: 'Dana' } }),
    );
    expect(events.at(-1)).toMatchObject({ type: 'done', stop: 'tool_use' });
  });

  test('a lost connection is reported', async () => {
    mock.on({}, { content: 'I would like to verify the benefits.' }, { truncateAfterChunks: 4, latency: 20 });
    expect(await reasonOf(eventsOf(transportTo(mock.url), sampleRequest))).toBe('broken-stream');
  });
});
