import { LLMock } from '@copilotkit/aimock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LogFields } from '#shared/observability/log.ts';
import { openBedrockClient } from '#shared/voice-agent/bedrock-model/bedrock-client.ts';
import { bedrockModel } from '#shared/voice-agent/bedrock-model/bedrock-model.ts';
import type { DialogueAction, DialogueModel } from '#shared/voice-agent/dialogue/dialogue-model.ts';
import { emptyRecord } from '#shared/voice-agent/dialogue/dialogue-record.ts';
import { openingWords } from '#shared/voice-agent/scripted-model/phrasing.ts';
import { actionsOf, deedsIn, heardAfter, planOf, spokenIn } from '../../../support/dialogue-turns.ts';
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

const modelId = 'us.anthropic.claude-haiku-4-5-20251001-v1:0';
const plan = planOf({
  task_type: 'VERIFY_INSURANCE',
  task: 'Verify coverage for physical therapy.',
});
const greeting = [openingWords(), 'P: Provider services, this is Dana, how can I help you?'];
const purpose = 'I would like to verify benefits. Is the coverage active?';
const coverage = {
  key: 'coverage_active',
  answer: 'Yes',
  value: true,
  quote: "Yes, it's active",
};

let service: FakeBedrock | undefined;
let reports: LogFields[];

beforeEach(() => {
  reports = [];
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await service?.stop();
  service = undefined;
});

/** The model, asking a service at this address. */
function modelAt(origin: string, changes: { modelId?: string } = {}): DialogueModel {
  // As the environment of a function names it.
  vi.stubEnv('AWS_ENDPOINT_URL_BEDROCK_RUNTIME', origin);
  return bedrockModel(openBedrockClient('us-east-1'), {
    modelId,
    maxTokens: 300,
    maxRounds: 4,
    report: (turn) => reports.push(turn),
    ...changes,
  });
}

async function modelThat(
  reply: (request: ConverseRequest, count: number) => readonly Step[] | Refusal,
): Promise<DialogueModel> {
  service = await startFakeBedrock(reply);
  return modelAt(service.origin);
}

/** What the tools of the last request came to, as the model was told. */
function resultsTold(): { status: string; text: string }[] {
  const last = service?.requests.at(-1)?.messages.at(-1)?.content ?? [];
  return last.flatMap(({ toolResult }) =>
    toolResult === undefined
      ? []
      : [{ status: toolResult.status, text: toolResult.content.map((part) => part.text).join('') }],
  );
}

async function reasonOf(turn: Promise<unknown>): Promise<unknown> {
  const error: unknown = await turn.catch((failure: unknown) => failure);
  return error instanceof Error && 'reason' in error ? error.reason : error;
}

