import { describe, expect, test } from 'vitest';
import { emptyRecord } from '#shared/voice-agent/dialogue/dialogue-record.ts';
import { toolSpecs, useTool } from '#shared/voice-agent/language-model/tools.ts';
import { planOf } from '../../../support/dialogue-turns.ts';

const plan = planOf({
  task_type: 'VERIFY_INSURANCE',
  task: 'Verify coverage for physical therapy.',
  task_data: { member_insurance: { member_id: 'SMX55120987' } },
});
const heard = [
  { index: 1, content: 'Provider line, this is Dana.' },
  { index: 3, content: "Yes, it's active. The copay is forty dollars, and the plan pays 80 percent." },
  {
    index: 5,
    content: 'The reference number is R as in Romeo, C, 4 double 8. It was effective January 1st.',
  },
];
const context = { plan, facts: plan.facts, record: emptyRecord, heard, ours: [], today: '2026-11-16' };

function record(input: object) {
  return useTool('record_answer', input, context);
}

describe('record_answer', () => {
  test('records words verbatim from the transcript', () => {
    expect(record({ key: 'copay', value: 40, quote: 'the copay is FORTY dollars' })).toEqual({
      actions: [
        {
          type: 'record',
          answer: {
            key: 'copay',
            answer: '$40',
            value: 40,
            quote: 'The copay is forty dollars',
            turn: 3,
            needs_review: false,
          },
        },
      ],
    });
  });

  test.each([
    ['an amount as text', { key: 'copay', value: '$40', quote: 'forty dollars' }, 40],
    ['a yes', { key: 'coverage_active', value: true, quote: "Yes, it's active." }, true],
    ['what is left of a share', { key: 'coinsurance', value: 20, quote: '80 percent' }, 20],
    [
      'a spelled number',
      { key: 'reference_number', value: 'RC488', quote: 'R as in Romeo, C, 4 double 8' },
      'RC488',
    ],
    ['a date', { key: 'effective_date', value: '2026-01-01', quote: 'January 1st' }, '2026-01-01'],
    ['words alone', { key: 'plan_name', quote: 'the plan pays' }, null],
  ])('accepts %s', (_, input, value) => {
    expect(record(input)).toMatchObject({ actions: [{ type: 'record', answer: { value } }] });
  });

  test.each([
    ['words that nobody said', { key: 'copay', value: 50, quote: 'the copay is fifty' }, 'did not say'],
    ['our own words', { key: 'copay', value: 40, quote: 'What is the copay?' }, 'did not say'],
    ['part of a word', { key: 'copay', value: 40, quote: 'y dollars' }, 'did not say'],
    ['nothing', { key: 'copay', value: 40, quote: '...' }, 'did not say'],
    ['another amount than said', { key: 'copay', value: 45, quote: 'forty dollars' }, 'does not contain'],
    ['a wrong kind of value', { key: 'coverage_active', value: 'yes', quote: 'Yes' }, 'true or false'],
    ['no value where one is needed', { key: 'coverage_active', quote: 'Yes' }, 'true or false'],
    [
      'a date that does not exist',
      { key: 'effective_date', value: '2026-02-30', quote: 'January 1st' },
      'YYYY-MM-DD',
    ],
    [
      'another identifier',
      { key: 'reference_number', value: 'RC489', quote: '4 double 8' },
      'does not contain',
    ],
    ['an item that is not asked for', { key: 'diagnosis', quote: 'active' }, 'there is no item'],
    ['something else', { item: 'copay' }, 'not valid: key'],
  ])('refuses %s', (_, input, problem) => {
    expect(record(input)).toEqual({ problem: expect.stringContaining(problem) });
  });

  test.each([
    ['an amount', { key: 'copay', value: 40, quote: 'The copay is forty dollars' }, '$40'],
    ['a share', { key: 'coinsurance', value: 20, quote: '80 percent' }, '20%'],
    ['a no', { key: 'in_network', value: false, quote: 'Provider line' }, 'No'],
    ['a day', { key: 'effective_date', value: '2026-01-01', quote: 'January 1st' }, 'January 1, 2026'],
    [
      'words',
      { key: 'authorization_process', quote: 'the plan pays 80 percent.' },
      'the plan pays 80 percent.',
    ],
    [
      'a name that they did not tell',
      { key: 'plan_name', value: 'Choice PPO', quote: "Yes, it's active." },
      "Yes, it's active.",
    ],
  ])('answers with the value or their own words: %s', (_, input, answer) => {
    expect(record(input)).toMatchObject({ actions: [{ type: 'record', answer: { answer } }] });
  });

  test('takes a name that they tell, and no other', () => {
    const named = (value: string, quote = 'this is Dana.') => record({ key: 'person_name', value, quote });
    expect(named('Dana')).toMatchObject({
      actions: [
        { type: 'record', answer: { answer: 'Dana', value: 'Dana' } },
        { type: 'meet', name: 'Dana' },
      ],
    });
    expect(named('Ms. Dana')).toMatchObject({ actions: [{}, { type: 'meet', name: 'Ms. Dana' }] });
    for (const other of ['Robert', 'Dana Smith', 'Dr.', ''])
      expect(named(other)).toEqual({ problem: expect.any(String) });
    expect(record({ key: 'plan_name', value: 'the plan', quote: 'the plan pays' })).toMatchObject({
      actions: [{ answer: { answer: 'the plan pays', value: 'the plan' } }],
    });
  });

  test('does not record the same twice', () => {
    const answer = {
      key: 'copay',
      answer: '$40',
      value: 40,
      quote: 'forty dollars',
      turn: 3,
      needs_review: false,
    };
    const known = { ...context, record: { ...emptyRecord, answers: [answer] } };
    const input = { key: 'copay', value: 40, quote: 'forty dollars' };
    expect(useTool('record_answer', input, known)).toEqual({ actions: [] });
  });
});

