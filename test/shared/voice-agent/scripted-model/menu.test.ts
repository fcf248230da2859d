import { describe, expect, test } from 'vitest';
import { sentencesOf } from '#shared/voice-agent/language/text.ts';
import { choicesIn } from '#shared/voice-agent/scripted-model/menu.ts';
import { talk } from '../../../support/conversation.ts';

const appointment = {
  task_type: 'SCHEDULE_APPOINTMENT',
  task: 'Schedule an annual physical.',
  task_data: {},
} as const;
const benefits = {
  task_type: 'VERIFY_INSURANCE',
  task: 'Verify benefits.',
  task_data: { provider: { npi: '1982736450' }, insurance: { member_id: 'SMX55120987' } },
} as const;

describe('the choices of a menu', () => {
  test.each<[string, string[]]>([
    ['For billing, press 1. To schedule an appointment, press 2.', ['1', '2']],
    [
      'thank you for calling lakeside for billing press one to schedule an appointment press two for all other questions stay on the line',
      ['1', '2'],
    ],
    [
      'thank you for calling lakeside press one for billing press two to schedule an appointment press zero for the operator',
      ['1', '2', '0'],
    ],
    ['Press 1 for billing, 2 for appointments.', ['1', '2']],
    ['If you are a healthcare provider, say provider or press 1. Members, press 2.', ['1', '2']],
    ['For appointments, say appointments or press 2. To repeat these options, press star.', ['2', '*']],
    ['Enter your member ID, then press pound.', []],
    ['I have Tuesday at 2.', []],
  ])('%s', (said, keys) => {
    expect(choicesIn(sentencesOf(said)).map(({ key }) => key)).toEqual(keys);
  });

  test('are told apart by what stands with each key', () => {
    const said = 'for billing press one to schedule an appointment press two';
    expect(choicesIn(sentencesOf(said))).toEqual([
      { key: '1', text: 'for billing' },
      { key: '2', text: 'to schedule an appointment' },
    ]);
  });
});

describe('in a menu the agent presses', () => {
  test.each<[string, string[], string[]]>([
    ['what it wants as soon as that is clear', ['To schedule an appointment, press 3.'], ['3']],
    ['nothing while only other things have been read', ['For billing, press 1.'], []],
    [
      'what comes near when no more can be expected',
      ['For billing, press 1. For established patients, press 4.'],
      ['4'],
    ],
    ['zero where nothing fits', ['For sales, press 1. For careers, press 2.'], ['0']],
    [
      'another key when the same menu comes again',
      [
        'For patients, press 1. For billing, press 2. For the operator, press 5.',
        'For patients, press 1. For billing, press 2. For the operator, press 5.',
      ],
      ['1', '5'],
    ],
    [
      'the choice for scheduling where cancelling is behind it as well',
      ['To schedule, reschedule or cancel an appointment, press 2. For refills, press 3.'],
      ['2'],
    ],
    ['its language', ['For English, press 1.'], ['1']],
  ])('%s', (_, lines, pressed) => {
    expect(talk(appointment, lines).pressed).toEqual(pressed);
  });

  test('what is best of a menu that broke off, once nobody speaks', () => {
    const { pressed } = talk(appointment, ['For billing, press 1.', { silence: 9 }]);
    expect(pressed).toEqual(['0']);
  });
});

describe('a machine that listens', () => {
  test('is answered in the words that it offers, else in words of ours', () => {
    expect(talk(benefits, ['You can say member or provider.']).replies).toEqual(['Provider.']);
    expect(talk(benefits, ['In a few words, tell me why you are calling.']).replies).toEqual([
      'Eligibility and benefits.',
    ]);
  });

  test('gets numbers by keys, and letters by voice', () => {
    const { pressed, replies } = talk(benefits, [
      'Please enter your NPI, followed by the pound key.',
      'Please say or enter the member ID.',
    ]);
    expect(pressed).toEqual(['1982736450#']);
    expect(replies[1]).toBe('S M X, 5 5 1, 2 0 9, 8 7.');
  });

  test('gets a zero for what is not known', () => {
    expect(talk(appointment, ['Please enter your NPI.']).pressed).toEqual(['0']);
  });
});
