import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import type { LogFields } from '#shared/observability/log.ts';
import type { ProposingModel } from '#shared/voice-agent/core/conversation-core.ts';
import { notice, openingWords, reachQuestion, refusalToTell } from '#shared/voice-agent/core/wording.ts';
import { DialogueFailure } from '#shared/voice-agent/dialogue/dialogue-failure.ts';
import type { DialogueAction, DialogueInput } from '#shared/voice-agent/dialogue/dialogue-model.ts';
import { languageModel } from '#shared/voice-agent/language-model/language-model.ts';
import { promptVersion } from '#shared/voice-agent/language-model/prompt.ts';
import type { Json, ModelRequest, ReplyEvent } from '#shared/voice-agent/language-model/transport.ts';
import {
  actionsOf,
  heardAfter,
  nonSpeechActions,
  planOf,
  spokenIn,
  viewed,
} from '../../../support/dialogue-turns.ts';

const plan = planOf({ task_type: 'VERIFY_INSURANCE', task: 'Verify coverage for physical therapy.' });
const opening = openingWords(plan);
const greeting = [
  opening,
  'P: Hello, this is Dana.',
  reachQuestion(plan),
  'P: Yes, you have, this is the insurance company.',
];
const purpose = 'I would like to verify benefits. Is the coverage active?';
const coverage = { key: 'coverage_active', value: true, quote: "Yes, it's active" };
const recorded = {
  type: 'record',
  answer: { ...coverage, answer: 'Yes', quote: "Yes, it's active.", turn: 5, needs_review: false },
};

type Step = ReplyEvent | { readonly waitMs: number } | Error;

let requests: ModelRequest[];
let reports: LogFields[];
beforeEach(() => {
  requests = [];
  reports = [];
});

/**
 * A model whose service replies with these, by the number of the request; the last one again when there are
 * no more.
 */
function modelThat(...replies: readonly (readonly Step[])[]): ProposingModel {
  return languageModel(
    'test',
    {
      model: 'echo-1',
      async *stream(request, signal) {
        requests.push(request);
        for (const step of replies[requests.length - 1] ?? replies.at(-1) ?? []) {
          if (step instanceof Error) throw step;
          if ('waitMs' in step) await sleep(step.waitMs, undefined, { signal });
          else yield step;
        }
      },
    },
    (turn) => reports.push(turn),
  );
}

/** Text as it comes, a few characters at a time. */
function text(words: string): ReplyEvent[] {
  const pieces = words.match(/[\s\S]{1,5}/g) ?? [];
  return [...pieces.map((piece): ReplyEvent => ({ type: 'text', piece })), { type: 'text-end' }];
}

function call(name: string, input: Json | undefined, id = `use-${name}`): ReplyEvent {
  return { type: 'call', id, name, input };
}

const done: ReplyEvent = {
  type: 'done',
  stop: 'end_turn',
  usage: { input: 900, output: 20, cacheRead: 400, cacheWrite: 50 },
};

/** What the tools of the last request came to, as the model was told. */
function resultsTold(): unknown {
  return requests.at(-1)?.messages.at(-1)?.blocks;
}

async function turnOf(model: ProposingModel, input: DialogueInput): Promise<DialogueAction[]> {
  return actionsOf(model, await viewed(input));
}

async function reasonOf(turn: Promise<unknown>): Promise<unknown> {
  const error: unknown = await turn.catch((failure: unknown) => failure);
  return error instanceof DialogueFailure ? error.reason : error;
}

