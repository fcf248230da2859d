import { describe, expect, test } from 'vitest';
import type { Held } from '../held.ts';
import { judge } from './judge.ts';
import { answer, exchange, someAppointment, someHeld } from './some-held.ts';

const faultsOf = (held: Held): string[] =>
  judge(held).wrongFacts.map(({ where, what }) => `${where}: ${what}`);

describe('a wrong answer', () => {
  test.each([
    ['of another value', answer('copay', 45, '$45'), 'copay: reported 45, known 40'],
    ['with another text', answer('copay', 40, '$60'), 'copay: "$60" was never said'],
    [
      'of the opposite',
      answer('pre_authorization', true, 'Yes'),
      'pre_authorization: reported true, known false',
    ],
    [
      'to a question of which nothing is known',
      answer('visit_limit', 77, '77 visits'),
      'visit_limit: "77" was never said',
    ],
  ])('%s is found once', (_, wrong, fault) => {
    const summary = `Coverage is active. ${wrong.key}: ${wrong.answer}.`;
    expect(faultsOf(someHeld({ answers: [wrong], result: { summary } }))).toEqual([fault]);
  });

  test('is not one of a short identifier that was said', () => {
    const content = 'K61. It is group bt90. Anything else?';
    const transcript = [...someHeld().transcript, { role: 'user' as const, content }];
    const summaryOf = (number: string) => ({ summary: `Coverage is active; number ${number}.` });
    expect(faultsOf(someHeld({ result: summaryOf('K61'), held: { transcript } }))).toEqual([]);
    expect(faultsOf(someHeld({ result: summaryOf('bt90'), held: { transcript } }))).toEqual([]);
    expect(faultsOf(someHeld({ result: summaryOf('K62'), held: { transcript } }))).toEqual([
      'summary: "K62" was never said',
    ]);
  });

  test('is not one based on a question', () => {
    const stored = {
      ...answer('plan_name', null, 'Which plan do you mean?'),
      quote: 'Which plan do you mean?',
    };
    expect(faultsOf(someHeld({ answers: [stored] }))).toEqual([
      'plan_name: reported Which plan do you mean?, which nobody answered',
    ]);
  });

  test('is not one based on "I do not know"', () => {
    const sorry = 'I am afraid I could not tell you.';
    const held = someHeld({
      answers: [{ ...answer('plan_name', null, sorry, 3), quote: sorry }],
      held: {
        transcript: [
          ...someHeld().transcript,
          { role: 'assistant', content: 'Which plan?' },
          { role: 'user', content: sorry },
        ],
      },
      called: {
        exchanges: [
          exchange({ says: [someHeld().transcript[1]?.content ?? ''], about: ['topic everything'] }),
          exchange({
            heard: 'Which plan?',
            says: [sorry],
            about: ['do not know', 'asked in vain which plan'],
          }),
        ],
      },
    });
    expect(faultsOf(held)).toEqual([`plan_name: reported ${sorry}, which nobody answered`]);
  });

  test('is none if they knew it when they were asked in other words', () => {
    const held = someHeld();
    const item = held.plan.items.find(({ key }) => key === 'plan_name');
    const [question, rephrase] = [item?.question ?? '', item?.rephrase ?? ''];
    const told = 'She has the Gold one.';
    const withAnswer = someHeld({
      answers: [{ ...answer('plan_name', null, told, 5), question, quote: told }],
      held: {
        transcript: [
          ...held.transcript,
          { role: 'assistant', content: question },
          { role: 'user', content: 'No idea.' },
          { role: 'assistant', content: rephrase },
          { role: 'user', content: told },
        ],
      },
      called: {
        exchanges: [
          exchange({ heard: question, says: ['No idea.'], about: ['do not know'] }),
          exchange({ heard: rephrase, says: [told], about: ['topic plan'] }),
        ],
      },
    });
    expect(faultsOf(withAnswer)).toEqual([]);
  });

  test('from a person who hung up before correcting themselves is theirs', () => {
    const traits = { misspeaks: { fact: 'copay', instead: '$45', corrects: ['Sorry, {right}.'] } };
    const told = ['coverage_active', 'deductible', 'coinsurance', 'pre_authorization'];
    const held = someHeld({
      person: { temper: traits },
      answers: [answer('copay', 45, '$45')],
      called: { told },
      held: {
        transcript: [{ role: 'user', content: 'The copay is $45. The deductible is $1,500, then 20%.' }],
      },
    });
    expect(faultsOf(held)).toEqual([]);
  });
});

