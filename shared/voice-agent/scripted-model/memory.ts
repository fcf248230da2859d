import * as z from 'zod/mini';
import { RecordedAnswer } from '../dialogue/dialogue-record.ts';
import { Slot } from './slots.ts';

/** One piece of what we said, and what it does. */
export const SaidPiece = z.object({
  text: z.string(),
  fields: z.array(z.string()),
  kind: z.enum(['notice', 'purpose', 'reach', 'other']),
});
export type SaidPiece = z.infer<typeof SaidPiece>;

/** One choice of a telephone menu. `key` is empty when it can only be spoken. */
export const MenuChoice = z.object({ key: z.string(), text: z.string() });
export type MenuChoice = z.infer<typeof MenuChoice>;

/** What the scripted model carries from turn to turn. */
export const Memory = z.object({
  /** Turns taken by the agent; bounds every conversation. */
  turns: z.int(),
  /** The person on the line has heard that an assistant calls and records. */
  notice_heard: z.boolean(),
  /** Why we call has been told to the person on the line. */
  purpose_said: z.boolean(),
  /** It is clear that we speak with the right kind of place; before that, no fact is told. */
  reached: z.boolean(),
  /** How often we asked whom we have reached. */
  reach_asked: z.int(),
  /** Words with questions for facts that wait for the answer to whom we have reached. */
  owed: z.nullable(z.string()),
  /** The item that the last question was about. */
  pending: z.nullable(z.string()),
  /** How often each item was asked for. */
  attempts: z.record(z.string(), z.int()),
  /** Items that are not asked for again. */
  closed: z.array(z.string()),
  /** Items that the person does not know or will not tell, or that were asked for once more in vain. */
  given_up: z.array(z.string()),
  /** Vague answers, to be kept when nothing better comes. */
  guesses: z.array(RecordedAnswer),
  /** The item answered last, for a correction that does not name it. */
  last_answered: z.nullable(z.string()),
  last_said: z.string(),
  /** Facts told last, for "could you spell that?". */
  last_told: z.array(z.string()),
  /** Fields that have been told to the person on the line. */
  told: z.array(z.string()),
  /** How often we were asked for things that nobody told us. */
  unknown_asked: z.record(z.string(), z.int()),
  /** Turns in a row that brought nothing new. */
  stalled: z.int(),
  /** Times that we were asked to repeat in a row. */
  repeats: z.int(),
  /**
   * Who may speak next: the same person, one who asked for a moment, or anybody after a machine or after being passed
   * on.
   */
  line: z.enum(['open', 'held', 'machine', 'transfer']),
  /** The menu that is being read, or was read last. */
  menu: z.object({
    choices: z.array(MenuChoice),
    /** Keys pressed and words said in it. */
    tried: z.array(z.string()),
    /** We have chosen and wait for what comes. */
    is_answered: z.boolean(),
    /** How often a machine asked for the same thing to be keyed in. */
    entries: z.record(z.string(), z.int()),
  }),
  /** Words that broke off in the middle and go on in the next. */
  unfinished: z.nullable(z.object({ text: z.string(), turn: z.int() })),
  /** Our last words piece by piece, to know what is unsaid when they are cut. */
  last_words: z.array(SaidPiece),
  /** How things stood before our last words. */
  before: z.object({
    notice_heard: z.boolean(),
    purpose_said: z.boolean(),
    reach_asked: z.int(),
    told: z.array(z.string()),
    last_told: z.array(z.string()),
  }),
  /** What the person cut off, when nothing else has been said since. */
  cut: z.nullable(z.object({ pieces: z.array(SaidPiece), question: z.boolean() })),
  /** Attempts in a row to lead us away from our task. */
  astray: z.int(),
  /** Items that were asked for again because two different answers had been heard. */
  doubted: z.array(z.string()),
  /** The last figure was read back. */
  read_back: z.boolean(),
  /** Interjections in a row. */
  murmurs: z.int(),
  /** Answers refused in a row. */
  withheld: z.int(),
  /** The person asked for a human being, and was told that there is none. */
  human_wanted: z.boolean(),
  /** Times in a row that nobody spoke. */
  silences: z.int(),
  /** The person wants to speak with the patient or the provider only, and was asked once more. */
  pleaded: z.boolean(),
  /** The person said goodbye and was asked one thing more. */
  held_back: z.boolean(),
  scheduling: z.object({
    /** The day that is being spoken of. */
    day: z.nullable(z.string()),
    /** Days that have been named lately. */
    days: z.array(z.string()),
    /** Slots that do not fit, or are gone. */
    turned_down: z.array(Slot),
    chosen: z.nullable(Slot),
    /** The person has said that the chosen slot is booked. */
    booked: z.boolean(),
    /** The slot was repeated to the person and not contradicted. */
    read_back: z.boolean(),
    /** A visit by video was offered, and one in person asked for. */
    remote_offered: z.boolean(),
    /** A place on a waiting list was offered and taken. */
    waiting_list: z.boolean(),
    /** How often we asked for other times. */
    rounds: z.int(),
    /** How often we asked whether it is booked now. */
    checks: z.int(),
  }),
});
export type Memory = z.infer<typeof Memory>;

export const emptyMemory: Memory = {
  turns: 0,
  notice_heard: false,
  purpose_said: false,
  reached: false,
  reach_asked: 0,
  owed: null,
  pending: null,
  attempts: {},
  closed: [],
  given_up: [],
  guesses: [],
  last_answered: null,
  last_said: '',
  last_told: [],
  told: [],
  unknown_asked: {},
  stalled: 0,
  repeats: 0,
  line: 'open',
  menu: { choices: [], tried: [], is_answered: false, entries: {} },
  unfinished: null,
  last_words: [],
  before: { notice_heard: false, purpose_said: false, reach_asked: 0, told: [], last_told: [] },
  cut: null,
  astray: 0,
  withheld: 0,
  doubted: [],
  read_back: false,
  murmurs: 0,
  human_wanted: false,
  silences: 0,
  pleaded: false,
  held_back: false,
  scheduling: {
    day: null,
    days: [],
    turned_down: [],
    chosen: null,
    booked: false,
    read_back: false,
    remote_offered: false,
    waiting_list: false,
    rounds: 0,
    checks: 0,
  },
};
