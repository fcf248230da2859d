import { describe, expect, test } from 'vitest';
import { disclosedFields, type Line, talk, transcriptOf } from '../../../support/conversation.ts';

const appointment = {
  task_type: 'SCHEDULE_APPOINTMENT',
  task: 'Schedule a follow-up visit for Elena Marsh for recurring migraines.',
} as const;

const machine: Line = { verdict: 'machine' };
const silence: Line = { silence: 9 };

describe('a machine by the verdict of detection', () => {
  test.each<[string, Line[]]>([
    ['an odd greeting', [machine, 'Casey here. You know what to do.', silence]],
    ['an odd greeting, judged while we speak', ['Casey here. You know what to do.', machine, silence]],
    ['the name of the right place', [machine, 'Maple Street Clinic. We are out at the moment.', silence]],
    ['silence alone', [machine, silence]],
  ])('with %s is taken for a mailbox when nobody speaks, and is told nothing', (_, lines) => {
    const conversation = talk(appointment, lines);
    expect(conversation.result.ending, transcriptOf(conversation)).toBe('voicemail');
    expect(conversation.isOver).toBe(true);
    expect(disclosedFields(conversation)).toEqual([]);
  });

  test('is not taken for one without a verdict, or with an unknown one', () => {
    for (const lines of [
      ['Casey here. You know what to do.', silence],
      [{ verdict: 'unknown' } as const, 'Casey here. You know what to do.', silence],
    ]) {
      expect(talk(appointment, lines).isOver).toBe(false);
    }
  });

  test('that is a menu is led through, and the person behind it is spoken with', () => {
    const conversation = talk(appointment, [
      machine,
      'Thank you for calling Cedar Grove Clinic. For refills, press 1. For appointments, press 2.',
      'Cedar Grove Clinic scheduling, this is Priya. How can I help you?',
    ]);
    expect(conversation.pressed).toEqual(['2']);
    expect(conversation.isOver).toBe(false);
    expect(conversation.replies.at(-1), transcriptOf(conversation)).toContain('on behalf of');
  });

  test('that is silent after a menu is waited for', () => {
    const conversation = talk(appointment, [
      machine,
      'Thank you for calling Cedar Grove Clinic. For refills, press 1. For appointments, press 2.',
      silence,
      silence,
    ]);
    expect(conversation.isOver, transcriptOf(conversation)).toBe(false);
  });

  test('that is a person is asked whom we have reached, and then spoken with', () => {
    const conversation = talk(appointment, [
      machine,
      'Thank you for calling Maple Street Clinic, this is Ines.',
      'Yes, you have.',
    ]);
    const [first, second] = conversation.replies;
    expect(first, transcriptOf(conversation)).toMatch(/Have I reached/);
    expect(first).not.toContain('Elena');
    expect(second).toContain('What openings do you have?');
  });

  test('that is silent after it has answered is asked again, and not taken for a mailbox', () => {
    const conversation = talk(appointment, [machine, 'Maple Street Clinic.', 'Yes, you have.', silence]);
    expect(conversation.isOver, transcriptOf(conversation)).toBe(false);
    expect(conversation.replies.at(-1)).not.toBeNull();
  });
});

describe('a person by the verdict of detection', () => {
  const human: Line = { verdict: 'human' };
  const oddGreeting = 'Maple Street Clinic, the voicemail is full again, so I pick up myself.';

  test('with an odd greeting is not taken for a mailbox', () => {
    const conversation = talk(appointment, [human, oddGreeting]);
    expect(conversation.isOver, transcriptOf(conversation)).toBe(false);
    expect(talk(appointment, [oddGreeting]).result.ending).toBe('voicemail');
  });

  test('with an odd greeting is asked whom we have reached before anything is told', () => {
    const conversation = talk(appointment, [human, oddGreeting]);
    expect(conversation.replies.at(-1), transcriptOf(conversation)).toMatch(/Have I reached/);
    expect(disclosedFields(conversation)).toEqual([]);
  });

  test.each([
    'Please leave your name and number, and we will call you back.',
    'I am not available. At the tone, please record your message.',
    'We are unable to take your call.',
    'You have reached the voicemail of Maple Street Clinic.',
    'This is the Maple Street Clinic scheduling mailbox.',
    'Maple Street Clinic. Your call was forwarded to an automated voice mail system.',
  ])('that speaks as a mailbox is one all the same: %s', (greeting) => {
    const conversation = talk(appointment, [human, greeting]);
    expect(conversation.result.ending).toBe('voicemail');
    expect(disclosedFields(conversation)).toEqual([]);
  });

  test('that says so later is believed', () => {
    const conversation = talk(appointment, [
      human,
      'Maple Street Clinic, Ines.',
      'One moment, I put you through.',
      'You have reached the voicemail of scheduling.',
    ]);
    expect(conversation.result.ending, transcriptOf(conversation)).toBe('voicemail');
  });
});

test('a fax machine by the verdict of detection is left after one silence', () => {
  const conversation = talk(appointment, [{ verdict: 'fax' }, silence]);
  expect(conversation.result.ending).toBe('gave-up');
  expect(disclosedFields(conversation)).toEqual([]);
});
