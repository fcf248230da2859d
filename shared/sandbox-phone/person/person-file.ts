import * as z from 'zod/mini';
import { voices } from '../sound/synthesizer.ts';
import { amdVerdicts } from '../wire.ts';
import { Count, Desk, Fact, PatternText, Phrase, phrases, Topic } from './desk.ts';
import { momentStyles } from './moment.ts';

/*
 * The shape of a person's file: what they know, what they ask for, how they talk. Everybody is played by the same
 * engine, so a new person is a new file and no code.
 *
 * Words in two small languages occur in it:
 * - a *pattern* recognizes what the caller means (`person/pattern.ts`): `office hours`, `when ... open`, `deduct*`;
 * - a *phrase* is something to say, with `{placeholders}` for what the person knows (`{copay}`), for what the caller
 *   told them (`{said.member_id}`) and for `{name}`, `{business}` and `{pause}` (a moment of looking something up).
 *   `{copay:spelled}` says a value character by character. A phrase with a placeholder that has no value yet is not
 *   used. Of several phrases each call uses another, chosen by its seed.
 */

/** Words by which everyone understands what a caller wants. */
const DefaultPatterns = z.strictObject({
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
  more_precisely: z.array(PatternText),
  third_choice: z.array(PatternText),
  spell: z.array(PatternText),
  machine: z.array(PatternText),
  apology: z.array(PatternText),
});

/** Default manners on the phone; `people/manners.json` applies to all. */
export const Defaults = z.strictObject({
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
  /** `{answer}` is what they have said twice already. */
  asked_before: phrases,
  asked_too_often: phrases,
  confirms: phrases,
  corrects: phrases,
  denies: phrases,
  anything_else: phrases,
  noted: phrases,
  nothing_booked: phrases,
  with_whom: phrases,
  goodbye: phrases,
  present: phrases,
  topics: z.array(Topic),
  patterns: DefaultPatterns,
});
export type Defaults = z.infer<typeof Defaults>;

