import { describe, expect, test } from 'vitest';
import { answerQuestions } from '#shared/voice-agent/built-in-model/facts-asked.ts';
import type { Fact } from '#shared/voice-agent/call-plan/call-plan.ts';
import type { Heard } from '#shared/voice-agent/understanding/understand.ts';
import { factOf, planWith, talk } from './talking.ts';

/* The agent gives identifying facts only if the words name them. */

describe('what is not named is not told', () => {
  const facts = [
    factOf('first-name', 'first name', 'Nora'),
    factOf('date-of-birth', 'date of birth', 'July 12, 1984'),
    factOf('patient-status', 'patient', 'a new patient'),
    factOf('treatment', 'treatment', 'MRI of the left shoulder'),
    factOf('phone', 'phone number', '+12025550143'),
    factOf('visit-reason', 'reason for the visit', 'a sore shoulder'),
  ];
  const told = (said: string): string =>
    talk((draft, heard) => answerQuestions(draft, heard, true), [said], { plan: planWith({ facts }) }).last
      .words;

  test.each([
    ['First, the form. Second, a copy of a driver license.', 'Nora'],
    ['And for verification purposes,', '1984'],
    ['Um, probably not by phone, but go ahead.', '0143'],
    ['New or old?', '1984'],
    ['What does she drive?', 'shoulder'],
    ["Sure. What's she drive?", 'shoulder'],
    ['Are you in the office or at home?', '0143'],
  ])('"%s"', (said, value) => {
    expect(told(said)).not.toContain(value);
  });

  test.each(['What is she being seen for?', "What's it for?", 'What does she need?'])(
    '"%s" names the treatment or its reason',
    (said) => {
      expect(told(said)).toContain('shoulder');
    },
  );

  test.each(['D.O.B.', 'd o b', 'How old is she?', 'Birth date?'])('"%s" names the date of birth', (said) => {
    expect(told(said)).toContain('1984');
  });
});

test.each([
  ["I'd be glad to. May I get some information? May I have the full name?", 'insurance'],
  ['Copy that. And item three, date of birth.', 'treatment'],
])('beside a fact that is named, no other is told: "%s"', (said, label) => {
  const facts = [
    factOf('insurer', 'insurance company', 'Example Health Plan'),
    factOf('treatment', 'treatment', 'MRI of the left shoulder'),
    factOf('patient-name', "patient's name", 'Nora Castellan'),
    factOf('date-of-birth', 'date of birth', 'July 12, 1984'),
  ];
  const { words } = talk(answerQuestions, [said], { plan: planWith({ facts }) }).last;
  expect(words).not.toContain(label);
  expect(words).toMatch(/Nora Castellan|1984/);
});

test.each([
  'Try me. Ayup. Which part?',
  'Friday the 4th at 4:40, or Friday the 11th. Either?',
  "Yes ma'am or sir, Hobnail Mobility.",
  'So, no insurance, but a superbill every month, and many people get some of it back.',
  'They spell her name right on the form.',
  'Spell it right on the form.',
])('words that name no fact are told none, even when repeated: "%s"', (said) => {
  const facts = [
    factOf('patient-name', "patient's name", 'Nora Castellan'),
    factOf('member-id', 'member ID', 'EHP 731'),
  ];
  const { turns } = talk((draft, heard) => answerQuestions(draft, heard, true), [said, said], {
    plan: planWith({ facts }),
  });
  expect(turns.map(({ words }) => words).join(' ')).not.toMatch(/Castellan|EHP/);
});

test('whom they address says nothing of what they ask', () => {
  const facts = [
    factOf('visit-reason', 'reason for the visit', 'a mammogram'),
    factOf('patient-name', "patient's name", 'Nora Castellan'),
  ];
  const { words } = talk(answerQuestions, ["What's her name, dear?"], { plan: planWith({ facts }) }).last;
  expect(words).toBe("The patient's name is Nora Castellan.");
});

test('a bare name is the patient’s', () => {
  const facts = [
    factOf('preferred-provider', 'preferred doctor', 'Dr. Helen Okafor'),
    factOf('patient-name', "patient's name", 'Nora Castellan'),
  ];
  const { words } = talk(answerQuestions, ['Which leaves the name?'], { plan: planWith({ facts }) }).last;
  expect(words).toContain('Nora Castellan');
});

test('"first you tell me" asks for no first name', () => {
  const facts = [
    factOf('first-name', 'first name', 'Nora'),
    factOf('patient-name', "patient's name", 'Nora Castellan'),
  ];
  const told = (said: string): string =>
    talk(answerQuestions, [said], { plan: planWith({ facts }) }).last.words;
  expect(told('first you tell me is it the knee it is always the knee')).not.toContain('Nora');
  expect(told('And the first name?')).toContain('Nora');
  expect(told('first name and last name')).toContain('Nora');
  expect(told('First?')).toContain('Nora');
});

test('"next treatment?" asks for nothing that they have', () => {
  const facts = [factOf('treatment', 'treatment', 'physical therapy')];
  const told = (line: { readonly told?: readonly string[] }): string =>
    talk(answerQuestions, ['Next treatment?'], { plan: planWith({ facts }), ...line }).last.words;
  expect(told({})).not.toBe('');
  expect(told({ told: ['treatment'] })).toBe('');
});

describe('identifying facts', () => {
  const birth: Fact = {
    field: 'patient.date_of_birth',
    topic: 'date-of-birth',
    label: 'date of birth',
    value: '1987-02-19',
    spoken: 'February 19, 1987',
    may_be_told: true,
  };
  const plan = planWith({ facts: [birth] });
  const answer = (bringsNothing: boolean) => (draft: Parameters<typeof answerQuestions>[0], heard: Heard) =>
    answerQuestions(draft, heard, bringsNothing);

  test.each(['okay i have that one birth date to finish', "okay that one is fine birth date is what's left"])(
    'are told when merely named, with nothing else said: "%s"',
    (said) => {
      expect(talk(answer(true), [said], { plan }).last.words).toContain('February 19, 1987');
      expect(talk(answer(false), [said], { plan }).last.words).not.toContain('February 19, 1987');
    },
  );

  test('are not requested by a single word of them', () => {
    const first: Fact = {
      ...birth,
      field: 'patient.first_name',
      topic: 'first-name',
      value: 'Elena',
      spoken: 'Elena',
    };
    const named = planWith({ facts: [first] });
    expect(talk(answer(true), ['Those go elsewhere first.'], { plan: named }).last.words).not.toContain(
      'Elena',
    );
    expect(talk(answer(true), ['got the chart first name'], { plan: named }).last.words).toContain('Elena');
  });

  test('are not told to a person who describes a problem with them', () => {
    const { last } = talk(answer(true), ["I can't find anybody with that birth date."], { plan });
    expect(last.words).not.toContain('February 19, 1987');
  });
});

test('the reason that is asked for is that of the visit, unless it is moved', () => {
  const facts = [factOf('visit-reason', 'reason for the visit', 'a sore shoulder')];
  const { words } = talk((draft, heard) => answerQuestions(draft, heard, true), ['And the reason?'], {
    plan: planWith({ facts }),
  }).last;
  expect(words).toBe('The reason for the visit is a sore shoulder.');
});
