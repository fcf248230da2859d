import { describe, expect, test } from 'vitest';
import { type Character, castCharacter } from '#shared/sandbox-phone/person/character.ts';
import { react } from '#shared/sandbox-phone/person/person.ts';
import { PersonaFile } from '#shared/sandbox-phone/person/person-file.ts';
import { newPerson, type PersonEvent, type PersonState } from '#shared/sandbox-phone/person/person-state.ts';
import { bundledDirectory, personaAt } from '#shared/sandbox-phone/personas/directory.ts';

const directory = bundledDirectory();
const today = { year: 2026, month: 11, day: 20 };

function cast(number: string, seed = 'a', callSid = 'CA1'): Character {
  return castCharacter({ ...directory, file: personaAt(directory, number), today, seed, callSid });
}

/** Holds a conversation and returns what the person said, greeting first. */
function talk(
  character: Character,
  ...lines: (string | null)[]
): { says: string[]; state: PersonState; hungUp: boolean } {
  const says: string[] = [];
  let state = newPerson;
  let hungUp = false;
  const events: PersonEvent[] = [
    { kind: 'picked-up' },
    ...lines.map((text): PersonEvent => (text === null ? { kind: 'silence' } : { kind: 'heard', text })),
  ];
  for (const event of events) {
    if (hungUp) break;
    const reaction = react(character, state, event);
    state = reaction.state;
    hungUp = reaction.hangsUp;
    says.push(reaction.utterances.map(({ transcribed }) => transcribed).join(' '));
  }
  return { says, state, hungUp };
}

const seeds = Array.from({ length: 12 }, (_, index) => `seed ${index}`);
const frontDesk = '+12025550100';
const providerLine = '+12025550101';
const claimsLine = '+12025550102';
const officeManager = '+12025550103';
const anybody = '+12025559999';

describe('the files', () => {
  test('give every number of the sandbox to one person, and all others to anybody', () => {
    const numbers = directory.personas.flatMap((person) => person.numbers);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(personaAt(directory, frontDesk).id).toBe('clinic-front-desk');
    expect(personaAt(directory, '+12025550113').reach).toBe('not-in-service');
    expect(personaAt(directory, anybody).id).toBe('anybody');
  });

  test.each([
    { surprise: true },
    { voice: 'nobody' },
    { knows: { copay: 40 } },
    { knows: { copay: { money: 40, text: 'forty' } } },
    { reach: 'sometimes' },
  ])('with a mistake (%j) are refused', (mistake) => {
    const [file] = directory.personas;
    expect(PersonaFile.safeParse({ ...file, ...mistake }).success).toBe(false);
  });
});

describe('any person', () => {
  test('does the same again for the same seed, and other words for another', () => {
    const lines = ['I am calling about an appointment for Maya Rivera.', 'July 12, 1984', 'Existing.'];
    expect(talk(cast(frontDesk), ...lines)).toEqual(talk(cast(frontDesk), ...lines));
    const greetings = new Set(seeds.map((seed) => talk(cast(frontDesk, seed)).says[0]));
    expect(greetings.size).toBeGreaterThan(1);
  });

  test.each([frontDesk, providerLine, claimsLine, officeManager, anybody])(
    '%s answers first, asks after silence twice, then hangs up',
    (number) => {
      const { says, hungUp } = talk(cast(number), null, null, null);
      expect(says[0]).not.toBe('');
      expect(says.slice(1, 3).every((text) => text.includes('?'))).toBe(true);
      expect(hungUp).toBe(true);
    },
  );

  test.each([frontDesk, providerLine, claimsLine, officeManager, anybody])(
    '%s says goodbye and hangs up when the caller says goodbye',
    (number) => {
      for (const farewell of ['Thank you, goodbye.', 'Have a great day!', "That's all I needed. Bye."]) {
        const { says, hungUp } = talk(cast(number), farewell);
        expect(hungUp).toBe(true);
        expect(says.at(-1)).not.toBe('');
      }
    },
  );

  test('repeats on request, tells their name and spells it', () => {
    const { says } = talk(
      cast(officeManager),
      'What is your fax number?',
      'Could you repeat that please?',
      'Who am I speaking with?',
      'Could you spell your name?',
    );
    expect(says[2]).toContain('202-555-0166');
    expect(says[3]).toContain('Alex');
    expect(says[4]).toContain('A L E X');
  });

  test('never breaks on what no person says', () => {
    for (const number of [frontDesk, providerLine, claimsLine, officeManager, anybody, '+12025550112']) {
      const noise = [
        '',
        '…',
        '{openings}',
        '<say>',
        '日本',
        'a'.repeat(20_000),
        '0'.repeat(3000),
        'no '.repeat(500),
        '??',
      ];
      const { state } = talk(cast(number), ...noise);
      expect(state.told).toEqual([]);
    }
  });
});

