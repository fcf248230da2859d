import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { DialogueFailure } from '#shared/voice-agent/dialogue/dialogue-failure.ts';
import type {
  DialogueAction,
  DialogueInput,
  DialogueModel,
} from '#shared/voice-agent/dialogue/dialogue-model.ts';
import {
  type FallbackLimits,
  fallbackModel,
  type Standby,
} from '#shared/voice-agent/dialogue/fallback-model.ts';
import { capturedLog } from '../../../support/captured-log.ts';
import { actionsOf, deedsIn, heardAfter, planOf, spokenIn } from '../../../support/dialogue-turns.ts';

const plan = planOf({ task_type: 'VERIFY_INSURANCE', task: 'Verify the benefits.' });
const input = heardAfter(plan, ['Hello.', 'P: Provider services, this is Dana.']);
const answer = { key: 'copay', answer: '$40', value: 40, quote: 'forty', turn: 1 };

/** Generous, so that only what a test is about is ever late. */
const limits: FallbackLimits = {
  fillerAfterMs: 20_000,
  giveUpAfterMs: 30_000,
  stalledAfterMs: 30_000,
  turnWithinMs: 50_000,
  maxFailures: 2,
};

type Step = DialogueAction | { readonly waitMs: number } | Error;

function say(text: string): DialogueAction {
  return { type: 'say', text };
}

/** A model that does these things in every turn, however often it is asked. */
function modelThat(name: string, ...steps: readonly Step[]): DialogueModel {
  return {
    name,
    isImmediate: false,
    async *takeTurn(_input, signal) {
      for (const step of steps) {
        if (step instanceof Error) throw step;
        if ('waitMs' in step) await sleep(step.waitMs, undefined, { signal });
        else yield step;
      }
    },
  };
}

let asked: DialogueInput[] = [];
afterEach(() => {
  asked = [];
});

/** Remembers how often it was asked. */
function standbyThat(...steps: readonly DialogueAction[]): Standby {
  return {
    model: {
      name: 'standby',
      isImmediate: true,
      async *takeTurn(question) {
        asked.push(question);
        yield* steps;
        yield { type: 'remember', memory: typeof question.memory === 'number' ? question.memory + 1 : 1 };
      },
    },
    catchUp: (memory) => memory,
  };
}

const asks = standbyThat(say('What is the copay?'));

function memoryIn(actions: readonly DialogueAction[]): unknown {
  return actions.findLast((action) => action.type === 'remember')?.memory;
}

describe('while the primary model answers', () => {
  test('it holds the conversation, and its memory is kept for it', async () => {
    const primary = modelThat(
      'primary',
      say('Thank you.'),
      { type: 'remember', memory: 'mine' },
      { type: 'record', answer },
      say('And the deductible?'),
    );
    const actions = await actionsOf(fallbackModel(primary, asks, limits), input);
    expect(spokenIn(actions)).toBe('Thank you. And the deductible?');
    expect(deedsIn(actions)).toEqual([{ type: 'record', answer }]);
    expect(memoryIn(actions)).toEqual({ primary: 'mine', standby: null, failures: 0 });
    expect(asked).toEqual([]);
  });

  test('a gap is bridged once, and only once, when the first word is late', async () => {
    const primary = modelThat('primary', { waitMs: 300 }, say('Thank you.'), { waitMs: 300 }, say('Bye?'));
    const model = fallbackModel(primary, asks, { ...limits, fillerAfterMs: 50 });
    expect(spokenIn(await actionsOf(model, input))).toBe('One moment, please. Thank you. Bye?');
  });

  test('nothing is said to whom the standby would say nothing', async () => {
    const primary = modelThat('primary', { waitMs: 300 }, { type: 'wait' });
    const model = fallbackModel(primary, standbyThat({ type: 'wait' }), { ...limits, fillerAfterMs: 50 });
    expect(spokenIn(await actionsOf(model, input))).toBe('');
  });
});

