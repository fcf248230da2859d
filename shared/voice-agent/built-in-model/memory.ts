import * as z from 'zod/mini';

/** A piece of our words, and its effect. */
export const SaidPiece = z.object({
  text: z.string(),
  /** Facts that it tells. */
  fields: z.array(z.string()),
  kind: z.enum(['notice', 'purpose', 'reach', 'question', 'other']),
});
export type SaidPiece = z.infer<typeof SaidPiece>;

/** A choice in a telephone menu. `key` is empty if it can only be spoken. */
export const MenuChoice = z.object({ key: z.string(), text: z.string() });
export type MenuChoice = z.infer<typeof MenuChoice>;

/** An offered appointment, or part of one: a day without a time, a time without a day. */
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
  /** The day being discussed. */
  day: z.nullable(z.string()),
  turned_down: z.array(Opening),
  chosen: z.nullable(Opening),
  /** The person has confirmed that the chosen opening is booked. */
  booked: z.boolean(),
  /** The time was read back by us, or by them, without contradiction. */
  read_back: z.boolean(),
  /** How often we asked for other times. */
  rounds: z.int(),
  /** How often we asked whether it is booked. */
  checks: z.int(),
});
export type SchedulingMemory = z.infer<typeof SchedulingMemory>;

export const MenuMemory = z.object({
  choices: z.array(MenuChoice),
  /** Keys pressed and words spoken in it. */
  tried: z.array(z.string()),
  /** We have chosen and await the result. */
  is_answered: z.boolean(),
  /** How often a machine asked for the same digits. */
  entries: z.record(z.string(), z.int()),
});
export type MenuMemory = z.infer<typeof MenuMemory>;

/** The likely meaning of an uncertain answer. */
const Leaning = z.object({
  value: z.union([z.boolean(), z.number(), z.string()]),
  answer: z._default(z.string(), ''),
  quote: z.string(),
  turn: z._default(z.int(), 0),
});
export type Leaning = z.infer<typeof Leaning>;

/** The content words of a request, and every topic answered to it, in order. */
const AnsweredRequest = z.object({ words: z.array(z.string()), topics: z.array(z.string()) });
export type AnsweredRequest = z.infer<typeof AnsweredRequest>;

/** The built-in model's state between turns. */
export const Memory = z.object({
  /** Turns taken by the agent; bounds every conversation. */
  turns: z.int(),
  /** The person on the line has heard the reason for the call. */
  purpose_said: z.boolean(),
  /** Its details are still to be told. */
  owes_details: z._default(z.boolean(), false),
  /** The topic of our last question: an item's key, or `reach`, `purpose`, `read-back`, `booking`, `instead`. */
  pending: z.nullable(z.string()),
  /** The same before our last words: a person who interrupts them may still reply to it. */
  pending_before: z._default(z.nullable(z.string()), null),
  /** How often each item was asked. */
  attempts: z.record(z.string(), z.int()),
  /** The likely meaning of the last uncertain answer, by item. */
  leaned: z._default(z.record(z.string(), Leaning), {}),
  /** Items whose value was read back, and the pending or current read-back. */
  read_back: z._default(z.object({ pending: z.nullable(z.string()), done: z.array(z.string()) }), {
    pending: null,
    done: [],
  }),
  /** The moves of the last prompt, in lower case: a person who repeats them was not answered. */
  heard: z._default(z.array(z.string()), []),
  /** The last requests and their answers: a person who repeats a request wants something else. */
  answered: z._default(z.array(AnsweredRequest), []),
  /** Items that are not asked again. */
  closed: z.array(z.string()),
  /** Questions for facts, asked before the speaker was known. */
  owed: z.nullable(z.string()),
  /** How often each topic without a fact was requested. */
  unknown_asked: z.record(z.string(), z.int()),
  /** Named obstacles and their counts. */
  obstacles: z.record(z.string(), z.int()),
  /** How often any speech was heard, and the number of words before the first reply to ours. */
  prompts: z.int(),
  first_words: z.int(),
  /** The turn of the first speech. */
  first_turn: z._default(z.nullable(z.int()), null),
  /** A person has replied to words of ours; until then several prompts may be one recording. */
  has_replied: z._default(z.boolean(), false),
  /** They spoke over our last words. */
  is_cut: z._default(z.boolean(), false),
  /** How often we had spoken when they last did. */
  spoken: z._default(z.int(), 0),
  /** What a recording said of their absence, before it may yet take a message. */
  absence: z._default(z.nullable(z.string()), null),
  /** Consecutive silences. */
  silences: z.int(),
  /**
   * Who may speak next: the same person, a person who asked for a moment, a mailbox that is still greeting, or anyone
   * after a machine or a transfer.
   */
  line: z.enum(['open', 'held', 'mailbox', 'machine', 'transfer']),
  /** Words that broke off and continue in the next prompt. */
  unfinished: z.nullable(z.object({ text: z.string(), turn: z.int() })),
  /** Our last words piece by piece, to know what is unsaid after an interruption, and what to repeat. */
  last_words: z.array(SaidPiece),
  menu: MenuMemory,
  scheduling: SchedulingMemory,
});
export type Memory = z.infer<typeof Memory>;

export const emptyMemory: Memory = {
  turns: 0,
  purpose_said: false,
  owes_details: false,
  pending: null,
  pending_before: null,
  attempts: {},
  leaned: {},
  read_back: { pending: null, done: [] },
  heard: [],
  answered: [],
  closed: [],
  owed: null,
  unknown_asked: {},
  obstacles: {},
  prompts: 0,
  first_words: 0,
  first_turn: null,
  has_replied: false,
  is_cut: false,
  spoken: 0,
  absence: null,
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
