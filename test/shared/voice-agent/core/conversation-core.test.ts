import { describe, expect, test } from 'vitest';
import type { CallPlan } from '#shared/voice-agent/call-plan/call-plan.ts';
import { clientItem } from '#shared/voice-agent/call-plan/items.ts';
import { type GovernedInput, governed } from '#shared/voice-agent/core/conversation-core.ts';
import { directionOf } from '#shared/voice-agent/core/direction.ts';
import { reachQuestion, refusalToTell } from '#shared/voice-agent/core/wording.ts';
import type { DialogueAction, DialogueInput } from '#shared/voice-agent/dialogue/dialogue-model.ts';
import { actionsOf, heardAfter, planOf, spokenIn, viewed } from '../../../support/dialogue-turns.ts';

const given = planOf({ task_type: 'VERIFY_INSURANCE', task: 'Verify coverage for physical therapy.' });
const plan: CallPlan = {
  ...given,
  identity: { ...given.identity, organization: 'Lakeside Care' },
  facts: [
    ...given.facts.filter(({ field }) => !field.startsWith('project.')),
    {
      field: 'project.organization_name',
      topic: 'caller-organization',
      label: 'organization',
      value: 'Lakeside Care',
      spoken: 'Lakeside Care',
      may_be_told: true,
    },
  ],
};
const stranger = ['P: Hello?'];
const rightParty = [reachQuestion(given), 'P: Yes, you have, this is the insurance company.'];

let asked: GovernedInput | null = null;

/** A model that proposes these things. */
function proposing(...actions: readonly DialogueAction[]) {
  return governed({
    name: 'test',
    isImmediate: true,
    async *takeTurn(input) {
      asked = input;
      yield* actions;
    },
  });
}

function wordByWord(text: string): DialogueAction[] {
  return text.split(' ').map((word) => ({ type: 'say', text: word }));
}

function said(actions: readonly DialogueAction[]): string[] {
  return actions.flatMap((action) => (action.type === 'say' ? [action.text] : []));
}

const turnOf = (lines: readonly string[], ...actions: readonly DialogueAction[]) =>
  actionsOf(proposing(...actions), heardAfter(plan, lines));

test('our filler leaves the verification question open', async () => {
  await turnOf([reachQuestion(given), 'P: One second.', 'Sure, take your time.', 'P: Yes, you have.']);
  expect(asked?.view.party.status).toBe('verified');
});

test('a short reply to whether it is booked is a yes, not a question to us', async () => {
  const check = 'Is the appointment on Monday, November 23 at 9 AM booked now?';
  const { view } = await viewed(heardAfter(plan, [...rightParty, check, 'P: right']));
  expect(view.heard?.moves).toMatchObject([{ act: 'yes', isQuestion: false }]);
});

test('a person who answers us is not a recording because of one clause', async () => {
  const formal = 'P: All of that is subject to the terms of the certificate.';
  const { view } = await viewed(heardAfter(plan, [...rightParty, 'Is a referral required?', formal]));
  expect(view.party.status).toBe('verified');
});

test('what a language model records against their words is left for review', async () => {
  const quote = 'No, it is not covered.';
  const input = heardAfter(plan, [...rightParty, 'Is physical therapy covered?', `P: ${quote}`]);
  const turn = input.event.type === 'heard' ? input.event.turn : 0;
  const answer = { key: 'service_covered', value: true, answer: 'Yes', quote, turn, needs_review: false };
  const model = governed({
    name: 'test',
    isImmediate: false,
    async *takeTurn() {
      yield { type: 'record', answer };
    },
  });
  expect(await actionsOf(model, input)).toContainEqual({
    type: 'record',
    answer: { ...answer, value: null, answer: quote, needs_review: true },
  });
});