describe('another time to call', () => {
  test.each([
    ['Could you call back tomorrow, like after ten?', '2026-11-17T10:00'],
    ['Try again Thursday at 2:30 PM.', '2026-11-19T14:30'],
    ['Monday morning would be better.', '2026-11-23'],
    ['Call us after two.', '2026-11-16T14:00'],
    ['We are closing, try again.', null],
  ])('is read from their words: %s', (content, call_back_at) => {
    const said = { ...context, heard: [{ index: 1, content }] };
    const input = { reason: 'call_back_at', quote: content };
    expect(useTool('note_obstacle', input, said)).toMatchObject({
      actions: [{ obstacle: { call_back_at } }],
    });
  });

  test('is noted before the call ends for it', () => {
    const end = (obstacle: typeof emptyRecord.obstacle) =>
      useTool('end_call', { reason: 'call-again' }, { ...context, record: { ...emptyRecord, obstacle } });
    expect(end(null)).toEqual({ problem: expect.stringContaining('first note_obstacle') });
    expect(end({ reason: 'call_back_at', quote: 'active', turn: 3, call_back_at: null })).toMatchObject({
      actions: [{ type: 'end', farewell: 'call-again' }],
    });
  });
});

describe('the other tools', () => {
  test.each([
    ['wait', {}, { type: 'wait' }],
    ['press_keys', { keys: '2' }, { type: 'press', digits: '2' }],
    ['press_keys', { keys: '55120987#' }, { type: 'press', digits: '55120987#' }],
    ['press_keys', { keys: '03051979' }, { type: 'press', digits: '03051979' }],
    [
      'end_call',
      { reason: 'wrong-number' },
      { type: 'end', reason: 'wrong-number', farewell: 'wrong-number' },
    ],
    ['end_call', { reason: 'voicemail' }, { type: 'end', reason: 'voicemail', farewell: 'voicemail' }],
    ['follow_up', { text: 'Send the form.' }, { type: 'follow-up', text: 'Send the form.' }],
    [
      'note_obstacle',
      { reason: 'portal_only', quote: 'effective January 1st' },
      {
        type: 'obstacle',
        obstacle: { reason: 'portal_only', quote: 'effective January 1st.', turn: 5, call_back_at: null },
      },
    ],
  ])('%s %j is carried out', (name, input, action) => {
    expect(useTool(name, input, context)).toEqual({ actions: [action] });
  });

  test.each([
    ['press_keys', { keys: '123456789' }, 'not one of the facts'],
    ['press_keys', { keys: 'two' }, 'not valid'],
    ['end_call', { reason: 'bored' }, 'not valid'],
    ['end_call', { reason: 'finished' }, 'still to find out: coverage_active, copay'],
    ['note_obstacle', { reason: 'no_ai', quote: 'we do not talk to machines' }, 'did not say'],
    [
      'note_obstacle',
      { reason: 'weather', quote: 'active' },
      'not valid: reason must be one of needs_referral',
    ],
    ['retract_answer', { key: 'copay' }, 'nothing is recorded'],
    ['transfer_money', {}, 'there is no tool'],
    ['toString', {}, 'there is no tool'],
    ['wait_', undefined, 'there is no tool'],
    ['follow_up', undefined, 'not valid: no object'],
  ])('%s %j is refused', (name, input, problem) => {
    expect(useTool(name, input, context)).toEqual({ problem: expect.stringContaining(problem) });
  });

  test('are described to the model with their input schemas', () => {
    expect(toolSpecs.map(({ name }) => name)).toEqual([
      'press_keys',
      'wait',
      'record_answer',
      'retract_answer',
      'note_obstacle',
      'follow_up',
      'end_call',
    ]);
    expect(toolSpecs.at(2)?.inputSchema).toMatchObject({
      type: 'object',
      required: ['key', 'quote'],
    });
    expect(toolSpecs.at(-1)?.inputSchema).toMatchObject({
      properties: { reason: { enum: expect.arrayContaining(['finished', 'opted-out', 'voicemail']) } },
    });
  });
});
