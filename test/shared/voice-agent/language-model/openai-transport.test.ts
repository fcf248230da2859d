import { LLMock } from '@copilotkit/aimock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openAiTransport, type ServiceKey } from '#shared/voice-agent/language-model/openai-transport.ts';
import type { Transport } from '#shared/voice-agent/language-model/transport.ts';
import {
  begin,
  type CompletionRequest,
  end,
  type FakeOpenAi,
  type Refusal,
  type Step,
  speaks,
  startFakeOpenAi,
  text,
  tool,
} from '../../../support/fake-openai.ts';
import { eventsOf, reasonOf, sampleRequest } from '../../../support/transport-cases.ts';

let service: FakeOpenAi | undefined;
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

async function transportThat(
  reply: (request: CompletionRequest, count: number) => readonly Step[] | Refusal,
  key: ServiceKey | null = null,
): Promise<Transport> {
  service = await startFakeOpenAi(reply);
  return openAiTransport({ baseUrl: `${service.origin}/v1`, model: 'qwen3:8b', key });
}

describe('a request to an OpenAI-compatible endpoint', () => {
  test("uses OpenAI's format", async () => {
    const transport = await transportThat(() => speaks('Hi.'));
    await eventsOf(transport, sampleRequest);
    const parameters = { type: 'object', properties: {}, required: [] };
    const call = { id: 'use-1', type: 'function', function: { name: 'note', arguments: '{"words":"Dana"}' } };
    expect(service?.requests).toEqual([
      {
        model: 'qwen3:8b',
        messages: [
          { role: 'system', content: 'The rules.\n\nThe plan.' },
          { role: 'user', content: 'Hello?' },
          { role: 'assistant', content: 'Thank you.', tool_calls: [call] },
          { role: 'tool', tool_call_id: 'use-1', content: 'nobody said so' },
        ],
        tools: [{ type: 'function', function: { name: 'note', description: 'Notes.', parameters } }],
        temperature: 0,
        max_tokens: 600,
        stream: true,
        stream_options: { include_usage: true },
      },
    ]);
    expect(service?.paths).toEqual(['/v1/chat/completions']);
    expect(service?.keys).toEqual([undefined]);
  });

  test('carries the key, which is forgotten when refused', async () => {
    const keys = ['old', 'new'];
    let read: string | null = null;
    const key: ServiceKey = {
      read: async () => {
        read ??= keys.shift() ?? '';
        return read;
      },
      forget: () => {
        read = null;
      },
    };
    const transport = await transportThat((_, count) => (count === 2 ? { status: 401 } : speaks('Hi.')), key);
    await eventsOf(transport, sampleRequest);
    expect(await reasonOf(eventsOf(transport, sampleRequest))).toBe('access-denied');
    await eventsOf(transport, sampleRequest);
    expect(service?.keys).toEqual(['Bearer old', 'Bearer old', 'Bearer new']);
  });

  test('is not made if the key cannot be read', async () => {
    const key = { read: () => Promise.reject(new Error('no secret')), forget: () => undefined };
    const transport = await transportThat(() => speaks('Hi.'), key);
    expect(await reasonOf(eventsOf(transport, sampleRequest))).toBe('access-denied');
    expect(service?.requests).toEqual([]);
  });
});