describe('a language model', () => {
  test('opens with the words of every call, without a request', async () => {
    const input = { ...heardAfter(plan, greeting), history: [], event: { type: 'opened' } as const };
    expect(spokenIn(await turnOf(modelThat(text('Hi!')), input))).toBe(opening);
    expect(requests).toEqual([]);
  });

  test('records an answer with its quote, and declares its disclosures', async () => {
    const model = modelThat([
      ...text('The member ID is S M X, 5 5 1, 2 0 9, 8 7. What is the copay?'),
      call('record_answer', coverage),
      call('follow_up', { text: 'Send the card.' }),
      done,
    ]);
    const input = heardAfter(plan, [...greeting, purpose, "P: Yes, it's active. What is the member ID?"]);
    expect(nonSpeechActions(await turnOf(model, input))).toEqual([
      { type: 'disclose', field: 'patient.insurance.medical.member_id' },
      recorded,
      { type: 'follow-up', text: 'Send the card.' },
    ]);
    // It has asked its question, so nothing more is wanted of it.
    expect(requests).toHaveLength(1);
  });

  test('has answered a request, with or without a question mark', async () => {
    const model = modelThat([
      ...text('It is S M X, 5 5 1, 2 0 9, 8 7.'),
      call('record_answer', coverage),
      done,
    ]);
    await turnOf(
      model,
      heardAfter(plan, [...greeting, purpose, "P: Yes, it's active. I need the member ID please."]),
    );
    expect(requests).toHaveLength(1);
  });

  test("is asked again with its tools' results, until it has spoken", async () => {
    const model = modelThat(
      [call('record_answer', coverage), done],
      [...text('Thank you. What is the copay?'), done],
    );
    const actions = await turnOf(model, heardAfter(plan, [...greeting, purpose, "P: Yes, it's active."]));
    expect(actions.map(({ type }) => type).slice(0, 2)).toEqual(['record', 'say']);
    expect(spokenIn(actions)).toBe('Thank you. What is the copay?');
    expect(requests[1]?.messages.slice(-2)).toEqual([
      {
        role: 'assistant',
        blocks: [{ type: 'call', id: 'use-record_answer', name: 'record_answer', input: coverage }],
      },
      { role: 'user', blocks: [{ type: 'result', id: 'use-record_answer', text: 'ok', isProblem: false }] },
    ]);
  });

  test.each<[string, Json | undefined, string]>([
    ['no JSON', undefined, 'not valid'],
    ['another shape', { key: 7 }, 'not valid'],
    ['words that nobody said', { ...coverage, quote: 'it has lapsed' }, 'did not say'],
    ['an unknown item', { ...coverage, key: 'diagnosis' }, 'there is no item'],
  ])('learns that an input is %s, and can correct it', async (_, input, problem) => {
    const model = modelThat(
      [...text('Thank you. What is the copay?'), call('record_answer', input), done],
      [...text('Let me ask again: the copay?'), call('record_answer', coverage), done],
    );
    const actions = await turnOf(model, heardAfter(plan, [...greeting, purpose, "P: Yes, it's active."]));
    expect(nonSpeechActions(actions)).toEqual([recorded]);
    // The question was put; it is not put twice.
    expect(spokenIn(actions)).toBe('Thank you. What is the copay?');
    expect(resultsTold()).toMatchObject([{ isProblem: true, text: expect.stringContaining(problem) }]);
    expect(requests).toHaveLength(2);
  });

  test('is not asked forever', async () => {
    const model = modelThat([call('record_answer', undefined), done]);
    expect(await reasonOf(turnOf(model, heardAfter(plan, greeting)))).toBe('no-words');
    expect(requests).toHaveLength(4);
  });

  test.each<[string, Json, DialogueAction]>([
    ['wait', {}, { type: 'wait' }],
    ['press_keys', { keys: '2' }, { type: 'press', digits: '2' }],
    ['end_call', { reason: 'refused' }, { type: 'end', reason: 'refused', farewell: 'refused' }],
  ])('%s decides the turn without another request, whatever else it writes', async (name, input, action) => {
    const model = modelThat([
      call(name, input),
      call('end_call', { reason: 'gave-up' }),
      ...text('And so on.'),
      done,
    ]);
    const menu = heardAfter(plan, [...greeting, purpose, 'P: For benefits, press 2.']);
    expect(nonSpeechActions(await turnOf(model, menu))).toEqual([action]);
    expect(requests).toHaveLength(1);
  });

  test('does not end the call before a refused note is corrected, once', async () => {
    const end = call('end_call', { reason: 'call-again' });
    const note = (reason: string): ReplyEvent => call('note_obstacle', { reason, quote: 'Call after lunch' });
    const input = heardAfter(plan, [...greeting, purpose, 'P: Call after lunch.']);
    const corrected = modelThat([note('lunch'), end, done], [note('call_back_at'), end, done]);
    expect(nonSpeechActions(await turnOf(corrected, input)).map(({ type }) => type)).toEqual([
      'obstacle',
      'end',
    ]);
    const gaveUp = call('end_call', { reason: 'gave-up' });
    requests = [];
    const stubborn = modelThat([note('lunch'), gaveUp, done]);
    expect(nonSpeechActions(await turnOf(stubborn, input))).toMatchObject([{ reason: 'gave-up' }]);
    expect(requests).toHaveLength(2);
  });

  test('records the rest of the turn after the deciding tool, or a broken stream', async () => {
    const model = modelThat([
      call('end_call', { reason: 'gave-up' }),
      call('follow_up', { text: 'Call again after lunch.' }),
      new DialogueFailure('broken-stream'),
    ]);
    const actions = await turnOf(model, heardAfter(plan, [...greeting, purpose, 'P: Call after lunch.']));
    // Nothing after the end counts, so the end comes last.
    expect(nonSpeechActions(actions).map(({ type }) => type)).toEqual(['follow-up', 'end']);
  });

  test('introduces itself to a person who joins later, before its own words', async () => {
    const later = ["P: Thank you, I'll transfer you now.", 'Thank you.', 'P: Hello, who is this?'];
    const actions = await turnOf(
      modelThat([...text('I am calling about benefits. And you are?'), done]),
      heardAfter(plan, [...greeting, purpose, ...later]),
    );
    expect(spokenIn(actions)).toBe(`${notice(plan, 1)} I am calling about benefits. And you are?`);
    expect(JSON.stringify(requests)).not.toContain('Elena');
  });

  test.each([
    'The social security number is 1 2 3, 4 5, 6 7 8 9. Anything else?',
    'The social security number is one twenty-three, forty-five, sixty-seven eighty-nine. Anything else?',
  ])('does not say a number that nobody gave it, and goes on: %s', async (words) => {
    const actions = await turnOf(
      modelThat([...text(words), done]),
      heardAfter(plan, [...greeting, purpose, 'P: What is her social security number?']),
    );
    expect(spokenIn(actions)).toBe(`The social security number is ... ${refusalToTell(true)} Anything else?`);
    expect(reports).toMatchObject([{ withheld_numbers: 1 }]);
  });

  test('leaves people alone who never say where they are', async () => {
    const reach = reachQuestion(plan);
    const asked = Array.from({ length: 4 }, () => ['P: Who is this?', reach]).flat();
    const input = heardAfter(plan, [opening, ...asked, 'P: Who is this?']);
    expect(nonSpeechActions(await turnOf(modelThat(text('Hello?')), input))).toMatchObject([
      { type: 'end', reason: 'gave-up' },
    ]);
    expect(requests).toEqual([]);
  });

  test('knows the heard part of its words after an interruption', async () => {
    const model = modelThat([...text('Sure. Is the coverage active?'), done]);
    const input = heardAfter(plan, [...greeting, 'I would like to', 'P: Wait, who is this?']);
    const event = { type: 'interrupted', heard: 'I would like to' } as const;
    const noted = await turnOf(model, { ...input, event });
    const [memory] = noted.flatMap((action) => (action.type === 'remember' ? [action.memory] : []));
    expect(requests).toEqual([]);
    await turnOf(model, { ...input, memory });
    expect(resultsTold()).toContainEqual({
      type: 'text',
      text: expect.stringContaining('the last that they heard of you was: "I would like to"'),
    });
  });

  test('stops at once when aborted, and with it the request', async () => {
    const model = modelThat([
      { type: 'text', piece: 'I would like to ' },
      { waitMs: 60_000 },
      ...text('verify.'),
    ]);
    const stop = new AbortController();
    const actions: DialogueAction[] = [];
    for await (const action of model.takeTurn(await viewed(heardAfter(plan, greeting)), stop.signal)) {
      actions.push(action);
      if (spokenIn(actions) === 'I would like to') stop.abort();
    }
    expect(actions.every(({ type }) => type === 'say')).toBe(true);
    expect(reports).toMatchObject([{ aborted: true }]);
  });

  test('reports the version of its prompt, counts and durations of a turn, and no words', async () => {
    const model = modelThat(
      [call('record_answer', coverage), done],
      [...text('Thank you. What is the copay?'), done],
    );
    await turnOf(model, heardAfter(plan, [...greeting, purpose, "P: Yes, it's active."]));
    expect(reports).toEqual([
      {
        model: 'echo-1',
        prompt_version: promptVersion,
        rounds: 2,
        first_token_ms: expect.any(Number),
        duration_ms: expect.any(Number),
        input_tokens: 1800,
        output_tokens: 40,
        cache_read_tokens: 800,
        cache_write_tokens: 100,
        tool_uses: 1,
        tool_problems: 0,
        withheld_numbers: 0,
        stop_reason: 'end_turn',
        aborted: false,
      },
    ]);
  });

  test.each<[string, readonly Step[], string, string]>([
    [
      'whose service fails after words',
      [...text('Thank you and'), new DialogueFailure('throttled')],
      'throttled',
      'Thank you and',
    ],
    ['without a word', [...text('<thinking>Nothing to say.</thinking>'), done], 'no-words', ''],
    ['with nothing at all', [done], 'no-words', ''],
  ])('%s fails the turn', async (_, steps, reason, heard) => {
    const said: DialogueAction[] = [];
    const turn = (async () => {
      const input = await viewed(heardAfter(plan, greeting));
      for await (const action of modelThat(steps).takeTurn(input, new AbortController().signal))
        said.push(action);
    })();
    expect(await reasonOf(turn)).toBe(reason);
    expect(spokenIn(said)).toBe(heard);
  });
});
