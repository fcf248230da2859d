import { describe, expect, test } from 'vitest';
import { PersonaFile } from '#shared/sandbox-phone/person/person-file.ts';
import { personaAt } from '#shared/sandbox-phone/personas/directory.ts';
import {
  anybody,
  cast,
  claimsLine,
  directory,
  frontDesk,
  officeManager,
  providerLine,
  seeds,
  talk,
} from './bundled-people.ts';

describe('the files', () => {
  test('assign every sandbox number to one persona, and all others to the default', () => {
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

describe('any persona', () => {
  test('repeats itself for the same seed, and varies for another', () => {
    const lines = ['I am calling about an appointment for Maya Rivera.', 'July 12, 1984', 'Existing.'];
    expect(talk(cast(frontDesk), ...lines)).toEqual(talk(cast(frontDesk), ...lines));
    const greetings = new Set(seeds.map((seed) => talk(cast(frontDesk, seed)).says[0]));
    expect(greetings.size).toBeGreaterThan(1);
  });

  test.each([frontDesk, providerLine, claimsLine, officeManager, anybody])(
    '%s answers first, prompts twice after silence, then hangs up',
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

  test('repeats on request, gives their name and spells it', () => {
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

  test('never fails on unexpected words', () => {
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

describe('the provider line', () => {
  const identified = [
    'Hello, I am an automated assistant calling on behalf of Maya Rivera. The member ID is EHP204518837.',
    'July 12, 1984',
    'Dr. Helen Okafor, NPI 1234567893, for the patient Maya Rivera.',
  ];

  test('discloses nothing before it knows the member', () => {
    const { says, state } = talk(cast(providerLine), 'What is the copay?', 'And the deductible?');
    expect(says.join(' ')).not.toContain('$');
    expect(state.told).toEqual([]);
    const refused = talk(cast(providerLine), "I don't have the member ID.", "No, I can't provide that.");
    expect(refused.hungUp).toBe(true);
    expect(refused.state.told).toEqual([]);
  });

  test('accepts no other number as the member ID', () => {
    const { state } = talk(
      cast(providerLine),
      'I need benefits for CPT codes 97110 and 97140 with Dr. Helen Okafor, NPI 1234567893.',
    );
    expect(state.said.member_id).toBeUndefined();
  });

  test('answers earlier questions afterwards', () => {
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

  test('confirms a correct read-back and corrects a wrong one', () => {
    const ask = (text: string): string | undefined =>
      talk(cast(providerLine), ...identified, 'What is the copay?', text).says.at(-1);
    expect(ask('So the copay is $40, correct?')).toMatch(/right|correct|exactly/i);
    expect(ask('So the copay is $50, correct?')).toContain('$40');
  });

  test('confirms a number read back digit by digit, and corrects it', () => {
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

  test('gives each call its own numbers', () => {
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

  test('says so if they do not know', () => {
    for (const seed of seeds) {
      expect(talk(cast(officeManager, seed), 'What color are the curtains?').says.at(-1)).toMatch(
        /sorry|afraid/i,
      );
    }
  });
});

test('the default persona makes appointments, states benefits, knows the claim and the office', () => {
  for (const seed of seeds) {
    const appointment = talk(
      cast(anybody, seed),
      'I am an assistant calling to schedule an appointment for the patient Maya Rivera, insured with ' +
        'Example Health Plan.',
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