describe('the standby', () => {
  test('takes the turn when the primary model has no word in time', async () => {
    let aborted = false;
    const primary: DialogueModel = {
      name: 'primary',
      isImmediate: false,
      async *takeTurn(_input, signal) {
        await sleep(60_000, undefined, { signal }).catch(() => {
          aborted = true;
        });
        yield say('Too late.');
      },
    };
    const model = fallbackModel(primary, asks, { ...limits, fillerAfterMs: 50, giveUpAfterMs: 200 });
    const actions = await actionsOf(model, input);
    expect(spokenIn(actions)).toBe('One moment, please. What is the copay?');
    expect(memoryIn(actions)).toMatchObject({ failures: 1 });
    await vi.waitFor(() => expect(aborted).toBe(true));
  });

  test.each([
    ['fails', new DialogueFailure('throttled')],
    ['throws anything else', new Error('what is this')],
  ])('takes the turn when the primary model %s, and learns what was recorded', async (_, error) => {
    const primary = modelThat('primary', { type: 'record', answer }, error);
    const actions = await actionsOf(fallbackModel(primary, asks, limits), input);
    expect(spokenIn(actions)).toBe('What is the copay?');
    expect(deedsIn(actions)).toEqual([{ type: 'record', answer }]);
    expect(asked[0]?.record.answers).toEqual([answer]);
  });

  test.each<[string, readonly DialogueAction[], string]>([
    [
      'in mid-sentence',
      [say('Thank you.'), say('And what')],
      'Thank you. And what ... Excuse me. What is the copay?',
    ],
    ['after a statement', [say('Thank you.')], 'Thank you. What is the copay?'],
    ['after a question', [say('Is it active?')], 'Is it active?'],
    ['after a decision', [say('Thank you.'), { type: 'wait' }], 'Thank you.'],
  ])('continues a turn that broke off %s', async (_, said, expected) => {
    const primary = modelThat('primary', ...said, new DialogueFailure('broken-stream'));
    expect(spokenIn(await actionsOf(fallbackModel(primary, asks, limits), input))).toBe(expected);
  });

  test('ends a turn that stalls', async () => {
    const primary = modelThat('primary', say('Thank you.'), { waitMs: 60_000 });
    const model = fallbackModel(primary, asks, { ...limits, stalledAfterMs: 100 });
    expect(spokenIn(await actionsOf(model, input))).toBe('Thank you. What is the copay?');
  });

  test('ends a turn that goes on and on', async () => {
    const primary: DialogueModel = {
      name: 'primary',
      isImmediate: false,
      async *takeTurn(_input, signal) {
        while (!signal.aborted) {
          yield say('Well.');
          await sleep(5);
        }
      },
    };
    const model = fallbackModel(primary, asks, { ...limits, turnWithinMs: 200 });
    expect(spokenIn(await actionsOf(model, input))).toMatch(/^Well\. .*Well\. What is the copay\?$/);
  });

  test('keeps the call after two failures in a row', async () => {
    const failing = fallbackModel(modelThat('primary', new DialogueFailure('throttled')), asks, limits);
    const working = fallbackModel(modelThat('primary', say('It is me.')), asks, limits);
    const first = memoryIn(await actionsOf(failing, input));
    expect(spokenIn(await actionsOf(working, { ...input, memory: first }))).toBe('It is me.');
    const second = memoryIn(await actionsOf(failing, { ...input, memory: first }));
    const third = await actionsOf(working, { ...input, memory: second });
    expect(spokenIn(third)).toBe('What is the copay?');
    expect(memoryIn(third)).toEqual({ primary: null, standby: 3, failures: 2 });
  });

  test('is forgotten after a success, and not after what cannot fail', async () => {
    const failing = fallbackModel(modelThat('primary', new DialogueFailure('throttled')), asks, limits);
    const working = fallbackModel(modelThat('primary', say('It is me.')), asks, limits);
    const memory = memoryIn(await actionsOf(failing, input));
    const key = { ...input, memory, event: { type: 'key-pressed', digit: '1' } as const };
    expect(memoryIn(await actionsOf(working, key))).toMatchObject({ failures: 1 });
    expect(memoryIn(await actionsOf(working, { ...input, memory }))).toMatchObject({ failures: 0 });
  });
});

describe('a turn that is aborted', () => {
  test.each<[string, Partial<FallbackLimits>]>([
    ['while the primary model thinks', {}],
    ['after the gap was bridged', { fillerAfterMs: 20 }],
  ])('%s ends at once, and neither says nor remembers anything more', async (_, changes) => {
    const stop = new AbortController();
    const primary = modelThat('primary', { waitMs: 60_000 }, say('Too late.'));
    const model = fallbackModel(primary, asks, { ...limits, ...changes });
    setTimeout(() => stop.abort(), 200);
    const actions = await actionsOf(model, input, stop.signal);
    expect(spokenIn(actions)).toBe('fillerAfterMs' in changes ? 'One moment, please.' : '');
    expect(memoryIn(actions)).toBeUndefined();
  });
});

describe('the log', () => {
  test('tells why the standby took a turn, and no word of it', async () => {
    const primary = modelThat(
      'primary',
      say('Thank you, Dana.'),
      new DialogueFailure('broken-stream', { cause: new TypeError('Dana') }),
    );
    const log = await capturedLog(() => actionsOf(fallbackModel(primary, asks, limits), input));
    expect(JSON.parse(log)).toMatchObject({
      event: 'dialogue-fallback',
      model: 'primary',
      reason: 'broken-stream',
      cause: 'TypeError',
      failures: 1,
      spoke: true,
    });
    expect(log).not.toContain('Dana');
  });
});