describe('the front desk', () => {
  const booked = (character: Character, ...lines: string[]): PersonState =>
    talk(character, 'I would like to schedule an appointment for Maya Rivera. I am an assistant.', ...lines)
      .state;

  test('asks who it is for before it offers times, then books the chosen one', () => {
    for (const seed of seeds) {
      const { says, state } = talk(
        cast(frontDesk, seed),
        "Hello, I'm an automated assistant calling on behalf of Maya Rivera. She needs an appointment for a physical, mornings are best. Her insurance is Example Health Plan.",
        'Her date of birth is July 12, 1984.',
        'She is an existing patient.',
        'The earliest one, please.',
      );
      expect(says[1]).toMatch(/date of birth/i);
      expect(says[2]).toContain('July 12th, 1984');
      expect(says[3]).toMatch(/November 25th|the 25th/);
      expect(says[4]).toMatch(/RF\d{5}/);
      expect(state.appointment.booked).not.toBeNull();
      expect(state.told).toContain('confirmation');
    }
  });

  test('offers working days after today only', () => {
    for (const [index, desk] of cast(frontDesk).desks.entries()) {
      expect(index).toBe(0);
      for (const { day } of desk.datedOpenings) {
        const weekday = new Date(Date.UTC(day.year, day.month - 1, day.day)).getUTCDay();
        expect([0, 6]).not.toContain(weekday);
      }
    }
  });

  const ready = ['July 12, 1984', 'Existing patient. Insured with Example Health Plan.'];
  test.each([
    ['Wednesday at 10:30 works.', 1],
    ['Could we do the 25th?', 1],
    ['Tuesday does not work, but Wednesday would be great.', 1],
    ['The first one, please.', 0],
    ['The second option.', 1],
    ['Either is fine.', 0],
    ["Let's take November twenty-fourth at two fifteen.", 0],
    ['Ten thirty is fine.', 1],
    ['No problem, Wednesday works.', 1],
    ['The later one, please.', 1],
  ])('takes "%s" for a choice', (choice, opening) => {
    expect(booked(cast(frontDesk), ...ready, choice).appointment.booked).toBe(opening);
  });

  test.each([
    'Unfortunately neither of those works. Do you have anything else?',
    'Is there anything later that week, maybe Friday?',
    'Do you have something on Monday?',
    'Yes, that works.',
    'Hmm.',
  ])('does not take "%s" for a choice', (text) => {
    const { appointment } = booked(cast(frontDesk), ...ready, text);
    expect(appointment.booked).toBeNull();
    expect(appointment.open.length).toBeGreaterThan(0);
  });

  test('offers what fits a wish, and says so when nothing does', () => {
    const { says } = talk(
      cast(frontDesk),
      'An appointment for Maya Rivera, this is her assistant.',
      ...ready,
      'Do you have anything on Friday afternoon?',
      'And what about Sunday?',
    );
    expect(says[4]).toMatch(/Friday/);
    expect(says[5]).not.toMatch(/Sunday/);
  });

  test('confirms a read-back that is right and corrects one that is wrong', () => {
    const lines = ['An appointment for Maya Rivera, this is her assistant.', ...ready, 'The first one.'];
    const right = talk(cast(frontDesk), ...lines, "So that's Tuesday, November 24th at 2:15 PM, correct?");
    const wrong = talk(cast(frontDesk), ...lines, "So that's Wednesday, November 25th at 10:30, correct?");
    expect(right.says.at(-1)).toMatch(/right|correct/i);
    expect(wrong.says.at(-1)).toMatch(/^(No|Not)/);
    expect(wrong.says.at(-1)).toMatch(/24th/);
  });

  test.each([
    'So that is booked?',
    'Could you confirm the appointment?',
    'Is she all set?',
    'When is the appointment?',
  ])('says what is booked when asked "%s"', (question) => {
    const { says, hungUp } = talk(
      cast(frontDesk),
      'An appointment for Maya Rivera, this is her assistant.',
      ...ready,
      'The first one.',
      question,
    );
    expect(says.at(-1)).toMatch(/24th/);
    expect(hungUp).toBe(false);
  });

  test('says with whom it is', () => {
    const { says } = talk(
      cast(frontDesk),
      'An appointment for Maya Rivera, this is her assistant.',
      ...ready,
      'The second one.',
      'And who will she be seeing?',
    );
    expect(says.at(-1)).toMatch(/Dr\. Okafor/);
  });

  test('says so when everything was turned down', () => {
    const refusals = Array.from(
      { length: 7 },
      () => 'Unfortunately none of those work. Do you have anything else?',
    );
    const { says, state } = talk(
      cast(frontDesk),
      'An appointment for Maya Rivera, this is her assistant.',
      ...ready,
      ...refusals,
    );
    expect(says.at(-1)).toMatch(/that's all/);
    expect(state.appointment.booked).toBeNull();
  });

  test.each([
    "Hi, I'm calling for a patient who would like to come in. Do you have anything tomorrow?",
    'Could you get somebody in next week for a checkup?',
    'I need to see someone about a slot.',
  ])('understands "%s" as a wish for an appointment', (words) => {
    expect(talk(cast(frontDesk), words).state.appointment.wanted).toBe(true);
  });

  test('gives no confirmation number before anything is booked', () => {
    const { says, state } = talk(
      cast(frontDesk),
      'An appointment for Maya Rivera, this is her assistant.',
      ...ready,
      'Is there a confirmation number?',
    );
    expect(says.at(-1)).not.toMatch(/RF\d/);
    expect(state.told).not.toContain('confirmation');
  });

  test('spells what it said', () => {
    const { says } = talk(
      cast(frontDesk),
      'An appointment for Maya Rivera, this is her assistant.',
      ...ready,
      'The first one.',
      'Could you spell that for me, digit by digit?',
    );
    expect(says.at(-1)).toMatch(/R F \d \d \d \d \d/);
  });

  test('goes on without what the caller will not tell', () => {
    const { state } = talk(
      cast(frontDesk),
      'An appointment for Maya Rivera, this is her assistant.',
      "I'm sorry, I don't have the date of birth.",
      "I'm afraid I can't share that.",
      'I do not know.',
      'The first one please.',
    );
    expect(state.appointment.booked).not.toBeNull();
  });
});

test.each([
  ['Hi, is this Lakeside?', 'Lakeside Medical Group'],
  ['Is this Alex?', 'Alex'],
  ['Have I reached Lakeside Medical Group?', 'Lakeside Medical Group'],
])('people say whom one has reached: "%s"', (words, name) => {
  expect(talk(cast(officeManager), words).says.at(-1)).toContain(name);
});

test.each([
  'Perfect, thanks so much. Have a great rest of your day!',
  'That was everything. Take care!',
  'Will do. Bye now.',
])('people take "%s" for a farewell', (words) => {
  expect(talk(cast(officeManager), 'What is your fax number?', words).hungUp).toBe(true);
});

test.each(["That's all right. What is the shoe size of the doctor?", 'Are we all set for Tuesday?'])(
  'nobody takes "%s" for the end of the call',
  (words) => {
    for (const seed of seeds) {
      const { state } = talk(cast(officeManager, seed), 'What is your fax number?', words);
      expect(state.saidGoodbye).toBe(false);
    }
  },
);

test('nobody is asked to repeat that they do not know something', () => {
  const { says } = talk(
    cast(officeManager),
    'What is your fax number?',
    'What color are the curtains?',
    'Could you repeat that?',
  );
  expect(says.at(-1)).toContain('202-555-0166');
});

describe('the provider line', () => {
  const identified = [
    'Hello, I am an automated assistant calling on behalf of Maya Rivera. The member ID is EHP204518837.',
    'July 12, 1984',
    'Dr. Helen Okafor, NPI 1234567893, for the patient Maya Rivera.',
  ];

  test('tells nothing before it knows the member', () => {
    const { says, state } = talk(cast(providerLine), 'What is the copay?', 'And the deductible?');
    expect(says.join(' ')).not.toContain('$');
    expect(state.told).toEqual([]);
    const refused = talk(cast(providerLine), "I don't have the member ID.", "No, I can't provide that.");
    expect(refused.hungUp).toBe(true);
    expect(refused.state.told).toEqual([]);
  });

  test('takes no other number for the member ID', () => {
    const { state } = talk(
      cast(providerLine),
      'I need benefits for CPT codes 97110 and 97140 with Dr. Helen Okafor, NPI 1234567893.',
    );
    expect(state.said.member_id).toBeUndefined();
  });

  test('answers afterwards what was asked before', () => {
    const { says } = talk(
      cast(providerLine),
      'Could you tell me what the copay is?',
      'EHP204518837',
      'July 12, 1984',
      'Maya Rivera, and the provider is Dr. Okafor.',
    );
    expect(says.at(-1)).toContain('$40');
  });

  test.each([
    ['Is the coverage active?', /active/],
    ['Can you verify her eligibility?', /active/],
    ['What plan is she on?', /Choice PPO/],
    ['How much would the patient pay per visit?', /\$40/],
    ['What would the co-payment be?', /\$40/],
    ['What is the annual deductible?', /\$1,500/],
    ['How much of the deductible has been met?', /\$620\.50/],
    ['Is there any coinsurance?', /20%/],
    ['What about the out-of-pocket max?', /\$6,000/],
    ['Does this service need prior authorization?', /authorization/],
    ['Is pre-certification required?', /required|does require/],
    ['Is physical therapy covered under the plan?', /covered/],
    ['Is Dr. Okafor in network?', /network/],
    ['Is a referral needed?', /referral/],
    ['Are there any visit limits?', /30/],
    ['May I have a reference number for this call?', /EHB\d{6}/],
  ])('answers "%s"', (question, answer) => {
    for (const seed of seeds)
      expect(talk(cast(providerLine, seed), ...identified, question).says.at(-1)).toMatch(answer);
  });

  test('answers several questions at once', () => {
    const { says, state } = talk(
      cast(providerLine),
      ...identified,
      'I need the copay, the coinsurance, and whether prior authorization is required.',
    );
    expect(says.at(-1)).toMatch(/\$40.*20%.*authorization/s);
    expect(state.told).toEqual(expect.arrayContaining(['copay', 'coinsurance', 'authorization_required']));
  });

  test('confirms a read-back that is right and corrects one that is wrong', () => {
    const ask = (text: string): string | undefined =>
      talk(cast(providerLine), ...identified, 'What is the copay?', text).says.at(-1);
    expect(ask('So the copay is $40, correct?')).toMatch(/right|correct|exactly/i);
    expect(ask('So the copay is $50, correct?')).toContain('$40');
  });

  test('confirms a number that is read back digit by digit, and corrects it', () => {
    for (const seed of seeds) {
      const { says } = talk(cast(providerLine, seed), ...identified, 'May I have a reference number?');
      const number = /EHB\d{6}/.exec(says.at(-1) ?? '')?.[0] ?? '';
      const ask = (read: string): string | undefined =>
        talk(cast(providerLine, seed), ...identified, 'May I have a reference number?', read).says.at(-1);
      const spelled = [...number].join(' ');
      expect(ask(`Let me read that back: ${spelled}. Is that right?`)).toMatch(/right|correct|exactly/i);
      expect(ask(`So the reference number is ${spelled}, correct?`)).toMatch(/right|correct|exactly/i);
      const wrong = ask(`Let me read that back: ${spelled} 7 7. Is that right?`);
      expect(wrong).toContain(spelled);
    }
  });

  test('confirms nothing that it does not know', () => {
    const { says } = talk(
      cast(providerLine),
      ...identified,
      'What is the copay?',
      'Could you confirm whether acupuncture counts as homeopathy?',
    );
    expect(says.at(-1)).toMatch(/sorry|afraid/i);
  });
});

describe('the claims line', () => {
  const identified = ['The claim number is CLM-7741902.', 'EHP204518837', 'July 12, 1984'];

  test.each([
    ['What is the status of the claim?', /partially paid/],
    ['Has the claim been processed?', /partially paid/],
    ['How much was paid?', /\$409\.92/],
    ['What amount was reimbursed?', /\$409\.92/],
    ['When was the payment issued?', /November 11th/],
    ['What is the check or EFT number?', /90\d{6}/],
    ['Do you need any additional documents?', /itemized bill/],
    ['Is anything missing?', /itemized bill/],
    ['Where can we send it?', /202-555-0165/],
    ['How long will that take?', /30/],
    ['What does the patient owe?', /\$102\.48/],
    ['What was the allowed amount?', /\$512\.40/],
    ['Is there a reference number for this call?', /CR\d{7}/],
  ])('answers "%s"', (question, answer) => {
    for (const seed of seeds)
      expect(talk(cast(claimsLine, seed), ...identified, question).says.at(-1)).toMatch(answer);
  });

  test('gives every call numbers of its own', () => {
    const numbers = ['CA1', 'CA2'].map((sid) => cast(claimsLine, 'a', sid).facts.claims_reference?.value);
    expect(new Set(numbers).size).toBe(2);
  });
});

describe('the office manager', () => {
  test.each([
    ['What are your office hours?', /8 AM to 5 PM/],
    ['When do you open and close?', /8 AM to 5 PM/],
    ['Are you open on Saturdays?', /Saturday/],
    ['What is the fax number for medical records?', /202-555-0167/],
    ["What's your fax number?", /202-555-0166/],
    ['How can a patient get a copy of their medical records?', /release/],
    ['What is your address?', /480 Lakeshore/],
    ['Is there parking?', /behind the building/],
    ['Are you accepting new patients?', /new patients/],
    ['Do you take Medicaid?', /Medicaid/],
    ['Which insurance plans do you accept?', /Medicare/],
    ['How much does a visit cost without insurance?', /\$145/],
    ['Do you offer telehealth?', /video/],
    ['What is the cancellation policy?', /24 hours/],
    ['Is the office wheelchair accessible?', /accessible/],
  ])('answers "%s"', (question, answer) => {
    for (const seed of seeds) expect(talk(cast(officeManager, seed), question).says.at(-1)).toMatch(answer);
  });

  test('says so when they do not know', () => {
    for (const seed of seeds) {
      expect(talk(cast(officeManager, seed), 'What color are the curtains?').says.at(-1)).toMatch(
        /sorry|afraid/i,
      );
    }
  });
});

test('anybody makes appointments, gives benefits, knows the claim and the office', () => {
  for (const seed of seeds) {
    const appointment = talk(
      cast(anybody, seed),
      'I am an assistant calling to schedule an appointment for the patient Maya Rivera, insured with Example Health Plan.',
      'July 12, 1984',
      'Existing',
      'The first one please.',
    );
    expect(appointment.state.appointment.booked).not.toBeNull();
    const benefits = talk(
      cast(anybody, seed),
      'I am calling on behalf of Maya Rivera to verify her insurance benefits.',
      'EHP204518837',
      'July 12, 1984',
      'Dr. Okafor, patient Maya Rivera.',
      'What is the copay?',
    );
    expect(benefits.says.at(-1)).toContain('$40');
    const claim = talk(
      cast(anybody, seed),
      'I am calling about a reimbursement claim. The claim number is CLM-7741902.',
      'EHP204518837',
      'July 12, 1984',
      'How much was paid?',
    );
    expect(claim.says.at(-1)).toContain('$409.92');
    expect(talk(cast(anybody, seed), 'What are your office hours?').says.at(-1)).toContain('8 AM');
  }
});