describe("a reply in OpenAI's format", () => {
  const usage = { input: 900, output: 20, cacheRead: 400, cacheWrite: 0 };

  test('is passed on as it arrives: text, tools with complete input, and token counts', async () => {
    const transport = await transportThat(() => [
      begin,
      ...text('Thank you.'),
      ...tool('note', { words: 'Dana' }, 0),
      ...tool('note', '', 1),
      ...tool('note', '{"words": "Da', 2),
      ...end('tool_calls'),
    ]);
    expect(await eventsOf(transport, sampleRequest)).toEqual([
      { type: 'text', piece: 'Thank' },
      { type: 'text', piece: ' you.' },
      { type: 'text-end' },
      { type: 'call', id: 'use-0', name: 'note', input: { words: 'Dana' } },
      { type: 'call', id: 'use-1', name: 'note', input: {} },
      { type: 'call', id: 'use-2', name: 'note', input: undefined },
      { type: 'done', stop: 'tool_calls', usage },
    ]);
  });

  test('may contain whole tools at the same index, as from some services', async () => {
    const whole = (id: string | undefined, words: string) => ({
      index: 0,
      ...(id === undefined ? {} : { id }),
      function: { name: 'note', arguments: JSON.stringify({ words }) },
    });
    const transport = await transportThat(() => [
      {
        data: {
          choices: [{ delta: { content: null, tool_calls: [whole('a', 'Dana'), whole('b', 'Lee')] } }],
        },
      },
      { data: { choices: [{ delta: {}, finish_reason: 'tool_calls' }] } },
    ]);
    const calls = (await eventsOf(transport, sampleRequest)).filter(({ type }) => type === 'call');
    expect(calls).toMatchObject([
      { id: 'a', input: { words: 'Dana' } },
      { id: 'b', input: { words: 'Lee' } },
    ]);
  });

  test('may come in the forms of other services', async () => {
    const call = { id: 'a', function: { name: 'note', arguments: { words: 'Dana' } } };
    const twice = { id: 'b', function: { name: 'note', arguments: JSON.stringify('{"words":"Lee"}') } };
    const transport = await transportThat(() => [
      { data: { choices: [{ delta: { content: [{ type: 'text', text: 'Thank you.' }] } }] } },
      { data: { choices: [{ delta: { tool_calls: [call, twice] } }] } },
      { last: { choices: [{ delta: {}, finish_reason: 'eos_token' }] } },
    ]);
    expect(await eventsOf(transport, sampleRequest)).toMatchObject([
      { type: 'text', piece: 'Thank you.' },
      { type: 'text-end' },
      { type: 'call', input: { words: 'Dana' } },
      { type: 'call', input: { words: 'Lee' } },
      { type: 'done', stop: 'eos_token' },
    ]);
  });

  test('may omit IDs and token counts', async () => {
    const call = { function: { name: 'note', arguments: '{}' } };
    const transport = await transportThat(() => [
      { data: { choices: [{ delta: { tool_calls: [call] }, finish_reason: 'stop' }] } },
      { data: '[DONE]' },
    ]);
    expect(await eventsOf(transport, sampleRequest)).toMatchObject([
      { type: 'text-end' },
      { type: 'call', id: 'call-1', name: 'note', input: {} },
      { type: 'done', usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } },
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

  test.each(['aborted', 'not read on'])('that is %s ends, and with it the request', async (how) => {
    const transport = await transportThat(() => [
      begin,
      ...text('Thank'),
      { waitMs: 60_000 },
      ...speaks('you.'),
    ]);
    const stop = new AbortController();
    const reading = (async () => {
      for await (const event of transport.stream(sampleRequest, stop.signal)) {
        if (event.type === 'text' && how === 'aborted') stop.abort();
        if (event.type === 'text' && how === 'not read on') return 'left';
      }
      return 'read to its end';
    })();
    if (how === 'aborted') await expect(reading).rejects.toThrow();
    else expect(await reading).toBe('left');
    await vi.waitFor(() => expect(service?.abandoned()).toBe(1), { timeout: 10_000 });
  });
});

describe('a failure of such an endpoint', () => {
  test.each([
    [401, 'access-denied'],
    [403, 'access-denied'],
    [429, 'throttled'],
    [400, 'invalid-request'],
    [404, 'invalid-request'],
    [422, 'invalid-request'],
    [408, 'too-slow'],
    [500, 'unavailable'],
    [502, 'unavailable'],
    [503, 'unavailable'],
    [504, 'too-slow'],
    [307, 'invalid-request'],
  ])('status %i is reported at once, without a retry', async (status, reason) => {
    const transport = await transportThat(() => ({ status }));
    expect(await reasonOf(eventsOf(transport, sampleRequest))).toBe(reason);
    expect(service?.paths).toHaveLength(1);
  });

  test('as unreachable is reported', async () => {
    const transport = openAiTransport({ baseUrl: 'http://127.0.0.1:9/v1', model: 'm', key: null });
    expect(await reasonOf(eventsOf(transport, sampleRequest))).toBe('unavailable');
  });

  test.each<[string, readonly Step[], string]>([
    ['loses the connection', [{ cut: true }], 'broken-stream'],
    ['ends without an end', [], 'broken-stream'],
    ['says that it is done too soon', [{ data: '[DONE]' }], 'broken-stream'],
    ['reports an error', [{ data: { error: { message: 'out of memory', code: 500 } } }], 'broken-stream'],
    ['writes what is no JSON', [{ data: '{"choices": [' }], 'malformed-output'],
    ['writes another form', [{ data: { choices: 'none' } }], 'malformed-output'],
    ['runs out of tokens', end('length'), 'too-long'],
    ['filters the content', end('content_filter'), 'content-filtered'],
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

  const transport = (): Transport =>
    openAiTransport({ baseUrl: `${mock.url}/v1`, model: 'gpt-4o', key: null });

  test('text and tools are parsed', async () => {
    const content = 'Thank you.';
    mock.on({}, { content, toolCalls: [{ name: 'note', arguments: '{"words":"Dana"}' }] }, { chunkSize: 6 });
    const events = await eventsOf(transport(), sampleRequest);
    expect(events.flatMap((event) => (event.type === 'text' ? [event.piece] : [])).join('')).toBe(content);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'call', name: 'note', input: { words: 'Dana' } }),
    );
    expect(events.at(-1)).toMatchObject({ type: 'done', stop: 'tool_calls' });
  });

  test('a lost connection is reported', async () => {
    mock.on({}, { content: 'I would like to verify the benefits.' }, { truncateAfterChunks: 4, latency: 20 });
    expect(await reasonOf(eventsOf(transport(), sampleRequest))).toBe('broken-stream');
  });
});