describe('the model on Amazon Bedrock', () => {
  test('speaks word by word as tokens come, keeping what it is', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const model = await modelThat(() => [
      begin,
      ...text('Thank you, Dana. '),
      { until: held },
      ...speaks(purpose),
    ]);
    const said: string[] = [];
    for await (const action of model.takeTurn(heardAfter(plan, greeting), new AbortController().signal)) {
      if (action.type !== 'say') continue;
      said.push(action.text);
      // The service has not said more when the first words are already spoken.
      if (said.join(' ') === 'Thank you, Dana.') release();
    }
    expect(said.join(' ')).toBe(`Thank you, Dana. ${purpose}`);
    expect(said.length).toBeGreaterThan(5);
    expect(service?.paths).toEqual([`/model/${encodeURIComponent(modelId)}/converse-stream`]);
  });

  test('opens with the words of every call, without asking anybody', async () => {
    const model = await modelThat(() => speaks('Hi there!'));
    const actions = await actionsOf(model, {
      ...heardAfter(plan, greeting),
      history: [],
      event: { type: 'opened' },
    });
    expect(spokenIn(actions)).toBe(openingWords());
    expect(service?.requests).toEqual([]);
  });

  test('records an answer with its words, and tells which facts it told', async () => {
    const model = await modelThat(() => [
      begin,
      ...text('The member ID is S M X, 5 5 1, 2 0 9, 8 7. What is the copay?'),
      ...tool('record_answer', coverage, 1),
      ...tool('note_person', { name: 'Dana' }, 2),
      ...end('tool_use'),
    ]);
    const input = heardAfter(plan, [...greeting, purpose, "P: Yes, it's active. What is the member ID?"]);
    const actions = await actionsOf(model, input);
    expect(deedsIn(actions)).toEqual([
      { type: 'disclose', field: 'patient.insurance.medical.member_id' },
      { type: 'record', answer: { ...coverage, quote: "Yes, it's active.", turn: 3 } },
      { type: 'meet', name: 'Dana' },
    ]);
    // It has asked its question, so nothing more is wanted of it.
    expect(service?.requests).toHaveLength(1);
  });

  test('is asked again with what its tools came to, until it has spoken', async () => {
    const model = await modelThat((_, count) =>
      count === 1
        ? [begin, ...tool('record_answer', coverage, 0), ...end('tool_use')]
        : speaks('Thank you. What is the copay?'),
    );
    const actions = await actionsOf(model, heardAfter(plan, [...greeting, purpose, "P: Yes, it's active."]));
    expect(actions.map(({ type }) => type).slice(0, 2)).toEqual(['record', 'say']);
    expect(spokenIn(actions)).toBe('Thank you. What is the copay?');
    expect(resultsTold()).toEqual([{ status: 'success', text: 'ok' }]);
    expect(service?.requests[1]?.messages.at(-2)).toEqual({
      role: 'assistant',
      content: [{ toolUse: { toolUseId: 'use-0', name: 'record_answer', input: coverage } }],
    });
  });

  test.each([
    ['no JSON', '{"key": "coverage', 'not valid'],
    ['another shape', { key: 7 }, 'not valid'],
    ['words that nobody said', { ...coverage, quote: 'it has lapsed' }, 'did not say'],
    ['an unknown item', { ...coverage, key: 'diagnosis' }, 'there is no item'],
  ])('is told that an input is wrong that is %s, and can set it right', async (_, input, problem) => {
    const model = await modelThat((_request, count) =>
      count === 1
        ? [
            begin,
            ...text('Thank you. What is the copay?'),
            ...tool('record_answer', input, 1),
            ...end('tool_use'),
          ]
        : [
            begin,
            ...text('Let me ask again: the copay?'),
            ...tool('record_answer', coverage, 1),
            ...end('tool_use'),
          ],
    );
    const actions = await actionsOf(model, heardAfter(plan, [...greeting, purpose, "P: Yes, it's active."]));
    expect(deedsIn(actions)).toMatchObject([{ type: 'record', answer: { key: 'coverage_active' } }]);
    // The question was put; it is not put twice.
    expect(spokenIn(actions)).toBe('Thank you. What is the copay?');
    expect(resultsTold()).toEqual([{ status: 'error', text: expect.stringContaining(problem) }]);
    expect(service?.requests).toHaveLength(2);
  });

  test('is not asked for ever', async () => {
    const model = await modelThat(() => [begin, ...tool('record_answer', '{', 0), ...end('tool_use')]);
    expect(await reasonOf(actionsOf(model, heardAfter(plan, greeting)))).toBe('no-words');
    expect(service?.requests).toHaveLength(4);
  });

  test.each<[string, object, DialogueAction]>([
    ['wait', {}, { type: 'wait' }],
    ['press_keys', { keys: '2' }, { type: 'press', digits: '2' }],
    ['end_call', { reason: 'refused' }, { type: 'end', reason: 'refused', farewell: 'refused' }],
  ])('%s decides the turn without another request, whatever else it writes', async (name, input, action) => {
    const model = await modelThat(() => [
      begin,
      ...tool(name, input, 0),
      ...tool('end_call', { reason: 'gave-up' }, 1),
      ...text('And so on.', 2),
      ...end('tool_use'),
    ]);
    const actions = await actionsOf(
      model,
      heardAfter(plan, [...greeting, purpose, 'P: For benefits, press 2.']),
    );
    expect(actions.filter(({ type }) => type !== 'remember')).toEqual([action]);
    expect(service?.requests).toHaveLength(1);
  });

  test('notes what belongs to the turn even after the tool that decides it', async () => {
    const model = await modelThat(() => [
      begin,
      ...tool('end_call', { reason: 'call-again' }, 0),
      ...tool('follow_up', { text: 'Call again after lunch.' }, 1),
      ...end('tool_use'),
    ]);
    const actions = await actionsOf(model, heardAfter(plan, [...greeting, purpose, 'P: Call after lunch.']));
    // Nothing after the end counts, so the end comes last.
    expect(deedsIn(actions).map(({ type }) => type)).toEqual(['follow-up', 'end']);
  });

  test('leaves people in peace who never say where they are', async () => {
    const model = await modelThat(() => speaks('Hello?'));
    const reach = 'Have I reached the provider line of a health insurance company?';
    const lines = [
      openingWords(),
      ...Array.from({ length: 4 }, () => ['P: Who is this?', reach]).flat(),
      'P: Who is this?',
    ];
    expect(deedsIn(await actionsOf(model, heardAfter(plan, lines)))).toMatchObject([
      { type: 'end', reason: 'gave-up' },
    ]);
    expect(service?.requests).toEqual([]);
  });

  test('after an interruption knows what was heard of its words', async () => {
    const model = await modelThat(() => speaks('Sure. Is the coverage active?'));
    const input = heardAfter(plan, [...greeting, 'I would like to', 'P: Wait, who is this?']);
    const noted = await actionsOf(model, {
      ...input,
      event: { type: 'interrupted', heard: 'I would like to' },
    });
    const [memory] = noted.flatMap((action) => (action.type === 'remember' ? [action.memory] : []));
    expect(service?.requests).toEqual([]);
    await actionsOf(model, { ...input, memory });
    const notes = service?.requests[0]?.messages.at(-1)?.content.at(-1)?.text;
    expect(notes).toContain('the last that they heard of you was: "I would like to"');
  });

  test('stops at once when it is aborted, and with it the request', async () => {
    const model = await modelThat(() => [
      begin,
      ...text('I would like to '),
      { waitMs: 60_000 },
      ...speaks('verify.'),
    ]);
    const stop = new AbortController();
    const actions: DialogueAction[] = [];
    const startedMs = performance.now();
    for await (const action of model.takeTurn(heardAfter(plan, greeting), stop.signal)) {
      actions.push(action);
      if (spokenIn(actions) === 'I would like to') stop.abort();
    }
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    expect(actions.every(({ type }) => type === 'say')).toBe(true);
    await vi.waitFor(() => expect(service?.abandoned()).toBe(1), { timeout: 10_000 });
    expect(reports).toMatchObject([{ aborted: true }]);
  });

  test('reports counts and durations of a turn, and no word of it', async () => {
    const model = await modelThat((_, count) =>
      count === 1
        ? [begin, ...tool('record_answer', coverage, 0), ...end('tool_use')]
        : speaks('Thank you. What is the copay?'),
    );
    await actionsOf(model, heardAfter(plan, [...greeting, purpose, "P: Yes, it's active."]));
    expect(reports).toEqual([
      {
        model: modelId,
        rounds: 2,
        first_token_ms: expect.any(Number),
        duration_ms: expect.any(Number),
        input_tokens: 1800,
        output_tokens: 40,
        cache_read_tokens: 0,
        cache_write_tokens: 0,
        tool_uses: 1,
        tool_problems: 0,
        stop_reason: 'end_turn',
        aborted: false,
      },
    ]);
  });
});

