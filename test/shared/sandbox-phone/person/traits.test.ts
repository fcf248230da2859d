import { describe, expect, test } from 'vitest';
import { react } from '#shared/sandbox-phone/person/person.ts';
import { newPerson } from '#shared/sandbox-phone/person/person-state.ts';
import { play, TestLine } from './scripted-caller.ts';
import { quiet, somePersona } from './some-person.ts';

const always = { likelihood: 1 };
const fee = 'What is the fee?';
const seeds = Array.from({ length: 20 }, (_, index) => `seed ${index}`);

test('the seed alone decides the effects of a temper', () => {
  const traits = {
    interrupts: { likelihood: 0.5, after_words: [2, 6], says: ['Wait.'] },
    asks_to_repeat: { likelihood: 0.5, says: ['Again?'] },
    vague: 0.5,
    speaks_in_parts: 0.5,
  };
  const calls = seeds.map(
    (seed) => play(somePersona({ temper: traits }, { seed }), fee, 'What are your hours?').transcript,
  );
  expect(
    seeds.map(
      (seed) => play(somePersona({ temper: traits }, { seed }), fee, 'What are your hours?').transcript,
    ),
  ).toEqual(calls);
  expect(new Set(calls.map((transcript) => transcript.join('\n'))).size).toBeGreaterThan(4);
});

describe('a person who interrupts', () => {
  const traits = { interrupts: { ...always, after_words: [3, 3], at_most: 1, says: ['One second.'] } };

  test('says when they will interrupt, within the maximum', () => {
    const line = new TestLine(somePersona({ temper: traits, ...quiet }));
    expect(line.reaction.bargesIn).toEqual({ afterWords: 3 });
    expect(line.say('Could you tell me what the fee is?')).toBe('Could you tell');
    expect(line.lastWords).toBe('One second.');
    expect(line.reaction.bargesIn).toBeNull();
  });

  test('has heard the words until then', () => {
    const line = new TestLine(
      somePersona({ temper: { interrupts: { ...traits.interrupts, after_words: [4, 4] } }, ...quiet }),
    );
    line.say('What is the fee for a new patient?');
    line.say('Sorry, go ahead.');
    expect(line.lastWords).toContain('$40');
  });

  test('answers what they heard if they have no words of their own', () => {
    const silent = { interrupts: { ...always, after_words: [4, 4] } };
    const line = new TestLine(somePersona({ temper: silent, ...quiet }));
    line.say('What is the fee for a new patient?');
    expect(line.lastWords).toContain('$40');
  });

  test('lets short words pass', () => {
    expect(new TestLine(somePersona({ temper: traits, ...quiet })).say('The fee?')).toBeNull();
  });
});

test('a person who asks to repeat forgets what they did not understand', () => {
  const traits = { asks_to_repeat: { ...always, at_most: 1, says: ['Sorry, what was that?'] } };
  const words = 'I want an appointment for the patient Maya Rivera.';
  const { heard, state } = play(
    somePersona({ temper: traits }),
    words,
    'I want an appointment.',
    'For the patient Maya Rivera.',
  );
  expect(heard.slice(1, 3)).toEqual(['Sorry, what was that?', 'Who is it for?']);
  expect(state.said).toEqual({ patient_name: 'Maya Rivera' });
});

describe('a vague person', () => {
  const vague = somePersona({ temper: { vague: 1 }, ...quiet });

  test.each([
    fee,
    'Could you be more precise, please?',
    'I would need the exact amount.',
    'How much is the fee exactly?',
  ])('tells it when asked again: "%s"', (again) => {
    const { heard, state } = play(vague, fee, again);
    expect(heard[1]).toBe('That depends.');
    expect(heard[2]).toContain('$40');
    expect(state.told).toEqual(['fee']);
  });

  test('has told nothing before', () => {
    expect(play(vague, fee).state.told).toEqual([]);
  });
});

