import type { SeededRandom } from '../engine/random.ts';

/** What the person on the line does next. */
export interface Reaction {
  /** Words, in the parts that speech recognition delivers. */
  readonly says: readonly string[];
  readonly hangsUp: boolean;
  /** Until it happens, after the agent has finished speaking. */
  readonly afterMs: number;
}

/** A person or machine that answers a call. */
export interface Person {
  readonly kind: string;
  /** The carrier's detection verdict on them. */
  readonly answeredBy: 'human' | 'machine_start' | 'fax' | 'unknown';
  pickUp(): Reaction;
  hear(words: string): Reaction;
}

const nothing: Reaction = { says: [], hangsUp: false, afterMs: 0 };

const answers = [
  'Yes, this is the right place, how can I help you?',
  'We open at eight in the morning and close at five.',
  'Yes, that is right.',
  'I can offer Tuesday at ten in the morning.',
  'The reference number is four seven one one.',
  'Yes, we do that here.',
  'No, I am sorry, we do not have that.',
  'The copay is thirty dollars.',
  'Could you repeat that, please?',
  'The claim was paid on the third of February.',
  'My name is Taylor.',
  'You are welcome, goodbye.',
];

const kinds = {
  helpful: 10,
  'hangs-up': 4,
  silent: 1,
  'wrong-number': 1,
  'opts-out': 0.6,
  voicemail: 4,
  fax: 0.7,
} as const;

/** A random person, who usually does not talk for long. */
export function somebody(random: SeededRandom): Person {
  const kind = random.weighted(kinds);
  const detected = (usual: Person['answeredBy']): Person['answeredBy'] =>
    random.chance(0.88) ? usual : random.pick(['human', 'machine_start', 'unknown'] as const);
  const say = (...says: string[]): Reaction => ({
    says,
    hangsUp: false,
    afterMs: random.between(300, 2_500),
  });
  const leave = (...says: string[]): Reaction => ({
    says,
    hangsUp: true,
    afterMs: random.between(200, 3_000),
  });
  let turns = 0;
  const patience = 1 + random.below(random.pick([3, 6, 10]));
  switch (kind) {
    case 'helpful':
      return {
        kind,
        answeredBy: detected('human'),
        pickUp: () => (random.chance(0.8) ? say('Example Clinic, good morning, this is Taylor.') : nothing),
        hear: (words) => {
          turns += 1;
          if (turns > patience + 4) return leave('I have to go now, goodbye.');
          return say(answerTo(words, random));
        },
      };
    case 'hangs-up':
      return {
        kind,
        answeredBy: detected('human'),
        pickUp: () => (patience === 1 ? leave('Hello?') : say('Hello?')),
        hear: () => {
          turns += 1;
          return turns >= patience ? leave() : say(random.pick(answers));
        },
      };
    case 'silent':
      return { kind, answeredBy: detected('unknown'), pickUp: () => nothing, hear: () => nothing };
    case 'wrong-number':
      return {
        kind,
        answeredBy: detected('human'),
        pickUp: () => say('Hello, who is this?'),
        hear: () => {
          turns += 1;
          return turns === 1 ? say('You have the wrong number.') : leave('Goodbye.');
        },
      };
    case 'opts-out':
      return {
        kind,
        answeredBy: detected('human'),
        pickUp: () => say('Example Clinic.'),
        hear: () => {
          turns += 1;
          return turns === 1
            ? say('I do not talk to machines. Please do not call us again, take us off your list.')
            : leave();
        },
      };
    case 'voicemail':
      return {
        kind,
        answeredBy: detected('machine_start'),
        pickUp: () =>
          say('You have reached the voicemail of Example Clinic. Please leave a message after the tone.'),
        hear: () => {
          turns += 1;
          return turns > 2 ? leave() : nothing;
        },
      };
    case 'fax':
      return { kind, answeredBy: detected('fax'), pickUp: () => nothing, hear: () => leave() };
  }
}

function answerTo(words: string, random: SeededRandom): string {
  const question = words.toLowerCase();
  if (random.chance(0.15)) return random.pick(answers);
  if (/hours|open/.test(question))
    return 'We open at eight in the morning and close at five in the afternoon.';
  if (/right place|have i reached|is this|speaking with/.test(question))
    return 'Yes, this is Example Clinic.';
  if (/your name|who am i/.test(question)) return 'My name is Taylor.';
  if (/reference|confirmation/.test(question)) return 'The reference number is A B one two three.';
  if (/appointment|available|slot/.test(question)) return 'I can offer Tuesday at ten in the morning.';
  if (/correct|is that right|confirm/.test(question)) return 'Yes, that is correct.';
  if (/goodbye|thank you|thanks/.test(question)) return 'You are welcome, goodbye.';
  return random.pick(answers);
}
