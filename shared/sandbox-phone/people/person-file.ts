import * as z from 'zod/mini';
import { momentStyles } from '../person/moment.ts';
import { compilePattern } from '../person/pattern.ts';
import { voices } from '../sound/synthesizer.ts';

/*
 * The shape of a person's file: what they know, what they ask for, how they talk. Everybody is played by the same
 * engine, so a new person is a new file and no code.
 *
 * Words in two small languages occur in it:
 * - a *pattern* recognises what the caller means (`person/pattern.ts`): `office hours`, `when ... open`, `deduct*`;
 * - a *phrase* is something to say, with `{placeholders}` for what the person knows (`{copay}`), for what the caller
 *   told them (`{said.member_id}`) and for `{name}`, `{business}` and `{pause}` (a moment of looking something up).
 *   `{copay:spelled}` says a value character by character. A phrase with a placeholder that has no value yet is not
 *   used. Of several phrases each call uses another, chosen by its seed.
 */

const PatternText = z.string().check(
  z.minLength(1),
  z.refine((text) => isPattern(text), 'is not a pattern'),
);
const patterns = z._default(z.array(PatternText), []);

function isPattern(text: string): boolean {
  try {
    compilePattern(text);
    return true;
  } catch {
    return false;
  }
}

const Phrase = z.string().check(z.minLength(1));
const phrases = z.array(Phrase).check(z.minLength(1));
const Count = z.int().check(z.gte(0));

/** A fact as the person knows it; its type says how it is spoken and how a report of it can be compared with it. */
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
  /** Relative to the day of the call, so that a file never grows old; negative is past. */
  z.strictObject({ days_from_today: z.int() }),
]);
export type Fact = z.infer<typeof Fact>;

/** Something the person asks for before they go on. */
export const Need = z.strictObject({
  slot: z.string(),
  hears: z.enum(['name', 'date', 'identifier', 'choice', 'anything']),
  cues: patterns,
  choices: z._default(z.record(z.string(), z.array(PatternText)), {}),
  ask: phrases,
  /** Said when the value was understood, usually reading it back. */
  heard: z._default(phrases, ['Thank you.']),
  /** In which share of calls it is asked for at all. */
  likelihood: z._default(z.number().check(z.gte(0), z.lte(1)), 1),
  /** What happens when the caller does not give it: the person does without, or ends the call. */
  if_withheld: z._default(z.enum(['go-on', 'refuse']), 'go-on'),
});
export type Need = z.infer<typeof Need>;

