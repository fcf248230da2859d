import { describe, expect, test } from 'vitest';
import { react } from '#shared/sandbox-phone/person/person.ts';
import { newPerson } from '#shared/sandbox-phone/person/person-state.ts';
import { play } from './scripted-caller.ts';
import { somePersona } from './some-person.ts';

const menu = {
  kind: 'menu',
  says: ['For billing, press 1. For appointments, press 2.'],
  choices: { '1': { to: 'billing' }, '2': { to: 'person' } },
  spoken: { '1': ['billing'], '2': ['appointment*'] },
  otherwise: 'operator',
};
const billing = { kind: 'person', name: 'Bo', voice: 'awb', greeting: ['Billing, Bo speaking.'] };
const operator = {
  kind: 'person',
  name: 'Olu',
  greeting: ['Operator, Olu speaking.'],
  desks: [
    {
      desk: 'switchboard',
      purpose: ['appointment*', 'schedul*'],
      transfer: { says: ["I'll put you through."], to: 'person' },
    },
  ],
};

function behind(first: string, stages: Record<string, unknown>): ReturnType<typeof somePersona> {
  return somePersona({ line: { first, stages } });
}

describe('a menu', () => {
  const line = behind('menu', { menu, billing, operator });

  test('is read by a machine with its own voice, and a key leads on', () => {
    const [reading] = play(line).reactions;
    expect(reading?.utterances).toEqual([
      {
        spoken: 'For billing, press 1. For appointments, press 2.',
        transcribed: 'For billing, press 1. For appointments, press 2.',
        voice: 'kal16',
      },
    ]);
    expect(reading?.silenceMs).toBe(5000);
    const { heard } = play(line, { keys: '2' });
    expect(heard.at(-1)).toBe('Maple Street Clinic, Ines speaking.');
  });

  test('may be interrupted by a key', () => {
    expect(play(line).reactions[0]?.isCutByKeys).toBe(true);
  });

  test.each(['I would like to make an appointment.', 'Two.', 'Option two, please.', '2'])(
    'understands "%s" like a key',
    (words) => {
      expect(play(line, words).heard.at(-1)).toBe('Maple Street Clinic, Ines speaking.');
    },
  );

  test.each([{ keys: '7' }, 'The weather is nice today.', null])(
    'is read again after %j, and leads to the way out when nothing helps',
    (turn) => {
      const { heard, state } = play(line, turn, turn, turn);
      expect(heard.filter((text) => text.includes('press 2'))).toHaveLength(3);
      expect(heard.some((text) => text.includes('did not get that'))).toBe(turn !== null);
      expect(state.stage).toBe('operator');
    },
  );

  test('may be read sentence by sentence', () => {
    const parts = behind('menu', { menu: { ...menu, in_parts: true }, billing, operator });
    expect(play(parts).heard).toEqual(['For billing, press 1.', 'For appointments, press 2.']);
  });

  test('passes keys pressed ahead to the next one', () => {
    const nested = behind('first', {
      first: { ...menu, choices: { '2': { to: 'menu' } }, spoken: {} },
      menu,
      billing,
      operator,
    });
    expect(play(nested, { keys: '21' }).heard.at(-1)).toBe('Billing, Bo speaking.');
  });
});

describe('a digit entry', () => {
  const entry = {
    kind: 'entry',
    says: ['Please enter the member ID, followed by the pound key.'],
    digits: '\\d{4,6}',
    slot: 'member',
    to: 'person',
    otherwise: 'hang-up',
  };
  const line = behind('entry', { entry });

  test.each([
    [{ keys: '1234#' }],
    [{ keys: '12' }, { keys: '34#' }],
    [{ keys: '1234' }, null],
    ['It is one two three four.'],
  ])('accepts %j', (...turns) => {
    const { state } = play(line, ...turns);
    expect(state.stage).toBe('person');
    expect(state.said.member).toBe('1234');
  });

  test('of a fixed length needs no closing key', () => {
    expect(play(behind('entry', { entry: { ...entry, digits: '####' } }), { keys: '1234' }).state.stage).toBe(
      'person',
    );
  });

  test.each([[{ keys: '12#' }], ['I do not know.'], [null]])(
    'is asked for again after %j and in the end given up',
    (turn) => {
      const { heard, hungUp } = play(line, turn, turn, turn);
      expect(heard.filter((text) => text.includes('pound key'))).toHaveLength(3);
      expect(hungUp).toBe(true);
    },
  );
});

