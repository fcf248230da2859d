import { describe, expect, test } from 'vitest';
import { governed } from '#shared/voice-agent/core/conversation-core.ts';
import { isAskedEnough } from '#shared/voice-agent/core/progress-guard.ts';
import { openingWords, reachQuestion } from '#shared/voice-agent/core/wording.ts';
import type { DialogueAction } from '#shared/voice-agent/dialogue/dialogue-model.ts';
import { type DialogueRecord, emptyRecord } from '#shared/voice-agent/dialogue/dialogue-record.ts';
import { actionsOf, heardAfter, planOf } from '../../../support/dialogue-turns.ts';

const plan = planOf({ task_type: 'VERIFY_INSURANCE', task: 'Verify coverage for physical therapy.' });
const confirmed = 'P: Yes, you have, this is the insurance company.';

/** Says these prompts to a model that always does the same; returns the actions of each turn. */
async function talkTo(
  prompts: readonly string[],
  does: readonly DialogueAction[],
  record: DialogueRecord = emptyRecord,
  questions: readonly string[] = [],
): Promise<DialogueAction[][]> {
  const model = governed({
    name: 'test',
    isImmediate: true,
    async *takeTurn() {
      yield* does;
    },
  });
  const lines = [reachQuestion(plan)];
  const turns: DialogueAction[][] = [];
  let memory: unknown = null;
  for (const [at, prompt] of prompts.entries()) {
    lines.push(prompt);
    const actions = await actionsOf(model, heardAfter(plan, lines, { memory, record }));
    memory = actions.findLast((action) => action.type === 'remember')?.memory;
    turns.push(actions);
    lines.push(questions[at] ?? 'What is the copay?');
  }
  return turns;
}

const question: DialogueAction = { type: 'say', text: 'What is the copay?' };
const endings = (turns: readonly DialogueAction[][]) =>
  turns.map((actions) => actions.flatMap((action) => (action.type === 'end' ? [action.reason] : []))[0]);

test('whom we reached is asked four times per person, and eight times per call', () => {
  expect(isAskedEnough(3, 7)).toBe(false);
  expect(isAskedEnough(4, 4)).toBe(true);
  expect(isAskedEnough(0, 8)).toBe(true);
});

