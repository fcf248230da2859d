import { describe, expect, test } from 'vitest';
import { emptyRecord } from '#shared/voice-agent/dialogue/dialogue-record.ts';
import { scriptedStandby } from '#shared/voice-agent/dialogue/scripted-standby.ts';
import { openingWords } from '#shared/voice-agent/scripted-model/phrasing.ts';
import { actionsOf, heardAfter, planOf, spokenIn } from '../../../support/dialogue-turns.ts';

const benefits = planOf({ task_type: 'VERIFY_INSURANCE', task: 'Verify the benefits.' });
const appointment = planOf({ task_type: 'SCHEDULE_APPOINTMENT', task: 'Make an appointment.' });
const active = { key: 'coverage_active', answer: 'Yes', value: true, quote: 'Yes', turn: 3 };

/** Lets the scripted model take the turn after these lines, none of which it has seen. */
async function takeOver(...asked: Parameters<typeof heardAfter>) {
  const input = heardAfter(...asked);
  const memory = scriptedStandby.catchUp(null, input);
  return actionsOf(scriptedStandby.model, { ...input, memory });
}

const dana = [openingWords(), 'P: Provider services, this is Dana, how can I help you?'];
const asksForCopay = [
  'I would like to verify benefits. Is the coverage active?',
  'P: Yes.',
  'Thank you. What is the copay?',
];

describe('the scripted model in the middle of a conversation that it did not hold', () => {
  test('takes the words for the answer to the question that was put', async () => {
    const record = { ...emptyRecord, answers: [active] };
    const actions = await takeOver(benefits, [...dana, ...asksForCopay, 'P: Forty dollars.'], { record });
    expect(actions).toContainEqual({
      type: 'record',
      answer: expect.objectContaining({ key: 'copay', value: 40, turn: 5 }),
    });
    expect(spokenIn(actions)).toContain('name of the plan');
    expect(spokenIn(actions)).not.toContain('verify');
  });

  test('says why we call to somebody who has not been told', async () => {
    expect(spokenIn(await takeOver(benefits, dana))).toContain(benefits.purpose.text);
  });

  test('asks whom it has reached when that is not clear', async () => {
    const actions = await takeOver(benefits, [openingWords(), 'P: Hello?']);
    expect(spokenIn(actions)).toContain('Have I reached');
    expect(actions.filter(({ type }) => type === 'disclose')).toEqual([]);
  });

  test('repeats what the other model said last', async () => {
    const lines = [
      ...dana,
      'I would like to verify benefits. What is the copay?',
      'P: Could you repeat that?',
    ];
    expect(spokenIn(await takeOver(benefits, lines))).toContain('What is the copay?');
  });

  test('knows the time that was chosen', async () => {
    const time = {
      key: 'appointment_time',
      answer: 'Tuesday, November 24, 2026 at 10:30 AM',
      value: '2026-11-24T10:30',
      quote: 'Tuesday the 24th at 10:30',
      turn: 3,
    };
    const lines = [
      openingWords(),
      'P: Lakeside Clinic, how can I help you?',
      'I would like to make an appointment for a patient. What openings do you have?',
      'P: I have Tuesday the 24th at 10:30.',
      'Yes, please book Tuesday at 10:30.',
      'P: Okay, you are all set for Tuesday at 10:30.',
    ];
    const actions = await takeOver(appointment, lines, { record: { ...emptyRecord, answers: [time] } });
    expect(actions).toContainEqual({
      type: 'record',
      answer: expect.objectContaining({ key: 'booking_confirmed', value: true }),
    });
  });

  test('keeps what it remembers of a turn that it took itself', async () => {
    const first = await actionsOf(scriptedStandby.model, heardAfter(benefits, dana));
    const memory = first.findLast((action) => action.type === 'remember')?.memory;
    const next = heardAfter(benefits, [...dana, spokenIn(first), 'P: Sure, go ahead.']);
    expect(scriptedStandby.catchUp(memory, next)).toEqual(memory);
  });
});