/** Network behavior where the carrier's documentation is silent; the service must cope with each value. */
export const NetworkHabits = z.strictObject({
  /** The `completed` recording callback is unordered relative to the final status callback; it may also never come. */
  recording_callback: z._default(z.enum(['after-final', 'before-final', 'never']), 'after-final'),
  recording_callback_delay_ms: z._default(Count, 2000),
  /** Whether speech that was still queued when the app sent `end` is heard. */
  end_flushes_speech: z._default(z.boolean(), false),
  /** The verdict of answering-machine detection may come after the call, and like every callback not at all. */
  amd_callback: z._default(z.enum(['in-call', 'after-final', 'never']), 'in-call'),
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

/** The endings of a structured result. The phone knows nothing of the service; a test holds the two lists together. */
export const ResultEnding = z.enum([
  'finished',
  'declined',
  'refused',
  'opted-out',
  'wrong-number',
  'call-again',
  'voicemail',
  'no-speech',
  'gave-up',
  'hung-up',
]);

/** What the scoreboard may expect of calls to this person. */
export const Evaluation = z.strictObject({
  /** What is difficult about the person, such as `spoken-correction`; the scoreboard has a line for each class. */
  classes: z._default(z.array(z.string()), []),
  /** Tasks that fit; without it, those that the desks can serve. Empty: none. */
  tasks: z.optional(
    z.array(
      z.strictObject({
        task_type: z.enum(['SCHEDULE_APPOINTMENT', 'VERIFY_INSURANCE', 'REIMBURSEMENT', 'CUSTOM_TASK']),
        /** Members that replace those of the usual `task_data` of that type. */
        task_data: z._default(z.record(z.string(), z.unknown()), {}),
        task: z.optional(z.string()),
      }),
    ),
  ),
  /** Whether this person lets the caller reach the task's goal. */
  goal: z._default(z.enum(['reachable', 'unreachable']), 'reachable'),
  /** How a call without a reachable goal ought to end, in the words of the structured result (`ending`). */
  ending: z.optional(ResultEnding),
  /**
   * Which fact answers an item of the result that has another name: `{ "pre_authorization":
   * "authorization_required" }`.
   */
  reports: z._default(z.record(z.string(), z.string()), {}),
});
export type Evaluation = z.infer<typeof Evaluation>;

const Chance = z.number().check(z.gte(0), z.lte(1));
/** Shortest and longest, in natural milliseconds. */
const Duration = z.tuple([Count, Count]);

/** Behavior beyond good manners. Off unless given; the seed decides whether it occurs in a call. */
export const Traits = z.strictObject({
  /** Interrupts the caller after some words; those words were heard. */
  interrupts: z.optional(
    z.strictObject({
      likelihood: Chance,
      after_words: z.tuple([Count, Count]),
      at_most: z._default(Count, 2),
      /** Without phrases the person reacts to what they heard so far. */
      says: z._default(z.array(Phrase), []),
    }),
  ),
  /** Asks the caller to repeat. */
  asks_to_repeat: z.optional(
    z.strictObject({ likelihood: Chance, at_most: z._default(Count, 1), says: phrases }),
  ),
  /** Likelihood of answering a topic that has `vaguely` with that, the first time. */
  vague: z._default(Chance, 0),
  /** Needs a moment before an answer, is silent for a while, and returns with it. */
  looks_up: z.optional(
    z.strictObject({
      likelihood: Chance,
      says: phrases,
      ms: Duration,
      back: z._default(z.array(Phrase), []),
    }),
  ),
  /** Breaks an answer of several sentences into utterances of their own. */
  speaks_in_parts: z._default(Chance, 0),
  /**
   * Says something of their own before reacting, once each: small talk, a doubt about machines, an attempt to lead the
   * caller away from its task. `at_turn` counts the caller's turns from 1. With `waits` the reaction to what the caller
   * said comes only after they have answered this.
   */
  asides: z._default(
    z.array(
      z.strictObject({
        at_turn: z.int().check(z.gte(1)),
        says: phrases,
        waits: z._default(z.boolean(), true),
      }),
    ),
    [],
  ),
  /** Says a wrong value of a fact first, and corrects it at once or with the next answer. */
  misspeaks: z.optional(
    z.strictObject({
      /** Name of the fact. */
      fact: z.string(),
      /** What they say instead of its value, such as "$45". */
      instead: z.string(),
      /** `{right}` is the value as it is: "Sorry, I misread that. The copay is {right}." */
      corrects: phrases,
      when: z._default(z.enum(['same-turn', 'next-turn']), 'same-turn'),
    }),
  ),
  /** Refuses to speak with machines: says so once it is clear, and hangs up if the caller persists. */
  refuses_machines: z.optional(z.strictObject({ says: phrases, hangs_up: z._default(z.boolean(), true) })),
  /**
   * Somebody else's number: says so when the caller has told what it is about, after the questions of
   * `first`, one after the other.
   */
  wrong_number: z.optional(z.strictObject({ first: z._default(z.array(Phrase), []), says: phrases })),
  /** Wants to be called at another time: says so when the caller has told what it is about. */
  call_later: z.optional(z.strictObject({ says: phrases })),
  /** Hangs up abruptly after the caller has spoken this often. */
  hangs_up_after: z.optional(z.int().check(z.gte(1))),
  /** Stays silent at this turn of the caller's, for so long. */
  falls_silent: z.optional(z.strictObject({ at_turn: z.int().check(z.gte(1)), ms: Duration })),
});
export type Traits = z.infer<typeof Traits>;

/** Without it a mailbox speaks with the person's voice and any other machine with another. */
const machineVoice = z.optional(z.enum(voices));

/**
 * What a caller may meet besides the person. Stages refer to one another by name: a stage of this line, `person` (the
 * file's person) or `hang-up`.
 */
export const Stage = z.discriminatedUnion('kind', [
  /** A machine that reads a menu and wants a key. */
  z.strictObject({
    kind: z.literal('menu'),
    voice: machineVoice,
    says: phrases,
    /** Read with a pause after each sentence, so that each reaches the caller as words of its own. */
    in_parts: z._default(z.boolean(), false),
    /** By key: `0`-`9`, `*`, `#`. */
    choices: z.record(z.string().check(z.regex(/^[0-9*#]$/)), z.strictObject({ to: z.string() })),
    /** What may be said instead of a key, by key. */
    spoken: z._default(z.record(z.string(), z.array(PatternText)), {}),
    not_understood: z._default(phrases, ['Sorry, I did not get that.']),
    /** How often the menu is read before it goes on to `otherwise`. */
    readings: z._default(z.int().check(z.gte(1)), 3),
    otherwise: z._default(z.string(), 'hang-up'),
    /** How long it waits for a key after it has read the menu. */
    waits_ms: z._default(Count, 5000),
  }),
  /** A machine that wants something keyed in or said, such as a member ID. */
  z.strictObject({
    kind: z.literal('entry'),
    voice: machineVoice,
    says: phrases,
    /**
     * What the keyed digits must look like, without a closing `#`: `########` or a regular expression. Spoken
     * digits count as well.
     */
    digits: z.string(),
    /** Name under which the digits are kept, as for a need (`{said.member_id}`). */
    slot: z.string(),
    to: z.string(),
    not_understood: z._default(phrases, ['Sorry, I did not get that.']),
    readings: z._default(z.int().check(z.gte(1)), 3),
    otherwise: z._default(z.string(), 'hang-up'),
    waits_ms: z._default(Count, 6000),
  }),
  /** Music or fax tone, with an announcement at the start and occasionally; no one listens. */
  z.strictObject({
    kind: z.literal('hold'),
    sound: z._default(z.enum(['music', 'fax-tone']), 'music'),
    voice: machineVoice,
    ms: Duration,
    announcements: z._default(z.array(Phrase), []),
    every_ms: z._default(z.int().check(z.gte(1000)), 20_000),
    to: z.string(),
  }),
  /** Greets, beeps, takes a message until nothing is heard, and hangs up. */
  z.strictObject({
    kind: z.literal('voicemail'),
    voice: machineVoice,
    greeting: phrases,
    /** Greets with a pause after each sentence, so that each reaches the caller as words of its own. */
    in_parts: z._default(z.boolean(), true),
    longest_ms: z._default(Count, 60_000),
  }),
  /** Another person who picks up. Defaults to the file's person. */
  z.strictObject({
    kind: z.literal('person'),
    name: z.string(),
    business: z.optional(z.string()),
    voice: z.optional(z.enum(voices)),
    greeting: phrases,
    knows: z._default(z.record(z.string(), Fact), {}),
    get desks() {
      return z._default(DeskList, []);
    },
    temper: z.prefault(Traits, {}),
  }),
]);
export type Stage = z.infer<typeof Stage>;

const Reach = z.enum(['answers', 'voicemail', 'busy', 'no-answer', 'not-in-service']);
export type Reach = z.infer<typeof Reach>;

/** A desk of their own, or one that another person's file describes. */
const DeskList = z.array(z.union([Desk, z.strictObject({ borrowed_from: z.string() })]));

export const PersonaFile = z.strictObject({
  id: z.string().check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)),
  /** One sentence for the reader. */
  about: z.string(),
  /** Numbers this person answers; `*` is every number that nobody else has. */
  numbers: z.array(z.string()),
  /** How it goes when they are called; several are taken in turn, one each call, and then from the first again. */
  reach: z._default(z.union([Reach, z.array(Reach).check(z.minLength(1))]), 'answers'),
  /**
   * What answering-machine detection makes of the call. Without it a machine is one, whatever it is for, somebody who
   * speaks first is human, and somebody who does not is unknown.
   */
  amd: z.optional(z.enum(amdVerdicts)),
  name: z.string(),
  business: z.string(),
  voice: z.enum(voices),
  /** Shortest and longest time until the call is picked up. */
  ring_ms: z._default(z.tuple([Count, Count]), [3000, 9000]),
  /** Ways to say an appointment; one is chosen by the seed. */
  moment_styles: z._default(z.array(z.enum(momentStyles)).check(z.minLength(1)), ['long', 'short']),
  greeting: z._default(z.array(Phrase), []),
  /**
   * Facts by name; they replace those that come with a borrowed desk. Named as the result's items are, they
   * are compared by the scoreboard.
   */
  knows: z._default(z.record(z.string(), Fact), {}),
  desks: z._default(DeskList, []),
  manners: z._default(
    z.extend(z.partial(Defaults), { patterns: z.optional(z.partial(DefaultPatterns)) }),
    {},
  ),
  temper: z.prefault(Traits, {}),
  /** What a caller meets before this person, or when put through. Without it the person picks up. */
  line: z.optional(
    z.strictObject({ first: z._default(z.string(), 'person'), stages: z.record(z.string(), Stage) }),
  ),
  /** How the words reach the caller: as written, or as some recognizers give them, lower case without punctuation. */
  transcription: z._default(z.enum(['written', 'plain']), 'written'),
  /** How amounts, numbers and identifiers are written in the transcription. */
  numbers_as: z._default(z.enum(['digits', 'words']), 'digits'),
  evaluation: z.prefault(Evaluation, {}),
  network: z.prefault(NetworkHabits, {}),
});
export type PersonaFile = z.infer<typeof PersonaFile>;