describe('a person who looks things up', () => {
  const traits = { looks_up: { ...always, says: ['One moment.'], ms: [6000, 6000], back: ['So.'] } };

  test('says so, is silent, and returns with the answer', () => {
    const { heard, reactions } = play(somePersona({ temper: traits, ...quiet }), fee);
    expect(heard.slice(1)).toEqual(['One moment.', 'So. The fee is $40. It is due at the visit.']);
    expect(reactions[1]).toMatchObject({ waitsMs: 6000, waitsWith: 'silence' });
  });

  test('has told it only then', () => {
    const character = somePersona({ temper: traits, ...quiet });
    const greeted = react(character, newPerson, { kind: 'picked-up' });
    const looking = react(character, greeted.state, { kind: 'heard', text: fee });
    expect(looking.state.told).toEqual([]);
    expect(react(character, looking.state, { kind: 'heard', text: 'Take your time.' }).utterances).toEqual(
      [],
    );
    expect(react(character, looking.state, { kind: 'time' }).state.told).toEqual(['fee']);
  });
});

test('a person who speaks in parts makes an utterance of each sentence', () => {
  const { reactions } = play(somePersona({ temper: { speaks_in_parts: 1 }, ...quiet }), fee);
  expect(reactions.at(-1)?.utterances.map(({ transcribed }) => transcribed)).toEqual([
    'The fee is $40.',
    'It is due at the visit.',
  ]);
});

describe('an aside', () => {
  const aside = (waits: boolean) =>
    somePersona({ temper: { asides: [{ at_turn: 1, says: ['Are you a robot?'], waits }] }, ...quiet });

  test.each(['Yes, I am an automated assistant.', 'I am not able to share that.', 'What do you mean?'])(
    'is answered by anything ("%s"), and then the matter goes on',
    (answer) => {
      const { heard } = play(aside(true), fee, answer);
      expect(heard[1]).toBe('Are you a robot?');
      expect(heard[2]).toContain('$40');
    },
  );

  test('leaves room for more in the answer to it', () => {
    expect(play(aside(true), fee, 'Yes. And what are your hours?').heard[2]).toMatch(/\$40.*8 AM/);
  });

  test('comes in the same breath if it does not wait', () => {
    expect(play(aside(false), fee).heard[1]).toMatch(/^Are you a robot\? The fee is \$40/);
  });

  test('is said once', () => {
    expect(play(aside(false), fee, fee).transcript.join('\n').match(/robot/g)).toHaveLength(1);
  });
});

describe('a person who says a wrong value', () => {
  const misspeaks = { fact: 'fee', instead: '$45', corrects: ['Sorry, it is {right}.'] };

  test('corrects it in the same breath', () => {
    const { heard, state } = play(somePersona({ temper: { misspeaks }, ...quiet }), fee);
    expect(heard[1]).toBe('The fee is $45. It is due at the visit. Sorry, it is $40.');
    expect(state.told).toEqual(['fee']);
  });

  test('or with the next answer, and it counts as told only then', () => {
    const character = somePersona({ temper: { misspeaks: { ...misspeaks, when: 'next-turn' } }, ...quiet });
    const { heard, state } = play(character, fee, 'And what are your hours?');
    expect(heard[1]).toContain('$45');
    expect(heard[2]).toMatch(/^Sorry, it is \$40\. We are open/);
    expect(play(character, fee).state.told).toEqual([]);
    expect(state.told.toSorted()).toEqual(['fee', 'hours']);
  });

  test('once, and repeats the right one', () => {
    const { heard } = play(
      somePersona({ temper: { misspeaks }, ...quiet }),
      fee,
      'Could you repeat that, please?',
    );
    expect(heard[2]).toContain('$40');
    expect(heard[2]).not.toContain('$45');
  });
});

