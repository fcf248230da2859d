import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { DialogueFailure } from '#shared/voice-agent/dialogue/dialogue-failure.ts';
import type { DialogueAction, DialogueModel } from '#shared/voice-agent/dialogue/dialogue-model.ts';
import { type FallbackLimits, fallbackModel } from '#shared/voice-agent/dialogue/fallback-model.ts';
import { capturedLog } from '../../../support/captured-log.ts';
import {
  actionsOf,
  heardAfter,
  nonSpeechActions,
  planOf,
  spokenIn,
  viewed,
} from '../../../support/dialogue-turns.ts';

const plan = planOf({ task_type: 'VERIFY_INSURANCE', task: 'Verify the benefits.' });
const input = await viewed(heardAfter(plan, ['Hello.', 'P: Provider services, this is Dana.']));
const answer = { key: 'copay', answer: '$40', value: 40, quote: 'forty', turn: 1, needs_review: false };
const closing = { type: 'end', reason: 'gave-up', farewell: 'fault' };

/** Generous, so that only what a test is about is ever late. */
const limits: FallbackLimits = {
  fillerAfterMs: 20_000,
  giveUpAfterMs: 30_000,
  stalledAfterMs: 30_000,
  turnWithinMs: 50_000,
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

const failure = new DialogueFailure('throttled');

describe('while the model answers', () => {
  test('it is left alone', async () => {
    const model = modelThat(
      'primary',
      say('Thank you.'),
      { type: 'remember', memory: 'mine' },
      { type: 'record', answer },
      say('And the deductible?'),
    );
    const actions = await actionsOf(fallbackModel(model, limits), input);
    expect(actions).toEqual(await actionsOf(model, input));
  });

  test('a gap is bridged exactly once if the first word is late', async () => {
    const primary = modelThat('primary', { waitMs: 300 }, say('Thank you.'), { waitMs: 300 }, say('Bye?'));
    const model = fallbackModel(primary, { ...limits, fillerAfterMs: 50 });
    expect(spokenIn(await actionsOf(model, input))).toBe('One moment, please. Thank you. Bye?');
  });

  test.each([
    'Please leave a message after the tone.',
    'For claims, press 2.',
    'Your call is important to us, please stay on the line.',
    'One moment please.',
  ])('no one is asked to wait needlessly: %s', async (words) => {
    const primary = modelThat('primary', { waitMs: 300 }, { type: 'wait' });
    const model = fallbackModel(primary, { ...limits, fillerAfterMs: 50 });
    const heard = await viewed(heardAfter(plan, ['Hello.', `P: ${words}`]));
    expect(spokenIn(await actionsOf(model, heard))).toBe('');
  });
});

describe('a failing model', () => {
  test('ends the call if it has no word in time', async () => {
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
    const model = fallbackModel(primary, { ...limits, fillerAfterMs: 50, giveUpAfterMs: 200 });
    const actions = await actionsOf(model, input);
    expect(spokenIn(actions)).toBe('One moment, please.');
    expect(nonSpeechActions(actions)).toEqual([closing]);
    await vi.waitFor(() => expect(aborted).toBe(true));
  });

  test.each([
    ['fails', failure],
    ['throws anything else', new Error('what is this')],
  ])('ends the call when it %s, and records stand', async (_, error) => {
    const primary = modelThat('primary', { type: 'record', answer }, error);
    expect(await actionsOf(fallbackModel(primary, limits), input)).toEqual([
      { type: 'record', answer },
      closing,
    ]);
  });

  test('asks a person to say it again, once, when it has no words', async () => {
    const mute = fallbackModel(modelThat('primary', new DialogueFailure('no-words')), limits);
    const again = 'Could you say that again, please?';
    expect(await actionsOf(mute, input)).toEqual([say(again)]);
    const twice = ['Hello.', 'P: Provider services.', again, 'P: Provider services, this is Dana.'];
    expect(await actionsOf(mute, await viewed(heardAfter(plan, twice)))).toEqual([closing]);
    const menu = await viewed(heardAfter(plan, ['Hello.', 'P: For claims, press 2.']));
    expect(await actionsOf(mute, menu)).toEqual([closing]);
  });

  test.each<[string, readonly DialogueAction[], string]>([
    ['in mid-sentence', [say('Thank you.'), say('And what')], 'Thank you. And what ... Excuse me.'],
    ['after a statement', [say('Thank you.')], 'Thank you.'],
  ])('ends the call when it breaks off %s', async (_, said, expected) => {
    const primary = modelThat('primary', ...said, new DialogueFailure('broken-stream'));
    const actions = await actionsOf(fallbackModel(primary, limits), input);
    expect(spokenIn(actions)).toBe(expected);
    expect(actions.at(-1)).toEqual(closing);
  });

  test.each<[string, readonly DialogueAction[]]>([
    ['a question', [say('Is it active?')]],
    ['a decision', [say('Thank you.'), { type: 'wait' }]],
  ])('lets the turn stand when it breaks off after %s', async (_, said) => {
    const primary = modelThat('primary', ...said, new DialogueFailure('broken-stream'));
    expect(await actionsOf(fallbackModel(primary, limits), input)).toEqual(said);
  });

  test('ends the call when it stalls', async () => {
    const primary = modelThat('primary', say('Thank you.'), { waitMs: 60_000 });
    const model = fallbackModel(primary, { ...limits, stalledAfterMs: 100 });
    expect(await actionsOf(model, input)).toEqual([say('Thank you.'), closing]);
  });

  test('ends the call when it goes on and on', async () => {
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
    const actions = await actionsOf(fallbackModel(primary, { ...limits, turnWithinMs: 200 }), input);
    expect(spokenIn(actions)).toMatch(/^Well\. .*Well\.$/);
    expect(actions.at(-1)).toEqual(closing);
  });
});

describe('an aborted turn', () => {
  test.each<[string, Partial<FallbackLimits>]>([
    ['while the model thinks', {}],
    ['after the gap was bridged', { fillerAfterMs: 20 }],
  ])('%s ends at once, and neither says nor does anything more', async (_, changes) => {
    const stop = new AbortController();
    const primary = modelThat('primary', { waitMs: 60_000 }, say('Too late.'));
    const model = fallbackModel(primary, { ...limits, ...changes });
    setTimeout(() => stop.abort(), 200);
    const actions = await actionsOf(model, input, stop.signal);
    expect(actions).toEqual('fillerAfterMs' in changes ? [say('One moment, please.')] : []);
  });
});

test('the log has the cause of a failure, and no words of the call', async () => {
  const primary = modelThat(
    'primary',
    say('Thank you, Dana.'),
    new DialogueFailure('broken-stream', { cause: new TypeError('Dana') }),
  );
  const log = await capturedLog(() => actionsOf(fallbackModel(primary, limits), input));
  expect(JSON.parse(log)).toMatchObject({
    event: 'dialogue-fallback',
    model: 'primary',
    reason: 'broken-stream',
    cause: 'TypeError',
    spoke: true,
  });
  expect(log).not.toContain('Dana');
});
