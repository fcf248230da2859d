import { describe, expect, test } from 'vitest';
import type { Character } from '#shared/sandbox-phone/person/character.ts';
import type {
  DialogueAction,
  DialogueEvent,
  DialogueModel,
} from '#shared/voice-agent/dialogue/dialogue-model.ts';
import { quiet, somePersona } from '../../shared/sandbox-phone/person/some-person.ts';
import { planOf } from '../../support/dialogue-turns.ts';
import { AgentSession } from './agent-session.ts';
import { EventClock } from './event-clock.ts';
import { InProcessLine } from './line.ts';

const opening: DialogueAction = { type: 'say', text: 'Hello, an automated assistant calls and records.' };
const goodbye: DialogueAction = { type: 'end', reason: 'finished', farewell: 'thanks' };
const say = (text: string): DialogueAction => ({ type: 'say', text });

/** A model that reacts to each event as told, and remembers what happened. */
class ScriptedAgent implements DialogueModel {
  readonly name = 'test';
  readonly isImmediate = true;
  readonly events: DialogueEvent[] = [];
  readonly verdicts: (string | null)[] = [];
  readonly #respond: (event: DialogueEvent, count: number) => DialogueAction[];

  constructor(respond: (event: DialogueEvent, count: number) => DialogueAction[]) {
    this.#respond = respond;
  }

  async *takeTurn({ event, answeredBy }: Parameters<DialogueModel['takeTurn']>[0]) {
    this.events.push(event);
    this.verdicts.push(answeredBy);
    yield* this.#respond(event, this.events.filter(({ type }) => type === event.type).length);
  }
}

async function call(
  character: Character,
  respond: (event: DialogueEvent, count: number) => DialogueAction[],
) {
  const agent = new ScriptedAgent(respond);
  const clock = new EventClock(new Date('2026-11-20T15:00:00Z'));
  const plan = planOf({ task_type: 'CUSTOM_TASK', task: 'Ask for the fee.' });
  const session = new AgentSession(agent, plan, '01930000-0000-7000-8000-000000000001', () => clock.now());
  const onLine = await new InProcessLine(character, session, clock, (words) => words).run();
  const transcript = session.turns.map(({ role, content }) => `${role === 'user' ? 'P' : 'A'}: ${content}`);
  return { ...onLine, agent, clock, session, transcript };
}

test('the agent speaks first, and each side hears the other', async () => {
  const { transcript, person, agent } = await call(somePersona(quiet), (event, count) => {
    if (event.type === 'opened') return [opening];
    return count === 1 ? [say('What is the fee?')] : [goodbye];
  });
  expect(transcript).toEqual([
    `A: ${opening.text}`,
    'P: Maple Street Clinic, Ines speaking.',
    'A: What is the fee?',
    'P: The fee is $40. It is due at the visit.',
    expect.stringMatching(/^A: That is everything I needed/),
  ]);
  expect(person.told).toEqual(['fee']);
  expect(person.exchanges[1]?.heard).toBe(`${opening.text} What is the fee?`);
  expect(agent.events.map(({ type }) => type)).toEqual(['opened', 'heard', 'heard']);
});

test('interrupted words count as heard up to the interruption', async () => {
  const traits = { interrupts: { likelihood: 1, after_words: [3, 3], at_most: 1, says: ['One second.'] } };
  const { agent, transcript } = await call(somePersona({ ...quiet, temper: traits }), (event, count) => {
    if (event.type === 'opened') return [opening];
    return event.type === 'heard' && count > 1 ? [goodbye] : [];
  });
  expect(agent.events).toEqual([
    { type: 'opened' },
    { type: 'heard', text: 'Maple Street Clinic, Ines speaking.', turn: 1 },
    { type: 'interrupted', heard: 'Hello, an automated' },
    { type: 'heard', text: 'One second.', turn: 2 },
  ]);
  expect(transcript[0]).toBe('A: Hello, an automated');
});

test('keys navigate a menu, which does not hear the opening', async () => {
  const line = {
    first: 'menu',
    stages: { menu: { kind: 'menu', says: ['For the desk, press 1.'], choices: { 1: { to: 'person' } } } },
  };
  const { person, agent } = await call(somePersona({ ...quiet, line }), (event, count) => {
    if (event.type === 'opened') return [opening];
    if (count === 1) return [{ type: 'press', digits: '1' }];
    return count === 2 ? [say('What is the fee?')] : [goodbye];
  });
  expect(person.told).toEqual(['fee']);
  expect(person.exchanges.find(({ stage }) => stage === 'menu')?.heard).toBeNull();
  expect(agent.verdicts.at(-1)).toBe('machine');
});

describe('silence', () => {
  test('is reported to the agent, and ends the call the second time', async () => {
    const defaults = { ...quiet.manners, silence_ms: 60_000 };
    const { agent, session, clock } = await call(somePersona({ manners: defaults, greeting: [] }), (event) =>
      event.type === 'opened' ? [opening] : [],
    );
    expect(agent.events.map(({ type }) => type)).toEqual(['opened', 'heard', 'silence']);
    expect(agent.events.at(-1)).toEqual({ type: 'silence', seconds: 9 });
    expect(session.state.record.ending).toEqual({ reason: 'gave-up', farewell: 'unheard' });
    expect(clock.elapsedMs).toBeLessThan(40_000);
  });

  test('does not count on hold, until it lasts too long', async () => {
    const line = {
      first: 'queue',
      stages: {
        queue: {
          kind: 'hold',
          ms: [5_000_000, 5_000_000],
          announcements: ['Please hold.'],
          every_ms: 60_000,
          to: 'person',
        },
      },
    };
    const { agent, session, clock } = await call(somePersona({ ...quiet, line }), (event) =>
      event.type === 'opened' ? [opening] : [{ type: 'wait' }],
    );
    expect(agent.events.some(({ type }) => type === 'silence')).toBe(false);
    expect(session.state.record.ending).toEqual({ reason: 'gave-up', farewell: 'on-hold' });
    expect(clock.elapsedMs).toBeGreaterThan(20 * 60_000);
  });
});

test('a model that throws causes an apology and a record', async () => {
  const { session, transcript } = await call(somePersona(quiet), (event) => {
    if (event.type === 'opened') return [opening];
    throw new Error('out of order');
  });
  expect(session.modelErrors.length).toBeGreaterThan(0);
  expect(transcript[2]).toMatch(/^A: I am sorry, I did not get that/);
});