describe('a person who refuses machines', () => {
  const says = ['No machines, please. Do not call again.'];

  test.each([
    'Hello, this is an automated assistant calling for Maya Rivera.',
    'Hi, I am a virtual assistant.',
    'This is an AI calling on behalf of Maya Rivera.',
    'This call is being recorded.',
  ])('says so after "%s", and hangs up if it continues', (words) => {
    const { heard, hungUp } = play(
      somePersona({ temper: { refuses_machines: { says } } }),
      words,
      'I only have one question.',
    );
    expect(heard.at(-1)).toBe(says[0]);
    expect(hungUp).toBe(true);
  });

  test('talks to people', () => {
    expect(play(somePersona({ temper: { refuses_machines: { says } } }), fee).heard.at(-1)).toContain('$40');
  });

  test('may keep refusing without hanging up', () => {
    const traits = { refuses_machines: { says, hangs_up: false } };
    const { heard, hungUp } = play(somePersona({ temper: traits }), 'I am an automated assistant.', fee, fee);
    expect(heard.slice(1)).toEqual([says[0], says[0], says[0]]);
    expect(hungUp).toBe(false);
  });
});

describe('a wrong number', () => {
  const wrong_number = { first: ['Who is this?', 'For whom?'], says: ['You have the wrong number.'] };
  const private_person = somePersona({ desks: [], temper: { wrong_number } });

  test('is curious first, says so, and hangs up if the caller continues', () => {
    const { heard, hungUp } = play(
      private_person,
      'Have I reached Maple Street Clinic?',
      'I am calling on behalf of a patient.',
      'I can only tell that to the clinic.',
      'I would like to make an appointment.',
      'Well.',
    );
    expect(heard.slice(1, 4)).toEqual([...wrong_number.first, ...wrong_number.says]);
    expect(hungUp).toBe(true);
  });

  test.each(['I am sorry for the disturbance. Goodbye.', 'My apologies, I have the wrong number.'])(
    'lets a caller go who says "%s"',
    (words) => {
      const one = somePersona({ desks: [], temper: { wrong_number: { says: wrong_number.says } } });
      const { heard, hungUp } = play(one, 'I would like to make an appointment.', words);
      expect(heard).toHaveLength(3);
      expect(hungUp).toBe(true);
    },
  );

  test('discloses nothing', () => {
    const one = somePersona({ temper: { wrong_number: { says: wrong_number.says } } });
    expect(play(one, fee, fee, fee).state.told).toEqual([]);
  });
});

test('a person who wants a later call says so once they know the reason, and discloses nothing else', () => {
  const traits = { call_later: { says: ['Please call after two.'] } };
  const character = somePersona({ temper: traits });
  const { heard, state, hungUp } = play(
    character,
    'Hello, with whom am I speaking?',
    'I would like to make an appointment.',
    fee,
    'All right, thank you, goodbye.',
  );
  expect(heard[1]).toContain('Ines');
  expect(heard.slice(2, 4)).toEqual(['Please call after two.', 'Please call after two.']);
  expect(state.told).toEqual(['name']);
  expect(hungUp).toBe(true);
});

test('a person who hangs up does so silently after the set number of turns', () => {
  const { transcript, hungUp } = play(somePersona({ temper: { hangs_up_after: 2 } }), fee, fee, fee);
  expect(hungUp).toBe(true);
  expect(transcript.slice(-2)).toEqual([`caller: ${fee}`, 'hangs up']);
});

test('a person who falls silent pauses for the set time, then answers', () => {
  const traits = { falls_silent: { at_turn: 1, ms: [15_000, 15_000] } };
  const { reactions, heard } = play(somePersona({ temper: traits, ...quiet }), fee);
  expect(reactions[1]).toMatchObject({ utterances: [], waitsMs: 15_000 });
  expect(heard.at(-1)).toContain('$40');
});

test('no temper prevents a goodbye', () => {
  const traits = {
    asks_to_repeat: { ...always, at_most: 9, says: ['Again?'] },
    asides: [{ at_turn: 1, says: ['By the way.'] }],
  };
  expect(play(somePersona({ temper: traits }), 'Thank you, goodbye.').hungUp).toBe(true);
});
