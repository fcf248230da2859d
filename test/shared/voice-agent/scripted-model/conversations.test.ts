import { describe, expect, test } from 'vitest';
import {
  disclosedFields,
  patient,
  talk,
  transcriptOf,
  undeclaredFacts,
  valuesOf,
} from '../../../support/conversation.ts';
import { appointmentDialogues } from './appointment-dialogues.ts';
import { everydayDialogues } from './everyday-dialogues.ts';
import { insuranceDialogues } from './insurance-dialogues.ts';
import { lateAndEmptyDialogues } from './late-and-empty-dialogues.ts';
import { lineDialogues } from './line-dialogues.ts';
import { questionDialogues } from './question-dialogues.ts';
import { reimbursementDialogues } from './reimbursement-dialogues.ts';
import { speechDialogues } from './speech-dialogues.ts';

const dialogues = [
  ...appointmentDialogues,
  ...insuranceDialogues,
  ...reimbursementDialogues,
  ...questionDialogues,
  ...lineDialogues,
  ...speechDialogues,
  ...lateAndEmptyDialogues,
  ...everydayDialogues,
];

describe('a conversation with', () => {
  test.each(dialogues.map((dialogue) => [dialogue.name, dialogue] as const))('%s', (_, dialogue) => {
    const conversation = talk(dialogue.task, dialogue.lines);
    const { result } = conversation;
    const transcript = transcriptOf(conversation);
    expect(valuesOf(conversation), transcript).toEqual(dialogue.values);
    for (const [key, answer] of Object.entries(dialogue.answers ?? {}))
      expect(result.answers.find((one) => one.key === key)?.answer, transcript).toBe(answer);
    expect(result.goal_reached, transcript).toBe(dialogue.goal);
    expect(result.definite, transcript).toBe(dialogue.definite);
    expect(disclosedFields(conversation), transcript).toEqual([...dialogue.discloses].sort());
    expect(conversation.isOver, transcript).toBe(dialogue.isOver);
    expect(conversation.pressed, transcript).toEqual(dialogue.pressed ?? []);
    expect(conversation.heard, transcript).toBe(dialogue.lines.length);
    if (dialogue.ending !== undefined) expect(result.ending, transcript).toBe(dialogue.ending);
  });
});

describe('in every conversation', () => {
  const conversations = dialogues.map(({ name, task, lines }) => ({ name, lines, ...talk(task, lines) }));

  test('every answer rests on words of the person, in the turn that it names', () => {
    for (const { name, turns, result } of conversations) {
      for (const { answer, quote, turn } of result.answers) {
        if (answer === null) continue;
        const words = turns[turn ?? -1];
        expect(words?.role, name).toBe('user');
        expect(words?.content, name).toContain(quote);
      }
    }
  });

  test('no fact is told without being written down', () => {
    for (const conversation of conversations) {
      expect(undeclaredFacts(conversation), transcriptOf(conversation)).toEqual([]);
    }
  });

  test('the first words tell that an assistant calls and records, and nothing about the patient', () => {
    const whole = conversations.filter(({ lines }) => typeof lines[0] === 'string');
    for (const { turns } of whole) {
      const opening = turns[0]?.content ?? '';
      expect(opening).toMatch(/automated assistant/);
      expect(opening).toMatch(/recorded/);
      expect(opening).not.toContain(patient.last_name);
      expect(opening).not.toContain(patient.first_name);
    }
  });

  test('the outcome is a readable paragraph', () => {
    for (const { name, result } of conversations) {
      expect(result.summary, name).toMatch(/^[A-Z0-9].*[.!?]["”]?$/s);
      expect(result.summary, name).not.toMatch(/undefined|null|NaN|\.\.|,\./);
    }
  });
});

describe('however little the other side says', () => {
  const task = { task_type: 'SCHEDULE_APPOINTMENT', task: 'Schedule a check-up.' } as const;

  test.each([
    'Okay.',
    'Sorry?',
    'What?',
    'Yes.',
    'No.',
    'Blah blah blah.',
    'Name?',
    'Hello?',
    'Hold on.',
    '…',
  ])('the call comes to an end: %s', (line) => {
    for (const task_type of [
      'SCHEDULE_APPOINTMENT',
      'VERIFY_INSURANCE',
      'REIMBURSEMENT',
      'CUSTOM_TASK',
    ] as const) {
      const conversation = talk(
        { ...task, task_type },
        Array.from({ length: 80 }, () => line),
      );
      expect(conversation.isOver || line === '…', `${task_type}\n${transcriptOf(conversation)}`).toBe(true);
    }
  });
});
