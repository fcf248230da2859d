import { describe, expect, test } from 'vitest';
import { confirmReadBack } from '#shared/voice-agent/built-in-model/confirm-read-back.ts';
import { answerQuestions, tell } from '#shared/voice-agent/built-in-model/facts-asked.ts';
import type { Fact } from '#shared/voice-agent/call-plan/call-plan.ts';
import { benefits } from '../core/told-in.ts';
import { factOf, planWith, talk } from './talking.ts';

test.each<[Fact['topic'], string, string]>([
  ['patient-status', 'patient', 'The patient is on file.'],
  ['address', 'address', 'The address is on file.'],
  ['procedure-codes', 'procedure codes', 'The procedure codes are on file.'],
])('%s is told in a whole sentence', (topic, label, words) => {
  const plan = planWith({ facts: [factOf(topic, label, 'on file')] });
  expect(talk((draft) => tell(draft, topic), ['Hi.'], { plan }).last.words).toBe(words);
});

test('an unclear request gets only a name, and one clarifying question', () => {
  const visit = factOf('existing-appointment', 'appointment', 'on Tuesday at nine');
  const said = ['Which one is she under', 'When is the appointment that she has now?'];
  const { turns } = talk(answerQuestions, said, { plan: planWith({ facts: [visit] }) });
  expect(turns.map(({ words }) => words)).toEqual([
    'I am sorry, which information do you need?',
    'The appointment is on Tuesday at nine.',
  ]);
});

test('an offer of help requests nothing', () => {
  expect(talk(answerQuestions, ["Sure, what've you got?"]).last.words).toBe('');
});

test('what answers us is no read-back of ours', () => {
  const said = 'So that would be a $40 copay each time, in network.';
  const confirm = (bringsNothing: boolean) =>
    talk((draft, heard) => confirmReadBack(draft, heard, bringsNothing), [said]).last.words;
  expect([confirm(true), confirm(false)]).toEqual(["I can't confirm that, I am sorry.", '']);
});

test('a read-back waits for no yes if they have gone on to tell something', () => {
  const plan = planWith({ facts: [factOf('date-of-birth', 'date of birth', '1984-07-12')] });
  const told = { text: 'July 12, 1984.', fields: ['date-of-birth'], kind: 'other' as const };
  const said = 'So July 12th, 1984. It was paid on November 3rd.';
  const confirm = (bringsNothing: boolean) =>
    talk((draft, heard) => confirmReadBack(draft, heard, bringsNothing), [said], {
      plan,
      memory: { last_words: [told] },
    }).last.words;
  expect([confirm(true), confirm(false)]).toEqual([expect.stringMatching(/right|exactly|Correct/), '']);
});

test('"still the same" beside an obstacle asks for no confirmation', () => {
  const confirmed = (said: string) => talk(confirmReadBack, [said], {}).last.returned;
  expect(confirmed("Still the same. It's only on the portal.")).toBe(false);
  expect(confirmed('Still the same.')).toBe(true);
});

test('a question for who it is asks for no confirmation', () => {
  const { last } = talk(confirmReadBack, ["And that's who?"], {});
  expect(last.returned).toBe(false);
});

test('who asks again who is calling hears it in other words', () => {
  const { turns } = talk(answerQuestions, ['Who is this?', 'Sorry, who is this?', 'And who is this?'], {});
  expect(new Set(turns.map(({ words }) => words)).size).toBeGreaterThan(1);
});

test.each([
  'Please come 15 minutes early and bring the insurance card and a photo ID.',
  'Have her bring her ID and whatever card she has.',
])('people who only say what to bring are told nothing: "%s"', (said) => {
  expect(talk((draft, heard) => answerQuestions(draft, heard, true), [said]).last.words).toBe('');
});