describe('a failure of the service', () => {
  test.each<[string, Refusal, string]>([
    ['throttling', { status: 429, type: 'ThrottlingException' }, 'throttled'],
    ['a model without capacity', { status: 503, type: 'ServiceUnavailableException' }, 'unavailable'],
    ['an internal error', { status: 500, type: 'InternalServerException' }, 'unavailable'],
    ['a model that is not ready', { status: 429, type: 'ModelNotReadyException' }, 'unavailable'],
    ['a model that takes too long', { status: 408, type: 'ModelTimeoutException' }, 'too-slow'],
    ['an account without access', { status: 403, type: 'AccessDeniedException' }, 'access-denied'],
    ['an unknown model', { status: 404, type: 'ResourceNotFoundException' }, 'invalid-request'],
    ['a refused request', { status: 400, type: 'ValidationException' }, 'invalid-request'],
  ])('%s fails the turn at once, without a second try', async (_, refusal, reason) => {
    const model = await modelThat(() => refusal);
    expect(await reasonOf(actionsOf(model, heardAfter(plan, greeting)))).toBe(reason);
    expect(service?.requests).toHaveLength(1);
  });

  test('that cannot be reached fails the turn', async () => {
    const model = modelAt('http://127.0.0.1:9');
    expect(await reasonOf(actionsOf(model, heardAfter(plan, greeting)))).toBe('unavailable');
  });

  test.each<[string, readonly Step[], string]>([
    ['throttles', [{ exception: 'throttlingException' }], 'throttled'],
    ['breaks off the stream', [{ exception: 'modelStreamErrorException' }], 'broken-stream'],
    ['has an internal error', [{ exception: 'internalServerException' }], 'unavailable'],
    ['becomes unavailable', [{ exception: 'serviceUnavailableException' }], 'unavailable'],
    ['loses the connection', [{ cut: true }], 'broken-stream'],
    ['ends without an end', [], 'broken-stream'],
    ['runs out of tokens', end('max_tokens'), 'too-long'],
    ['is stopped by a guardrail', end('guardrail_intervened'), 'content-filtered'],
    ['filters the content', end('content_filtered'), 'content-filtered'],
    ['writes what is no output', end('malformed_model_output'), 'malformed-output'],
    ['writes what is no tool', end('malformed_tool_use'), 'malformed-output'],
    ['outgrows its window', end('model_context_window_exceeded'), 'too-long'],
    ['stops for an unknown reason', end('bored'), 'unexpected'],
  ])('that %s in mid-stream fails the turn after the words that were said', async (_, steps, reason) => {
    const model = await modelThat(() => [begin, ...text('Thank you and'), ...steps]);
    const said: string[] = [];
    const turn = (async () => {
      for await (const action of model.takeTurn(heardAfter(plan, greeting), new AbortController().signal)) {
        if (action.type === 'say') said.push(action.text);
      }
    })();
    expect(await reasonOf(turn)).toBe(reason);
    expect(said.join(' ')).toBe('Thank you and');
  });

  test('a number that nobody gave the model is not said', async () => {
    const model = await modelThat(() =>
      speaks('The social security number is 1 2 3, 4 5, 6 7 8 9. Anything else?'),
    );
    const said: string[] = [];
    const turn = (async () => {
      for await (const action of model.takeTurn(heardAfter(plan, greeting), new AbortController().signal)) {
        if (action.type === 'say') said.push(action.text);
      }
    })();
    expect(await reasonOf(turn)).toBe('unknown-number');
    expect(said.join(' ')).toBe('The social security number is');
  });

  test('a reply without a word fails the turn', async () => {
    const model = await modelThat(() => speaks('<thinking>Nothing to say.</thinking>'));
    expect(await reasonOf(actionsOf(model, heardAfter(plan, greeting)))).toBe('no-words');
  });
});

