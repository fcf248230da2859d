import * as z from 'zod/mini';

/** One piece of what we said, and what it does. */
export const SaidPiece = z.object({
  text: z.string(),
  /** Facts that it tells. */
  fields: z.array(z.string()),
  kind: z.enum(['notice', 'purpose', 'reach', 'question', 'other']),
});
export type SaidPiece = z.infer<typeof SaidPiece>;

/** One choice of a telephone menu. `key` is empty when it can only be spoken. */
export const MenuChoice = z.object({ key: z.string(), text: z.string() });
export type MenuChoice = z.infer<typeof MenuChoice>;

/** An appointment that was offered, or part of one: a day without a time, a time without a day. */
export const Opening = z.object({
  /** `YYYY-MM-DD` */
  day: z.nullable(z.string()),
  /** Minutes since midnight. */
  minutes: z.nullable(z.int()),
  provider: z.nullable(z.string()),
  quote: z.string(),
  turn: z.int(),
});
export type Opening = z.infer<typeof Opening>;

export const SchedulingMemory = z.object({
  /** The day that is being spoken of. */
  day: z.nullable(z.string()),
  turned_down: z.array(Opening),
  chosen: z.nullable(Opening),
  /** The person has said that the chosen opening is booked. */
  booked: z.boolean(),
  /** The time was repeated to the person, or by them, and not contradicted. */
  read_back: z.boolean(),
  /** How often we asked for other times. */
  rounds: z.int(),
  /** How often we asked whether it is booked now. */
  checks: z.int(),
});
export type SchedulingMemory = z.infer<typeof SchedulingMemory>;

export const MenuMemory = z.object({
  choices: z.array(MenuChoice),
  /** Keys pressed and words said in it. */
  tried: z.array(z.string()),
  /** We have chosen and wait for what comes. */
  is_answered: z.boolean(),
  /** How often a machine asked for the same thing to be keyed in. */
  entries: z.record(z.string(), z.int()),
});
export type MenuMemory = z.infer<typeof MenuMemory>;

/** What an unsure answer leans to. */
const Leaning = z.object({
  value: z.union([z.boolean(), z.number(), z.string()]),
  answer: z._default(z.string(), ''),
  quote: z.string(),
  turn: z._default(z.int(), 0),
});
export type Leaning = z.infer<typeof Leaning>;

/** What the built-in model carries from turn to turn. */
export const Memory = z.object({
  /** Turns taken by the agent; bounds every conversation. */
  turns: z.int(),
  /** Why we call has been told to the person on the line. */
  purpose_said: z.boolean(),
  /** What our last question was about: the key of an item, or `reach`, `read-back`, `booking`, `instead`. */
  pending: z.nullable(z.string()),
  /** The same before our last words: a person who cuts them off still speaks to that. */
  pending_before: z._default(z.nullable(z.string()), null),
  /** How often each item was asked for. */
  attempts: z.record(z.string(), z.int()),
  /** What the last unsure answer leaned to, by item. */
  leaned: z._default(z.record(z.string(), Leaning), {}),
  /** Items whose value was read back, and the one that is to be or just was. */
  read_back: z._default(z.object({ pending: z.nullable(z.string()), done: z.array(z.string()) }), {
    pending: null,
    done: [],
  }),
  /** The moves of the last prompt, in lower case: who says them again was not answered. */
  heard: z._default(z.array(z.string()), []),
  /** Items that are not asked for again. */
  closed: z.array(z.string()),
  /** Questions for facts that were asked before it was clear who asks. */
  owed: z.nullable(z.string()),
  /** How often each topic was asked for that nobody gave us. */
  unknown_asked: z.record(z.string(), z.int()),
  /** Obstacles that were named, and how often. */
  obstacles: z.record(z.string(), z.int()),
  /** How often somebody or something spoke, and in how many words the first time. */
  prompts: z.int(),
  first_words: z.int(),
  /** Times in a row that nobody spoke. */
  silences: z.int(),
  /**
   * Who may speak next: the same person, one who asked for a moment, or anybody after a machine or after being passed
   * on.
   */
  line: z.enum(['open', 'held', 'machine', 'transfer']),
  /** Words that broke off in the middle and go on in the next prompt. */
  unfinished: z.nullable(z.object({ text: z.string(), turn: z.int() })),
  /** Our last words piece by piece, to know what is unsaid when they are cut, and what to repeat. */
  last_words: z.array(SaidPiece),
  menu: MenuMemory,
  scheduling: SchedulingMemory,
});
export type Memory = z.infer<typeof Memory>;

export const emptyMemory: Memory = {
  turns: 0,
  purpose_said: false,
  pending: null,
  pending_before: null,
  attempts: {},
  leaned: {},
  read_back: { pending: null, done: [] },
  heard: [],
  closed: [],
  owed: null,
  unknown_asked: {},
  obstacles: {},
  prompts: 0,
  first_words: 0,
  silences: 0,
  line: 'open',
  unfinished: null,
  last_words: [],
  menu: { choices: [], tried: [], is_answered: false, entries: {} },
  scheduling: {
    day: null,
    turned_down: [],
    chosen: null,
    booked: false,
    read_back: false,
    rounds: 0,
    checks: 0,
  },
};