/** Something the person can be asked about. */
export const Topic = z.strictObject({
  topic: z.string(),
  asked_by: z.array(PatternText).check(z.minLength(1)),
  says: phrases,
  /** Names of facts that the answer tells without a placeholder, such as a yes. */
  tells: z._default(z.array(z.string()), []),
  /** Keys that the person presses on their telephone when asked this. */
  presses: z.optional(z.string().check(z.regex(/^[0-9*#]+$/))),
  /** Told to anybody, without knowing who calls. */
  is_public: z._default(z.boolean(), false),
});
export type Topic = z.infer<typeof Topic>;

export const Opening = z.strictObject({
  /** Working days (Monday to Friday) from the day of the call. */
  in_working_days: z.int().check(z.gte(1)),
  time: z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/)),
  with: z.string(),
});
export type Opening = z.infer<typeof Opening>;

/** Appointments that can be given away. `{openings}` lists some, `{booking}` and `{provider}` are the chosen one. */
export const Calendar = z.strictObject({
  openings: z.array(Opening).check(z.minLength(1)),
  offers_at_a_time: z.int().check(z.gte(1)),
  offer: phrases,
  offer_others: phrases,
  none_fits: phrases,
  ask_again: phrases,
  booked: phrases,
  correct: phrases,
  wrong: phrases,
});
export type Calendar = z.infer<typeof Calendar>;

/** A kind of business the person does: what it is about, what they must know first, what they can tell. */
export const Desk = z.strictObject({
  desk: z.string(),
  /** Words by which a caller's business is recognised. */
  purpose: patterns,
  /** `at-once`: asks for its needs in the greeting. */
  opens: z._default(z.enum(['when-asked', 'at-once']), 'when-asked'),
  welcome: z._default(z.array(Phrase), []),
  needs: z._default(z.array(Need), []),
  /** Said when all is known that must be known. */
  ready: z._default(z.array(Phrase), []),
  topics: z._default(z.array(Topic), []),
  calendar: z.optional(Calendar),
});
export type Desk = z.infer<typeof Desk>;

/** How anybody behaves on the telephone; `people/manners.json` is the default for all. */
export const Manners = z.strictObject({
  silence_ms: Count,
  reaction_ms: z.tuple([Count, Count]),
  pause_ms: z.tuple([Count, Count]),
  how_can_i_help: phrases,
  still_there: phrases,
  giving_up: phrases,
  say_again: phrases,
  do_not_know: phrases,
  without_it: phrases,
  refuses: phrases,
  repeating: phrases,
  confirms: phrases,
  anything_else: phrases,
  noted: phrases,
  goodbye: phrases,
  present: phrases,
  topics: z.array(Topic),
  patterns: z.strictObject({
    farewell: z.array(PatternText),
    nothing_more: z.array(PatternText),
    repeat: z.array(PatternText),
    still_there: z.array(PatternText),
    yes: z.array(PatternText),
    no: z.array(PatternText),
    withheld: z.array(PatternText),
    wait: z.array(PatternText),
    thanks: z.array(PatternText),
    other_times: z.array(PatternText),
    any_time: z.array(PatternText),
    first_choice: z.array(PatternText),
    second_choice: z.array(PatternText),
  }),
});
export type Manners = z.infer<typeof Manners>;

/**
 * What the simulated network does where the carrier's documentation is silent; the service must cope with each value.
 */
export const NetworkHabits = z.strictObject({
  /** The `completed` recording callback is unordered relative to the final status callback; it may also never come. */
  recording_callback: z._default(z.enum(['after-final', 'before-final', 'never']), 'after-final'),
  recording_callback_delay_ms: z._default(Count, 2000),
  /** Whether speech that was still queued when the app sent `end` is heard. */
  end_flushes_speech: z._default(z.boolean(), false),
  /** Close code of the relay's socket when the person hangs up. */
  close_code_on_hang_up: z._default(z.int(), 1000),
  /** Final status of a call whose relay failed and whose action document ended it. */
  final_status_after_relay_failure: z._default(z.enum(['completed', 'failed']), 'completed'),
  /** Words in `setup`. */
  setup_direction: z._default(z.string(), 'outbound-api'),
  setup_call_status: z._default(z.string(), 'IN-PROGRESS'),
  /** Whether the relay's URL is signed with a slash at its end that the document does not have. */
  signs_trailing_slash: z._default(z.boolean(), false),
});
export type NetworkHabits = z.infer<typeof NetworkHabits>;

const Reach = z.enum(['answers', 'voicemail', 'busy', 'no-answer', 'not-in-service']);

export const PersonFile = z.strictObject({
  id: z.string().check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)),
  /** One sentence for the reader. */
  about: z.string(),
  /** Numbers this person answers; `*` is every number that nobody else has. */
  numbers: z.array(z.string()),
  reach: z._default(Reach, 'answers'),
  name: z.string(),
  business: z.string(),
  voice: z.enum(voices),
  /** Shortest and longest time until the call is picked up. */
  ring_ms: z._default(z.tuple([Count, Count]), [3000, 9000]),
  /** Ways to say an appointment; one is chosen by the seed. */
  moment_styles: z._default(z.array(z.enum(momentStyles)).check(z.minLength(1)), ['long', 'short']),
  greeting: z._default(z.array(Phrase), []),
  knows: z._default(z.record(z.string(), Fact), {}),
  /** A desk of their own, or one that another person's file describes. */
  desks: z._default(z.array(z.union([Desk, z.strictObject({ borrowed_from: z.string() })])), []),
  manners: z._default(z.partial(Manners), {}),
  network: z.prefault(NetworkHabits, {}),
});
export type PersonFile = z.infer<typeof PersonFile>;
