import { describe, expect, test } from 'vitest';
import { answerQuestions } from '#shared/voice-agent/built-in-model/facts-asked.ts';
import { factOf, planWith, talk } from './talking.ts';

test.each(['Her name, please?', 'And the name?'])(
  'a name is the patient’s until that is known: "%s"',
  (said) => {
    const plan = planWith({ facts: [factOf('patient-name', 'patient’s name', 'Nora Marsh')] });
    expect(talk(answerQuestions, [said], { plan }).last.words).toContain('Nora Marsh');
  },
);

test('a name is the whole one unless they ask for a part: "And her complete name, please?"', () => {
  const facts = [
    factOf('patient-name', 'patient’s name', 'Nora Marsh'),
    factOf('first-name', 'first name', 'Nora'),
    factOf('last-name', 'last name', 'Marsh'),
  ];
  const wordsFor = (said: string) => talk(answerQuestions, [said], { plan: planWith({ facts }) }).last.words;
  expect(wordsFor('And her complete name, please?')).toContain('Nora Marsh');
  expect(wordsFor('And her last name, please?')).not.toContain('Nora');
});

test('"the last office note" does not ask for a last name', () => {
  const name = { ...factOf('last-name', 'last name', 'Marsh') };
  const said = 'From the surgeon, the order, the images and the last office note.';
  expect(talk(answerQuestions, [said], { plan: planWith({ facts: [name] }) }).last.words).not.toContain(
    'Marsh',
  );
});

test('a second request for our client asks for the name', () => {
  const plan = planWith({ facts: [factOf('patient-name', "patient's name", 'Elena Marsh')] });
  const { turns } = talk(answerQuestions, ['On whose behalf?', 'On whose behalf?'], { plan });
  expect(turns.map(({ words }) => words)).toEqual([
    'I am calling on behalf of the patient.',
    "The patient's name is Elena Marsh.",
  ]);
});

test.each(['Which family member?', 'And which of our people is it for?', 'Which employee?'])(
  'which of many persons it is about asks for the name: "%s"',
  (said) => {
    const facts = [
      factOf('treatment', 'treatment', 'a shoulder MRI'),
      factOf('patient-name', "patient's name", 'Elena Marsh'),
    ];
    expect(talk(answerQuestions, [said], { plan: planWith({ facts }) }).last.words).toBe(
      "The patient's name is Elena Marsh.",
    );
  },
);

describe('a name', () => {
  const plan = planWith({
    facts: [
      factOf('patient-name', "patient's name", 'Elena Marsh'),
      factOf('first-name', 'first name', 'Elena'),
      factOf('provider-npi', 'NPI', '1234567893'),
      factOf('provider-name', 'provider', 'Dr. Feld'),
      factOf('primary-care-provider', 'primary care provider', 'Dr. Moss'),
    ],
  });

  test.each([
    ['First of all, who have I got the pleasure of speaking with?', /Elena/],
    ['name and company', /Elena/],
    ['You want to give me the NPI or just the name?', /Elena/],
  ])('is not told unasked: "%s"', (said, unasked) => {
    expect(talk(answerQuestions, [said], { plan }).last.words).not.toMatch(unasked);
  });

  test('is told on request, whoever it belongs to', () => {
    expect(talk(answerQuestions, ["What's the patient's name?"], { plan }).last.words).toContain(
      'Elena Marsh',
    );
    expect(talk(answerQuestions, ["Who's the provider, NPI or name?"], { plan }).last.words).toContain(
      'Dr. Feld',
    );
  });

  test("of another doctor does not replace the provider's", () => {
    const facts = plan.facts.filter(({ topic }) => topic !== 'provider-name');
    const { words } = talk(answerQuestions, ["Who's the provider?"], { plan: planWith({ facts }) }).last;
    expect(words).not.toContain('Dr. Moss');
  });
});

test('a name is spelled only if it was told or is asked for', () => {
  const name = factOf('patient-name', 'patient’s name', 'Nora Vance');
  const spelled = (said: string, told: readonly string[]): string =>
    talk(answerQuestions, [said], { plan: planWith({ facts: [name] }), told }).last.words;
  const writing = "no visiting it's only a week they write letters";
  expect(spelled(writing, [])).toBe('');
  expect(spelled('They want the form. No letter, no nothing.', ['patient-name'])).toBe('');
  expect(spelled('How do you spell that?', [])).not.toContain('V A N C E');
  expect(spelled('How do you spell that?', ['patient-name'])).toContain('V A N C E');
  expect(spelled("Spell the patient's name for me.", [])).toContain('V A N C E');
});

test('a first and last name are one', () => {
  const facts = [
    factOf('patient-name', "patient's name", 'Ida Marsh'),
    factOf('last-name', 'last name', 'Marsh'),
    factOf('member-id', 'member ID', '4 4 7'),
  ];
  const said = "And the patient's first and last name?";
  expect(talk(answerQuestions, [said], { plan: planWith({ facts }) }).last.words).toBe(
    "The patient's name is Ida Marsh.",
  );
});
