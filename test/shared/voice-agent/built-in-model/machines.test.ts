import { describe, expect, test } from 'vitest';
import { type Line, type TaskInput, talk, transcriptOf } from '../../../support/conversation.ts';
import { expectNothingTold } from './nothing-told.ts';

/* Whole conversations with menus, recordings and mailboxes. */

const benefits: TaskInput = { task_type: 'VERIFY_INSURANCE', task: 'Verify coverage for physical therapy.' };
const appointment: TaskInput = {
  task_type: 'SCHEDULE_APPOINTMENT',
  task: 'Schedule a check-up.',
  task_data: { timeframe_availability: 'weekday mornings' },
};

describe('machines', () => {
  test('a menu gets the best matching key', async () => {
    const menu =
      'For billing, press 1. For benefits and eligibility, press 2. For all other questions, press 3.';
    const { pressed } = await talk(benefits, [menu]);
    expect(pressed).toEqual(['2']);
  });

  test('who speaks after a key press is told that a machine calls and records', async () => {
    const menu =
      'you have reached sample mutual if this is an emergency hang up and dial 911 for claims press 1 ' +
      'for benefits and eligibility press 2 for all other questions press 3';
    const { pressed, replies } = await talk(benefits, [menu, 'sample mutual frankie', 'hello are you there']);
    expect(pressed).toEqual(['2']);
    expect(replies.join(' ')).toMatch(/automated assistant.*recorded/);
  });

  test('music and announcements get no words', async () => {
    const conversation = await talk(benefits, [
      'Your call is important to us. Please stay on the line for the next available representative.',
    ]);
    expect(conversation.replies).toEqual([null]);
    expect(conversation.waits).toBe(1);
  });

  test('silence after a machine verdict is a mailbox', async () => {
    const lines: Line[] = [{ verdict: 'machine' }, 'Casey here. You know what to do.', { silence: 9 }];
    const conversation = await talk(appointment, lines);
    expect(conversation.result.ending, transcriptOf(conversation)).toBe('voicemail');
    expectNothingTold(conversation);
  });
});

describe('a mailbox that pauses after each sentence', () => {
  const greeting = [
    "You've reached Gretchen at the scheduling desk of Lakeside Family Practice.",
    "We're in a training today and nobody is at the desk.",
    "Leave the patient's name, the date of birth and a callback number.",
  ];

  test.each<[string, readonly Line[]]>([
    ['if detection says so', [{ verdict: 'machine' }, ...greeting]],
    ['whatever detection says', greeting],
    ['if detection says so late', [...greeting.slice(0, 1), { verdict: 'machine' }, ...greeting.slice(1)]],
  ])('is told nothing, and gets its message behind its last request, %s', async (_, lines) => {
    const conversation = await talk(appointment, lines);
    expect(conversation.result.ending, transcriptOf(conversation)).toBe('voicemail');
    expectNothingTold(conversation);
    const early = await talk(appointment, lines.slice(0, -1));
    expect(early.isOver, transcriptOf(early)).toBe(false);
  });

  test('has not replied to words that it spoke over', async () => {
    const [introduction = '', away = ''] = greeting;
    const conversation = await talk(appointment, [
      introduction,
      { cutsAfter: 'I would like' },
      'Yes, I know, it is only me again.',
      away,
    ]);
    expectNothingTold(conversation);
  });

  test('gets its message when it falls silent without a request', async () => {
    const lines: Line[] = [{ verdict: 'machine' }, ...greeting.slice(0, 2), { silence: 9 }];
    const conversation = await talk(appointment, lines);
    expect(conversation.result.ending, transcriptOf(conversation)).toBe('voicemail');
    expectNothingTold(conversation);
  });

  test('is no person who only sounds like one: she is asked, and believed', async () => {
    const conversation = await talk(appointment, [
      { verdict: 'machine' },
      'Scheduling desk, Gretchen.',
      'Yes, this is the scheduling desk of Lakeside Family Practice.',
      "Sure. What's the patient's name?",
    ]);
    expect(conversation.replies.at(-1), transcriptOf(conversation)).toContain('name');
    expect(conversation.isOver).toBe(false);
  });
});