describe('to an unknown person', () => {
  test('no fact is told, however it is cut into words, and none is recorded as told', async () => {
    const actions = await turnOf(stranger, ...wordByWord('It is about Elena Marsh. Is this the insurer?'), {
      type: 'disclose',
      field: 'patient.name',
    });
    expect(spokenIn(actions)).toBe(`It is about ... ${refusalToTell(false)} Is this the insurer?`);
    expect(actions.map(({ type }) => type)).not.toContain('disclose');
    expect(asked?.view.facts).toEqual([]);
  });

  test('the caller may be told', async () => {
    const disclosed: DialogueAction = { type: 'disclose', field: 'project.organization_name' };
    const words = wordByWord('I am calling from Lakeside Care, okay?');
    const actions = await turnOf(stranger, ...words, disclosed);
    expect(actions.slice(0, -1)).toEqual([...words, disclosed]);
  });
});

describe('to the right party', () => {
  test('required facts are told, others are not', async () => {
    const actions = await turnOf(rightParty, ...wordByWord('It is Elena Marsh, of elena.marsh@example.com.'));
    expect(asked?.view.party.status).toBe('verified');
    expect(asked?.view.facts.map(({ topic }) => topic)).not.toContain('email');
    expect(spokenIn(actions)).not.toContain('example.com');
    expect(spokenIn(await turnOf(rightParty, ...wordByWord('It is Elena Marsh.')))).toBe(
      'It is Elena Marsh.',
    );
  });

  test('words come out as proposed without secrets', async () => {
    const open = { ...plan, facts: plan.facts.map((fact) => ({ ...fact, may_be_told: true })) };
    const words = wordByWord('It is Elena Marsh, born March 5, 1979.');
    const actions = await actionsOf(proposing(...words), heardAfter(open, rightParty));
    expect(actions.slice(0, -1)).toEqual(words);
  });
});

test.each<DialogueAction>([
  { type: 'press', digits: '2' },
  { type: 'wait' },
  { type: 'end', reason: 'finished', farewell: 'thanks' },
])('held words are said before it continues: %j', async (action) => {
  const actions = await turnOf(stranger, ...wordByWord('It is 5'), action);
  expect(actions.slice(0, -1)).toEqual([...wordByWord('It is 5'), action]);
  expect(said(await turnOf(stranger, ...wordByWord('It is 5')))).toEqual(['It', 'is', '5']);
});

test("the model's state is returned to it, beside the core's", async () => {
  const [remembered] = (await turnOf(rightParty, { type: 'remember', memory: 7 })).slice(-1);
  const memory = remembered?.type === 'remember' ? remembered.memory : null;
  await actionsOf(proposing(), { ...heardAfter(plan, ['P: Go ahead.']), memory: structuredClone(memory) });
  expect(asked).toMatchObject({ memory: 7, view: { party: { status: 'verified' } } });
});

test('the state of an older version is ignored', async () => {
  const input: DialogueInput = { ...heardAfter(plan, stranger), memory: { primary: {}, failures: 1 } };
  await actionsOf(proposing(), input);
  expect(asked).toMatchObject({ memory: null, view: { party: { status: 'unverified' } } });
});

test('an aborted turn says and remembers nothing more', async () => {
  const stop = new AbortController();
  const model = governed({
    name: 'test',
    isImmediate: false,
    async *takeTurn() {
      yield { type: 'say', text: 'It is 5' };
      stop.abort();
    },
  });
  expect(await actionsOf(model, heardAfter(plan, stranger), stop.signal)).toEqual([
    { type: 'say', text: 'It is' },
  ]);
});

test.each([
  ['claims-department', 'On what date was the payment issued?', 'recent'],
  ['insurer', 'Since when is the coverage effective?', 'past'],
  ['claims-department', 'When will it be paid?', 'future'],
  ['insurer', 'When can a decision be expected?', 'future'],
  ['clinic', 'When was she last seen?', 'past'],
  ['clinic', 'What openings do you have?', 'future'],
] as const)(
  'asked by a call to a %s "%s", a day without a year is in the %s',
  (callee, question, direction) => {
    expect(directionOf({ callee }, clientItem('question_0', question, null, []))).toBe(direction);
  },
);
