import { describe, expect, test } from 'vitest';
import { emptyRecord } from '#shared/voice-agent/dialogue/dialogue-record.ts';
import { useTool } from '#shared/voice-agent/language-model/tools.ts';
import { planOf } from '../../../support/dialogue-turns.ts';

describe('an appointment', () => {
  const booking = planOf({
    task_type: 'SCHEDULE_APPOINTMENT',
    task: 'Make an appointment.',
    task_data: { timeframe_availability: 'weekday mornings in the next two weeks, except Fridays' },
  });
  const offer = 'I have Tuesday the 24th at 10:30, Wednesday at 2 in the afternoon or Friday the 27th at 9.';
  const offers = {
    plan: booking,
    facts: booking.facts,
    record: emptyRecord,
    heard: [{ index: 3, content: `${offer} Or Tuesday the 24th at 9 PM.` }],
    ours: [],
    today: '2026-11-16',
  };
  const take = (value: string, quote: string) =>
    useTool('record_answer', { key: 'appointment_time', value, quote }, offers);

  test('is taken as offered, if the patient can come', () => {
    expect(take('2026-11-24T10:30', 'Tuesday the 24th at 10:30')).toMatchObject({
      actions: [{ type: 'record', answer: { value: '2026-11-24T10:30', turn: 3 } }],
    });
  });

  test.each([
    ['the patient cannot come', '2026-11-27T09:00', 'Friday the 27th at 9', 'cannot come at this time'],
    ['is in the afternoon', '2026-11-18T14:00', 'Wednesday at 2', 'cannot come at this time'],
    ['is over', '2026-11-10T10:30', 'Tuesday the 24th at 10:30', 'cannot come at this time'],
    ['was not offered on that day', '2026-11-23T10:30', 'Tuesday the 24th at 10:30', 'does not contain'],
    ['was not offered at that hour', '2026-11-24T11:30', 'Tuesday the 24th at 10:30', 'does not contain'],
    [
      'was offered in the other half of the day',
      '2026-11-24T09:00',
      'Tuesday the 24th at 9 PM',
      'not contain',
    ],
    ['is only a day', '2026-11-24T10:30', 'Tuesday the 24th', 'does not contain'],
  ])('is not taken at a time that %s', (_, value, quote, problem) => {
    expect(take(value, quote)).toEqual({ problem: expect.stringContaining(problem) });
  });
});

describe('a booking', () => {
  const booking = planOf({ task_type: 'SCHEDULE_APPOINTMENT', task: 'Make an appointment.' });
  const offer = 'Yes, of course. I could do Tuesday the 24th at 10:30, or Wednesday at 2 in the afternoon.';
  const time = {
    key: 'appointment_time',
    answer: 'Tuesday',
    value: '2026-11-24T10:30',
    quote: 'Tuesday the 24th at 10:30',
    turn: 1,
    needs_review: false,
  };
  const takes = 'Tuesday at 10:30 is perfect, thank you.';
  const booked = (quote: string, lines: readonly string[], answers = [time]) => {
    const turns = [offer, ...lines].map((content, at) => ({ index: at + 1, content }));
    return useTool(
      'record_answer',
      { key: 'booking_confirmed', value: true, quote },
      {
        plan: booking,
        facts: booking.facts,
        record: { ...emptyRecord, answers },
        heard: turns.filter(({ index }) => index % 2 === 1),
        ours: turns.filter(({ index }) => index % 2 === 0),
        today: '2026-11-16',
      },
    );
  };

  test.each([
    ["You're all set.", [takes, "You're all set."]],
    ['Yes.', ['So November 24, 2026, at 10:30 AM?', 'Yes.']],
    ["You're booked for Tuesday at 10:30", ['The first one.', "You're booked for Tuesday at 10:30."]],
  ])('is confirmed by "%s" after we took the time', (quote, lines) => {
    expect(booked(quote, lines)).toMatchObject({ actions: [{ type: 'record', answer: { value: true } }] });
  });

  test.each([
    ['the words before the offer', 'Yes, of course.', []],
    ['the offer', 'I could do Tuesday the 24th at 10:30', []],
    ['the offer, once it is taken', 'Yes, of course.', [takes, 'One second.']],
    ['a yes to something else', 'Yes.', ['Is there parking?', 'Yes.']],
    ['a yes to another time', 'Yes.', ['Is Wednesday at 2 still free?', 'Yes.']],
  ])('is not confirmed by %s', (_, quote, lines) => {
    expect(booked(quote, lines)).toEqual({ problem: expect.stringContaining('wait until they confirm') });
  });

  test('is of a time', () => {
    expect(booked('All set.', [takes, 'All set.'], [])).toEqual({
      problem: expect.stringContaining('record appointment_time'),
    });
  });
});