describe('with any model', () => {
  test('an unproductive call ends', async () => {
    const vague = Array.from({ length: 8 }, () => 'P: That was in the spring, and they were painted green.');
    const ended = endings(await talkTo([confirmed, ...vague], [question]));
    expect(ended.slice(0, 3)).toEqual([undefined, undefined, undefined]);
    expect(['gave-up', 'declined']).toContain(ended.at(-1));
  });

  test('a question with the same patient reply again and again is abandoned', async () => {
    const hold = Array.from({ length: 4 }, () => 'P: Bear with me.');
    const ended = endings(await talkTo([confirmed, ...hold], [question, { type: 'wait' }]));
    expect(ended.slice(0, 3)).toEqual([undefined, undefined, undefined]);
    expect(ended.at(-1)).toBeDefined();
  });

  test('a person who does not know several things is asked the next', async () => {
    const unknown = Array.from({ length: 4 }, () => "P: I don't have that information here.");
    const questions = ['deductible', 'coinsurance', 'copay', 'plan'].map((what) => `What is the ${what}?`);
    const ended = endings(await talkTo([confirmed, ...unknown], [question], emptyRecord, questions));
    expect(ended.every((reason) => reason === undefined)).toBe(true);
  });

  test('nor does it matter in whose words the questions are', async () => {
    const unknown = Array.from({ length: 4 }, () => "P: I don't have that information here.");
    const questions = [
      'Could you tell me if her coverage is active right now?',
      'Which plan is she on?',
      'And do you know whether her doctor is in network? Take your time.',
      'How much would she pay for a visit?',
    ];
    const ended = endings(await talkTo([confirmed, ...unknown], [question], emptyRecord, questions));
    expect(ended.every((reason) => reason === undefined)).toBe(true);
  });

  test('repeating the same is not progress', async () => {
    const told: DialogueAction = { type: 'disclose', field: 'patient.date_of_birth' };
    const record = { ...emptyRecord, disclosures: [{ field: 'patient.date_of_birth', turn: 0 }] };
    const vague = Array.from({ length: 8 }, () => 'P: That was in the spring, and they were painted green.');
    const ended = endings(await talkTo([confirmed, ...vague], [question, told], record));
    expect(ended.at(-1)).toBeDefined();
  });

  test('a call continues while something is told', async () => {
    const vague = Array.from({ length: 8 }, () => 'P: That was in the spring, and they were painted green.');
    const told: DialogueAction = { type: 'disclose', field: 'patient.date_of_birth' };
    const ended = endings(await talkTo([confirmed, ...vague], [question, told]));
    expect(ended.every((reason) => reason === undefined)).toBe(true);
  });

  test('a person who repeats one sentence is left alone', async () => {
    const letter = 'P: Not without the letter, I cannot put it any other way.';
    const wait: DialogueAction = { type: 'wait' };
    const ended = endings(await talkTo([confirmed, ...Array(5).fill(letter)], [question, wait]));
    expect(ended.at(-1)).toBe('declined');
  });

  test('a call that ends without an answer behind an obstacle was declined', async () => {
    const end: DialogueAction = { type: 'end', reason: 'finished', farewell: 'thanks' };
    const obstacle = (reason: 'portal_only' | 'not_verified'): DialogueRecord => ({
      ...emptyRecord,
      obstacle: { reason, quote: 'Use the portal.', turn: 1, call_back_at: null },
    });
    const endingOf = async (record: DialogueRecord) =>
      endings(await talkTo([confirmed, 'P: Thank you.'], [end], record)).at(-1);
    expect(await endingOf(obstacle('portal_only'))).toBe('declined');
    expect(await endingOf(obstacle('not_verified'))).toBe('finished');
    expect(await endingOf(emptyRecord)).toBe('finished');
    const quote = 'Active.';
    const answer = {
      key: 'coverage_active',
      value: true,
      answer: 'Yes',
      quote,
      turn: 1,
      needs_review: false,
    };
    expect(await endingOf({ ...obstacle('portal_only'), answers: [answer] })).toBe('finished');
  });

  test('a person who never understands is let go', async () => {
    const ended = endings(
      await talkTo([confirmed, ...Array(6).fill('P: Pardon? Say that again?')], [question]),
    );
    expect(ended.at(-1)).toBe('gave-up');
  });

  test('a person who turned us away has declined, even if the model gives up or believes it is finished', async () => {
    const away = [
      "P: I can't give that out, it is against our policy.",
      "P: We don't give out that information.",
    ];
    for (const reason of ['gave-up', 'finished'] as const) {
      const [, , last] = await talkTo([confirmed, ...away], [{ type: 'end', reason, farewell: 'thanks' }]);
      expect(endings([last ?? []])).toEqual(['declined']);
    }
  });

  test('a wrong number ends as one', async () => {
    const [actions] = await talkTo(
      ['P: No, this is a private house, you have the wrong number.'],
      [question],
    );
    expect(endings([actions ?? []])).toEqual(['wrong-number']);
  });
});

describe('the notice', () => {
  const heardBy = async (...lines: readonly string[]) => {
    let isHeard: boolean | null = null;
    const model = governed({
      name: 'test',
      isImmediate: true,
      async *takeTurn({ view }) {
        isHeard = view.party.notice_heard;
        yield { type: 'wait' };
      },
    });
    await actionsOf(model, heardAfter(plan, lines));
    return isHeard;
  };

  test('is heard where the transcript says so', async () => {
    expect(await heardBy(openingWords(plan), 'P: Benefits, how can I help?')).toBe(true);
  });

  test('is not heard where it was cut off', async () => {
    const cut = openingWords(plan).slice(0, 40);
    expect(await heardBy(cut, 'P: Benefits, how can I help?')).toBe(false);
  });
});