describe('a question without a known answer', () => {
  const said = "What's her shoe size?";
  const answered = (bringsNothing: boolean): string =>
    talk((draft, heard) => answerQuestions(draft, heard, bringsNothing), [said]).last.words;

  test('gets a reply, unless they added something', () => {
    expect(answered(true)).toMatch(/don't have that information/);
    expect(answered(false)).toBe('');
  });

  test('counts as answered only after a reply', () => {
    const { last } = talk((draft, heard) => answerQuestions(draft, heard, false), [said]);
    expect(last.returned).toBeNull();
  });
});

test('repeating our own question before answering it requests nothing', () => {
  const plan = planWith({ task_type: 'VERIFY_INSURANCE', callee: 'insurer', items: benefits.items });
  const said = 'Referral needed? N, none on my side.';
  const memory = { pending: 'referral_required' };
  expect(talk(answerQuestions, [said], { plan, memory }).last.words).toBe('');
});

test('a number given as a substitute is not repeated', () => {
  const facts = [factOf('provider-npi', 'NPI', '1234567893')];
  const asked = 'And the tax ID?';
  const talked = (told: readonly string[]): string =>
    talk(answerQuestions, [asked], { plan: planWith({ facts }), told }).last.words;
  expect(talked([])).toContain('NPI');
  expect(talked(['provider-npi'])).toContain("I don't have the tax ID");
});

test('a choice without its question mark is a question', () => {
  const plan = planWith({ facts: [factOf('patient-status', 'patient', 'a new patient')] });
  const { words } = talk(answerQuestions, ['has she been a patient with us before or not'], { plan }).last;
  expect(words).toContain('a new patient');
});

test('a fact with a client’s own label needs a request by name', () => {
  const plan = planWith({ facts: [factOf('other', 'locker number', '17')] });
  const { turns } = talk(answerQuestions, ['And what about the questionnaire?', 'Which locker is it?'], {
    plan,
  });
  expect(turns[0]?.words).not.toContain('17');
  expect(turns[1]?.words).toContain('The locker number is 17.');
});

test('a date about an item is not a birthday read back', () => {
  const plan = planWith({ facts: [factOf('date-of-birth', 'date of birth', '1984-07-12')] });
  const told = {
    text: 'The date of birth is July 12, 1984.',
    fields: ['date-of-birth'],
    kind: 'other' as const,
  };
  const said = 'So it is effective March 1st, 2024, right?';
  expect(talk(confirmReadBack, [said], { plan, memory: { last_words: [told] } }).last.words).not.toContain(
    'No,',
  );
});

test('two numbers that share their noun are both numbers', () => {
  const facts = [
    factOf('claim-number', 'claim number', 'RC 3306'),
    factOf('claim-date', 'date of the claim', '2026-09-28'),
    factOf('bill-number', 'bill number', 'INV 5525'),
  ];
  const said = 'Give me the claim or bill number if you would.';
  const { words } = talk(answerQuestions, [said], { plan: planWith({ facts }) }).last;
  expect(words).toMatch(/claim number is .* bill number is/);
  expect(words).not.toMatch(/September/);
});

test.each([
  'I need the five-letter provider access code, not the NPI.',
  'Your provider code, please, not the NPI.',
])('a fact that a request rules out is not disclosed: "%s"', (said) => {
  const facts = [factOf('provider-npi', 'NPI', '1234567893')];
  expect(talk(answerQuestions, [said], { plan: planWith({ facts }) }).last.words).not.toContain('NPI is');
});

test('an ambiguous request is for a fact not yet told', () => {
  const plan = planWith({ facts: [factOf('bill-number', 'bill number', 'INV-41')] });
  const { words } = talk(answerQuestions, ['Which number is it under?'], { plan }).last;
  expect(words).toContain('INV-41');
});

test("an ID is the patient's, and an NPI only if the words ask for it", () => {
  const plan = planWith({
    facts: [factOf('member-id', 'member ID', 'EX 1234'), factOf('provider-npi', 'NPI', '1234567893')],
  });
  const words = (said: string): string =>
    talk((draft, heard) => answerQuestions(draft, heard, true), [said], { plan }).last.words;
  expect(words('i will need some id to look under')).toBe('The member ID is EX 1234.');
  expect(words("What's the doctor's NPI?")).toBe('The NPI is 1234567893.');
});

test('a person who gives a number requests none', () => {
  const said = "You're booked, and the number on that is KR4417.";
  expect(talk((draft, heard) => answerQuestions(draft, heard), [said]).last.returned).toBeNull();
});

test('a missing value is told in a sentence', () => {
  const referral = factOf('referral', 'referral', 'none');
  const { last } = talk((draft) => tell(draft, 'referral'), ['Hi.'], {
    plan: planWith({ facts: [referral] }),
  });
  expect(last.words).toBe('There is no referral.');
});

test('an ID requested letter by letter is told', () => {
  const plan = planWith({ facts: [factOf('member-id', 'member ID', 'EX 1234')] });
  const said = 'give me the id one letter after the other my line is bad';
  const { last } = talk((draft, heard) => answerQuestions(draft, heard, true), [said], { plan });
  expect(last.words).toBe('The member ID is EX 1234.');
});

describe('a request that was not understood', () => {
  const plan = planWith({
    facts: [
      factOf('provider-phone', "provider's phone number", '202-555-0143'),
      factOf('member-id', 'member ID', 'EX 1234'),
    ],
  });

  test('is recognized when repeated verbatim', () => {
    const said = 'let me get by this page without a phone number';
    const wordsAfter = (heard: string[]): string =>
      talk((draft, now) => answerQuestions(draft, now, true), [said], { plan, memory: { heard } }).last.words;
    expect(wordsAfter([said])).toBe("The provider's phone number is 202-555-0143.");
    expect(wordsAfter([])).toBe('');
  });

  test('is recognized by an identifying fact after small talk', () => {
    const said = 'hold on my first week here. okay so this field says member id';
    const { last } = talk((draft, heard) => answerQuestions(draft, heard, true), [said], { plan });
    expect(last.words).toBe('The member ID is EX 1234.');
  });

  test('spells nothing', () => {
    const { last } = talk((draft, heard) => answerQuestions(draft, heard), ['Renting or buying?'], { plan });
    expect(last.words).not.toContain('spelled');
  });
});

test('a similar fact is told in place of a requested one that we lack', () => {
  const member = factOf('member-id', 'member ID', 'QX4471');
  expect(
    talk(answerQuestions, ['Number on card?'], { plan: planWith({ facts: [member] }) }).last.words,
  ).toContain('QX4471');
});

test('what a clinic says word for word again waits for an answer, unless it is an offer', () => {
  const twice = (said: string): readonly string[] =>
    talk((draft, heard) => answerQuestions(draft, heard, false), [said, said]).turns.map(
      ({ words }) => words,
    );
  const screening = 'shes been on blood thinners in the past three weeks aspirin warfarin anything';
  expect(twice(screening)).toEqual(['', expect.stringMatching(/don't have that information/)]);
  expect(twice('We have Tuesday the 24th at nine or Thursday the 26th at two with Dr. Feld.')).toEqual([
    '',
    '',
  ]);
});

describe('a regret', () => {
  const wordsOf = (...said: string[]): readonly string[] =>
    talk((draft, heard) => answerQuestions(draft, heard, true), said).turns.map(({ words }) => words);

  test.each([
    "That's correct, Friday the fourth at a quarter past ten with Dr. Lindqvist.",
    'The booking number is T R nine zero five.',
    'No, it stays on Monday at nine with Dr. Quist.',
    'She gets a text the evening before with the room in it.',
  ])('does not follow a statement that is said again: %s', (statement) => {
    expect(wordsOf(statement, statement)).toEqual(['', '']);
  });

  test.each(['No cards, cash or check.', 'Ask at the employer.'])(
    'does not follow a statement that names a fact: %s',
    (statement) => {
      expect(wordsOf(statement)).toEqual(['']);
    },
  );

  test('is said once, however much is requested', () => {
    const [words = ''] = wordsOf('What is her shoe size, who is her dentist, and what is her blood type?');
    expect(words.split("don't have")).toHaveLength(2);
  });
});

test('a request without the form of a question is answered', () => {
  const facts = [factOf('member-id', 'member ID', '4 4 7')];
  const told = (said: string): string =>
    talk(answerQuestions, [said], { plan: planWith({ facts }) }).last.words;
  expect(told('That will do nicely. The member number, if I may trouble you.')).toBe(
    'The member ID is 4 4 7.',
  );
  expect(told('The member number you gave is 4 4 7 1 9 0 2.')).toBe('');
});
