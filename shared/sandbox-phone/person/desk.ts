import * as z from 'zod/mini';
import { compilePattern } from './pattern.ts';

export const PatternText = z.string().check(
  z.minLength(1),
  z.refine((text) => isPattern(text), 'is not a pattern'),
);
export const patterns = z._default(z.array(PatternText), []);

function isPattern(text: string): boolean {
  try {
    compilePattern(text);
    return true;
  } catch {
    return false;
  }
}

export const Phrase = z.string().check(z.minLength(1));
export const phrases = z.array(Phrase).check(z.minLength(1));
export const Count = z.int().check(z.gte(0));

/** A fact the person knows; its type says how it is spoken and compared with a report of it. */
export const Fact = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({ money: z.number() }),
  z.strictObject({ percent: z.number() }),
  z.strictObject({ number: z.number() }),
  z.strictObject({ yes: z.boolean() }),
  z.strictObject({ phone: z.string().check(z.regex(/^\+1\d{10}$/)) }),
  /** `#` becomes a digit that differs from call to call. */
  z.strictObject({ identifier: z.string() }),
  z.strictObject({ date: z.iso.date() }),
  /** Relative to the day of the call, so that a persona never goes stale; negative is past. */
  z.strictObject({ days_from_today: z.int() }),
]);
export type Fact = z.infer<typeof Fact>;

/** Something the person asks for before continuing. */
export const Need = z.strictObject({
  slot: z.string(),
  hears: z.enum(['name', 'date', 'identifier', 'choice', 'anything']),
  cues: patterns,
  choices: z._default(z.record(z.string(), z.array(PatternText)), {}),
  ask: phrases,
  /** Said when the value was understood, usually reading it back. */
  heard: z._default(phrases, ['Thank you.']),
  /** The share of calls in which it is asked for. */
  likelihood: z._default(z.number().check(z.gte(0), z.lte(1)), 1),
  /** If the caller does not give it: the person continues without, or ends the call. */
  if_withheld: z._default(z.enum(['go-on', 'refuse']), 'go-on'),
});
export type Need = z.infer<typeof Need>;

/** Something the person can be asked about. */
export const Topic = z.strictObject({
  topic: z.string(),
  asked_by: z.array(PatternText).check(z.minLength(1)),
  says: phrases,
  /** Names of facts that the answer conveys without a placeholder, such as a yes. */
  tells: z._default(z.array(z.string()), []),
  /** Keys that the person presses on their telephone when asked this. */
  presses: z.optional(z.string().check(z.regex(/^[0-9*#]+$/))),
  /** Told to every caller, known or not. */
  is_public: z._default(z.boolean(), false),
  /** The first answer of a vague person (`temper.vague`), such as "It depends." */
  vaguely: z._default(z.array(Phrase), []),
  /** How a client would word a question about this, for the scoreboard's tasks with questions. */
  client_question: z.optional(z.string()),
  /** Name of the fact that answers `client_question`. */
  answered_by: z.optional(z.string()),
});
export type Topic = z.infer<typeof Topic>;

export const Opening = z.strictObject({
  /** Working days (Monday to Friday) from the day of the call. */
  in_working_days: z.int().check(z.gte(1)),
  time: z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/)),
  with: z.string(),
});
export type Opening = z.infer<typeof Opening>;

/** Appointments on offer. `{openings}` lists some, `{booking}` and `{provider}` are the chosen one. */
export const Calendar = z.strictObject({
  openings: z.array(Opening).check(z.minLength(1)),
  offers_at_a_time: z._default(z.int().check(z.gte(1)), 2),
  offer: z._default(phrases, ['I have {openings}. Would one of those work?']),
  offer_others: z._default(phrases, ['I also have {openings}. Would that work?']),
  none_fits: z._default(phrases, ["I don't have anything like that. The closest I have is {openings}."]),
  nothing_else: z._default(phrases, ["I'm sorry, that's all I have."]),
  ask_again: z._default(phrases, ['That would be {openings}. Which one should I take?']),
  booked: z._default(phrases, ["That's booked for {booking} with {provider}."]),
  correct: z._default(phrases, ["Yes, that's right, {booking} with {provider}."]),
  wrong: z._default(phrases, ['No, I have it down for {booking} with {provider}.']),
});
export type Calendar = z.infer<typeof Calendar>;

/** A kind of business: what it is about, what the person must know first, what they can tell. */
export const Desk = z.strictObject({
  desk: z.string(),
  /** Patterns that recognize a caller's business. */
  purpose: patterns,
  /** `at-once`: asks for its needs in the greeting. */
  opens: z._default(z.enum(['when-asked', 'at-once']), 'when-asked'),
  welcome: z._default(z.array(Phrase), []),
  needs: z._default(z.array(Need), []),
  /** Said once all needs are known. */
  ready: z._default(z.array(Phrase), []),
  topics: z._default(z.array(Topic), []),
  calendar: z.optional(Calendar),
  /** This person does not do that business, but transfers callers to a stage of `line` that does. */
  transfer: z.optional(z.strictObject({ says: phrases, to: z.string() })),
});
export type Desk = z.infer<typeof Desk>;
