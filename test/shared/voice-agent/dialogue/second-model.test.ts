import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { DialogueFailure } from '#shared/voice-agent/dialogue/dialogue-failure.ts';
import type { DialogueAction, DialogueModel } from '#shared/voice-agent/dialogue/dialogue-model.ts';
import { withSecondModel } from '#shared/voice-agent/dialogue/second-model.ts';
import { capturedLog } from '../../../support/captured-log.ts';
import { actionsOf, heardAfter, planOf, spokenIn, viewed } from '../../../support/dialogue-turns.ts';

const input = await viewed(
  heardAfter(planOf({ task_type: 'VERIFY_INSURANCE', task: 'Verify the benefits.' }), ['P: Hello?']),
);
const patient = 30_000;

type Step = DialogueAction | { readonly waitMs: number } | Error;

const say = (text: string): DialogueAction => ({ type: 'say', text });

/** A model that does these things, and notes when it was told to stop. */
function modelThat(...steps: readonly Step[]): DialogueModel & { isStopped: boolean } {
  return {
    name: 'test',
    isImmediate: false,
    isStopped: false,
    async *takeTurn(_input, signal) {
      signal.addEventListener('abort', () => {
        this.isStopped = true;
      });
      for (const step of steps) {
        if (step instanceof Error) throw step;
        if ('waitMs' in step) await sleep(step.waitMs, undefined, { signal });
        else yield step;
      }
    },
  };
}

const second = modelThat(say('What is the copay?'));

describe('a second model', () => {
  test('is not asked while the first answers', async () => {
    const both = withSecondModel(modelThat(say('Thank you.'), { waitMs: 20 }, say('And?')), second, patient);
    expect(spokenIn(await actionsOf(both, input))).toBe('Thank you. And?');
  });

  test('takes a turn without a result, and the log says why', async () => {
    const failing = modelThat(new DialogueFailure('throttled', { cause: new TypeError('Dana') }));
    let actions: DialogueAction[] = [];
    const log = await capturedLog(async () => {
      actions = await actionsOf(withSecondModel(failing, second, patient), input);
    });
    expect(spokenIn(actions)).toBe('What is the copay?');
    expect(JSON.parse(log)).toMatchObject({
      event: 'dialogue-second-model',
      model: 'test',
      reason: 'throttled',
      cause: 'TypeError',
    });
    expect(log).not.toContain('Dana');
  });

  test('takes the turn if the first is too slow, and stops it', async () => {
    const slow = modelThat({ waitMs: 60_000 }, say('Too late.'));
    expect(spokenIn(await actionsOf(withSecondModel(slow, second, 50), input))).toBe('What is the copay?');
    expect(slow.isStopped).toBe(true);
  });

  test('is not started if the first slows down after it has begun', async () => {
    const first = modelThat(say('Thank you.'), { waitMs: 200 }, say('And?'));
    expect(spokenIn(await actionsOf(withSecondModel(first, second, 50), input))).toBe('Thank you. And?');
  });

  test.each<[string, readonly Step[]]>([
    ['the first fails after it has begun', [say('Thank you.'), new DialogueFailure('broken-stream')]],
  ])('does not repeat words when %s', async (_, steps) => {
    const both = withSecondModel(modelThat(...steps), second, patient);
    await expect(actionsOf(both, input)).rejects.toThrow('broken-stream');
  });

  test('that also fails leaves the turn to others', async () => {
    const both = withSecondModel(
      modelThat(new DialogueFailure('throttled')),
      modelThat(new DialogueFailure('unavailable')),
      patient,
    );
    await expect(actionsOf(both, input)).rejects.toThrow('unavailable');
  });

  test('is not asked for an aborted turn', async () => {
    const stop = new AbortController();
    const first = modelThat({ waitMs: 60_000 });
    setTimeout(() => stop.abort(), 50);
    expect(await actionsOf(withSecondModel(first, second, patient), input, stop.signal)).toEqual([]);
    await vi.waitFor(() => expect(first.isStopped).toBe(true));
  });

  test('and the first are stopped when no one listens any more', async () => {
    const first = modelThat(say('Thank you.'), say('And?'), { waitMs: 60_000 });
    for await (const _ of withSecondModel(first, second, patient).takeTurn(
      input,
      new AbortController().signal,
    ))
      break;
    expect(first.isStopped).toBe(true);
  });
});