describe('a queue', () => {
  const hold = {
    kind: 'hold',
    ms: [45_000, 45_000],
    every_ms: 20_000,
    announcements: ['Please hold.', 'Thank you for waiting.'],
    to: 'person',
  };
  const line = behind('hold', { hold });

  test('plays music with announcements until a person picks up', () => {
    const { heard, reactions } = play(line);
    expect(heard).toEqual([
      'Please hold.',
      'Thank you for waiting.',
      'Please hold.',
      'Maple Street Clinic, Ines speaking.',
    ]);
    expect(reactions.slice(0, 3).map(({ waitsMs, waitsWith }) => [waitsMs, waitsWith])).toEqual([
      [20_000, 'music'],
      [20_000, 'music'],
      [5000, 'music'],
    ]);
    expect(reactions.at(-1)?.waitsMs).toBeNull();
  });

  test("ignores the caller's words meanwhile", () => {
    const waiting = react(line, newPerson, { kind: 'picked-up' });
    const spokenTo = react(line, waiting.state, {
      kind: 'heard',
      text: 'An appointment for Maya Rivera, please.',
    });
    expect(spokenTo.utterances).toEqual([]);
    expect(spokenTo.waitsMs).not.toBeNull();
    expect(spokenTo.state.said).toEqual({});
  });
});

describe('a mailbox', () => {
  const line = behind('mailbox', {
    mailbox: { kind: 'voicemail', greeting: ['Leave a message.'], longest_ms: 10_000 },
  });

  test('greets, beeps, takes the message, and hangs up after silence', () => {
    const { transcript, hungUp } = play(line, 'Hello, please call back.', null);
    expect(transcript.slice(0, 2)).toEqual(['person: Leave a message.', 'beep']);
    expect(hungUp).toBe(true);
  });

  test('takes no message that is too long', () => {
    expect(play(line, 'word '.repeat(40)).hungUp).toBe(true);
  });

  test('exists without a stage for a call it answers', () => {
    const { transcript } = play(somePersona({ reach: ['voicemail', 'answers'] }, { reach: 'voicemail' }));
    expect(transcript).toEqual(['person: Maple Street Clinic, Ines speaking.', 'beep']);
    expect(
      play(somePersona({ reach: ['voicemail', 'answers'] }, { reach: 'answers' })).transcript,
    ).toHaveLength(1);
  });
});

describe('a transfer', () => {
  const line = behind('operator', { operator });

  test('happens once the business is clear, with a short ring and a new greeting', () => {
    const { heard, reactions } = play(line, 'I am calling to schedule an appointment for Maya Rivera.');
    expect(heard.slice(1)).toEqual(["I'll put you through.", 'Maple Street Clinic, Ines speaking.']);
    expect(reactions.at(-2)?.waitsMs).toBeGreaterThan(1000);
  });

  test('forgets what the previous person was told', () => {
    const { heard } = play(
      line,
      'An appointment for the patient Maya Rivera, please.',
      'I need an appointment.',
    );
    expect(heard.at(-1)).toBe('Who is it for?');
  });

  test('keeps what the first one told, for comparison with a report', () => {
    const clerk = {
      ...operator,
      knows: { desk_number: { number: 7 } },
      desks: [
        ...operator.desks,
        {
          desk: 'self',
          topics: [{ topic: 'number', asked_by: ['desk number'], says: ['{desk_number}.'], is_public: true }],
        },
      ],
    };
    const known = behind('operator', { operator: clerk });
    const { state } = play(known, 'What is your desk number?', 'I want to schedule an appointment.');
    expect(state.stage).toBe('person');
    expect(state.told).toEqual(['desk_number']);
    expect(known.knownOnTheLine.desk_number?.value).toBe(7);
  });
});

test('a line can lead nowhere', () => {
  const line = behind('menu', {
    menu: { ...menu, choices: { '1': { to: 'hang-up' } }, spoken: {} },
    operator,
  });
  expect(play(line, { keys: '1' }).hungUp).toBe(true);
});
