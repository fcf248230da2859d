import { expect, test } from 'vitest';
import { emptyRecord } from '#shared/voice-agent/dialogue/dialogue-record.ts';
import { createCallPlan } from '#shared/voice-agent/plan/create-call-plan.ts';
import { decide, scriptedModel } from '#shared/voice-agent/scripted-model/scripted-model.ts';
import { warmUp } from '#shared/voice-agent/scripted-model/warm-up.ts';
import { callTime, patient } from '../../../support/conversation.ts';
import { sampleProject, sampleTask } from '../../../support/sample-tasks.ts';

const plan = createCallPlan(
  sampleTask(sampleProject(), { task_type: 'VERIFY_INSURANCE' }),
  patient,
  sampleProject(),
);
const heard = { type: 'heard', text: 'Good morning, this is Dana.', turn: 1 } as const;
const input = {
  plan,
  record: emptyRecord,
  memory: null,
  history: [],
  event: heard,
  answeredBy: null,
  now: callTime,
};

test('the same words in the same state get the same answer, and what was given is not changed', () => {
  const memory = decide(input).at(-1);
  const before = JSON.stringify(memory);
  expect(decide(input)).toEqual(decide(input));
  decide({ ...input, memory: memory?.type === 'remember' ? memory.memory : null });
  expect(JSON.stringify(memory)).toBe(before);
});

test('the model yields what the rules decide', async () => {
  const actions = [];
  for await (const action of scriptedModel.takeTurn(input, new AbortController().signal))
    actions.push(action);
  expect(actions).toEqual(decide(input));
  expect(actions[0]?.type).toBe('say');
});

test('silence is answered with the last words once more, and after several times with the end of the call', () => {
  let memory: unknown = null;
  const kinds: string[] = [];
  for (const event of [
    heard,
    ...Array.from({ length: 6 }, () => ({ type: 'silence', seconds: 10 }) as const),
  ]) {
    const actions = decide({ ...input, memory, event });
    kinds.push(actions[0]?.type ?? 'nothing');
    for (const action of actions) if (action.type === 'remember') memory = action.memory;
  }
  expect(kinds.slice(0, 3)).toEqual(['say', 'say', 'say']);
  expect(kinds).toContain('end');
});

test('warming up takes part in no conversation', () => {
  const before = decide(input);
  warmUp();
  expect(decide(input)).toEqual(before);
});