describe('a misleading sentence', () => {
  test.each([
    ['a number that nobody said', 'Coverage is active; visit limit 77.', 'summary: "77" was never said'],
    [
      'a day that nobody said',
      'Coverage is active since March 5, 2024.',
      'summary: "March 5, 2024" was never said',
    ],
    ['a doctor whom nobody named', 'Ask for Dr. Zimmer.', 'summary: "Zimmer" was never named'],
    ['a value of something else', 'Copay $1,500; deductible $1,500.', 'summary: says copay 1,500, known 40'],
  ])('states %s', (_, summary, fault) => {
    expect(faultsOf(someHeld({ result: { summary } }))).toEqual([fault]);
  });

  test('may be in the follow-up', () => {
    expect(faultsOf(someHeld({ result: { follow_up: 'Call 202-555-0188 again.' } }))).toEqual([
      'follow_up: "202-555-0188" was never said',
    ]);
  });

  test('states an appointment that does not exist', () => {
    const summary = 'Appointment booked for Tuesday, November 24, 2026 at 9:30 AM.';
    const held = someAppointment({
      answers: [answer('booking_confirmed', false, 'No')],
      result: { summary },
      called: { booked: null },
    });
    expect(faultsOf(held)).toContain('summary: says that an appointment is booked, and none is');
  });

  test('does not deny a booking', () => {
    const summary = 'No appointment was booked. Tuesday at 9:30 AM was spoken of.';
    const held = someAppointment({
      answers: [answer('booking_confirmed', false, 'No')],
      result: { summary, goal_reached: false },
      called: { booked: null },
    });
    expect(faultsOf(held)).toEqual([]);
  });

  test('states a slip of the tongue without its correction', () => {
    const traits = { misspeaks: { fact: 'copay', instead: '$45', corrects: ['Sorry, {right}.'] } };
    const transcript = [{ role: 'user' as const, content: 'The copay is $45. Sorry, $40. $1,500 and 20%.' }];
    const said = (summary: string) =>
      faultsOf(someHeld({ person: { temper: traits }, result: { summary }, held: { transcript } }));
    expect(said('They said $45.')).toEqual(['summary: "$45" was put right']);
    expect(said('They said: "$45, sorry, $40."')).toEqual([]);
  });

  test('is not one whose figure is the truth of another fact', () => {
    const traits = { misspeaks: { fact: 'copay', instead: '$1,500', corrects: ['Sorry, {right}.'] } };
    const transcript = [
      { role: 'user' as const, content: 'The copay is $1,500. Sorry, $40. $1,500 and 20%.' },
    ];
    expect(
      faultsOf(
        someHeld({
          person: { temper: traits },
          result: { summary: 'Deductible $1,500.' },
          held: { transcript },
        }),
      ),
    ).toEqual([]);
  });
});

describe('a name', () => {
  test('of a person who was never on the line is wrong', () => {
    expect(faultsOf(someHeld({ result: { person_name: 'Stay' } }))).toEqual([
      'person_name: reported Stay, who was not there',
    ]);
  });

  test('may come from a person whom the file does not name', () => {
    const transcript = [...someHeld().transcript, { role: 'user' as const, content: 'Frank here.' }];
    expect(faultsOf(someHeld({ result: { person_name: 'Frank' }, held: { transcript } }))).toEqual([]);
  });
});

test('an ending that is known for certain is compared as well', () => {
  expect(faultsOf(someHeld({ result: { ending: 'wrong-number' } }))).toEqual([
    'ending: reports a wrong number, which it was not',
  ]);
});

describe('an obstacle', () => {
  const told = 'Call back Monday at two thirty, you need a referral.';
  const transcript = [...someHeld().transcript, { role: 'user' as const, content: told }];
  const obstacle = {
    reason: 'needs_referral' as const,
    quote: 'you need a referral.',
    turn: 2,
    call_back_at: '2026-11-23T14:30',
  };

  test('needs a quote', () => {
    expect(faultsOf(someHeld({ result: { obstacle }, held: { transcript } }))).toEqual([]);
  });

  test.each([
    ['quote other words', { quote: 'no referral' }, 'quotes "no referral", which was not said there'],
    ['name another place', { turn: 1 }, 'quotes "you need a referral.", which was not said there'],
    ['name another time', { call_back_at: '2026-11-23T16:45' }, '"16:45" was never said'],
  ])('must not %s', (_, change, fault) => {
    const held = someHeld({ result: { obstacle: { ...obstacle, ...change } }, held: { transcript } });
    expect(faultsOf(held)).toEqual([`obstacle: ${fault}`]);
  });
});
