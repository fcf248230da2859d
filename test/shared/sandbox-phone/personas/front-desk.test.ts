import { describe, expect, test } from 'vitest';
import type { Character } from '#shared/sandbox-phone/person/character.ts';
import type { PersonState } from '#shared/sandbox-phone/person/person-state.ts';
import { cast, frontDesk, officeManager, seeds, talk } from './bundled-people.ts';

describe('the front desk', () => {
  const booked = (character: Character, ...lines: string[]): PersonState =>
    talk(character, 'I would like to schedule an appointment for Maya Rivera. I am an assistant.', ...lines)
      .state;

  test('asks for the patient before it offers times, then books the chosen one', () => {
    for (const seed of seeds) {
      const { says, state } = talk(
        cast(frontDesk, seed),
        "Hello, I'm an automated assistant calling on behalf of Maya Rivera. She needs an appointment for " +
          'a physical, mornings are best. Her insurance is Example Health Plan.',
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

  test('offers only working days after today', () => {
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

  test('offers times that fit a wish, and says so if there are none', () => {
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

  test('confirms a correct read-back and corrects a wrong one', () => {
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

  test('keeps what is booked when it is read back with another question', () => {
    const desk = cast(frontDesk);
    const readBack = [
      'Great, Wednesday at 10:30. Is there anything she should bring?',
      'Thank you, so Wednesday the 25th at 10:30. Is there anything to do beforehand?',
    ];
    for (const words of readBack)
      expect(booked(desk, ...ready, 'Wednesday at 10:30 works.', words).appointment.booked).toBe(1);
    const another = 'Is there anything on Monday?';
    expect(booked(desk, ...ready, 'Wednesday at 10:30 works.', another).appointment.booked).not.toBe(1);
  });

  test('names the provider', () => {
    const { says } = talk(
      cast(frontDesk),
      'An appointment for Maya Rivera, this is her assistant.',
      ...ready,
      'The second one.',
      'And who will she be seeing?',
    );
    expect(says.at(-1)).toMatch(/Dr\. Okafor/);
  });

  test('says so if every time was declined', () => {
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

  test('gives no confirmation number before a booking', () => {
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

  test('continues without withheld facts', () => {
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
])('people say whom the caller has reached: "%s"', (words, name) => {
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

test('no one has to repeat that they do not know something', () => {
  const { says } = talk(
    cast(officeManager),
    'What is your fax number?',
    'What color are the curtains?',
    'Could you repeat that?',
  );
  expect(says.at(-1)).toContain('202-555-0166');
});