describe('against an independent imitation of the service', () => {
  let mock: LLMock;
  // It knows no marks for the cache among the tools.
  const settings = { modelId: 'us.amazon.nova-lite-v1:0' };
  beforeEach(async () => {
    mock = new LLMock({ port: 0 });
    await mock.start();
  });
  afterEach(() => mock.stop());

  test('text, tools and their results are understood', async () => {
    mock.on(
      { hasToolResult: false },
      {
        content: 'Thank you.',
        toolCalls: [{ name: 'record_answer', arguments: JSON.stringify(coverage) }],
      },
      { chunkSize: 6 },
    );
    mock.on({ hasToolResult: true }, { content: 'What is the copay?' }, { chunkSize: 3 });
    const input = heardAfter(plan, [...greeting, purpose, "P: Yes, it's active."], { record: emptyRecord });
    const actions = await actionsOf(modelAt(mock.url, settings), input);
    expect(spokenIn(actions)).toBe('Thank you. What is the copay?');
    expect(deedsIn(actions)).toMatchObject([{ type: 'record', answer: { key: 'coverage_active', turn: 3 } }]);
  });

  test('a connection that breaks off fails the turn', async () => {
    mock.on(
      {},
      { content: 'I would like to verify the benefits of a patient.' },
      { truncateAfterChunks: 4, latency: 20 },
    );
    expect(await reasonOf(actionsOf(modelAt(mock.url, settings), heardAfter(plan, greeting)))).toBe(
      'broken-stream',
    );
  });
});
