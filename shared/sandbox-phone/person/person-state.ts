import type { Voice } from '../sound/synthesizer.ts';
import type { AppointmentBook } from './appointment.ts';
import type { Stage } from './person-file.ts';

/** The person's memory of the call. Plain data, for inspection after the call. */
export interface PersonState {
  /** The business that the call is about; null until it is clear. */
  readonly desk: string | null;
  /** What the caller told, by slot, as the person would read it back. */
  readonly said: Readonly<Record<string, string>>;
  /** Slots that need no more asking: given, withheld or abandoned. */
  readonly settled: readonly string[];
  /** The slot that was asked for last and is still open. */
  readonly asking: string | null;
  /** Topics that were asked about before the person knew enough to answer. */
  readonly pending: readonly string[];
  readonly answered: readonly string[];
  /** Topics that the last words answered. */
  readonly lastAnswered: readonly string[];
  readonly appointment: AppointmentBook;
  /** Facts that were told, by name: the truth that a report of this call can be compared with. */
  readonly told: readonly string[];
  /** The last thing said that a listener might want repeated. */
  readonly lastSaid: string | null;
  /** Their last reply was that they do not know. */
  readonly knewNothing: boolean;
  readonly silences: number;
  readonly misunderstandings: number;
  readonly askedAnythingElse: boolean;
  readonly refusals: number;
  readonly saidGoodbye: boolean;
  /** How often each occasion to speak came up. */
  readonly occasions: Readonly<Record<string, number>>;
  /** How often the caller has spoken to this person; what the person cut short does not count. */
  readonly callerTurns: number;
  /** How often the person has spoken into the caller's words. */
  readonly cuts: number;
  /** The caller's words awaiting a reaction, because the person said something of their own first. */
  readonly unanswered: {
    readonly text: string;
    readonly because: 'cut' | 'aside';
  } | null;
  /** Topics that were only answered vaguely so far. */
  readonly vagueAbout: readonly string[];
  /** A wrong value to be corrected with the next words. */
  readonly correction: { readonly says: string; readonly fact: string } | null;
  /** Why the person will not talk business, and how often they have spoken about that. */
  readonly rebuff: { readonly why: 'machine' | 'wrong-number' | 'later'; readonly steps: number } | null;
  /** Where on the line the caller is: a stage of the file, or `person`. */
  readonly stage: string;
  /** How far the caller has come with a machine. */
  readonly machine: MachineState;
  /** What was keyed in, by slot; it goes along when the caller is put through. */
  readonly keyedIn: Readonly<Record<string, string>>;
  /** What happens after the reaction's waiting time. */
  readonly awaiting: Awaiting | null;
  /** The appointment given, by any person. */
  readonly booking: { readonly moment: string; readonly with: string } | null;
  /** The transcript so far, including everyone who picked up. Persons do not act on it. */
  readonly exchanges: readonly Exchange[];
}

/** One reaction of the other end, for judging a conversation afterwards. */
export interface Exchange {
  /** Where on the line it was. */
  readonly stage: string;
  readonly isHuman: boolean;
  /** The caller's words that were reacted to; null for a silence, keys, or the time that has passed. */
  readonly heard: string | null;
  /** Whether the rest of these words was cut short. */
  readonly wasCut: boolean;
  /** What was said, as the caller's recognizer transcribes it. */
  readonly says: readonly string[];
  /** The occasions that these words were chosen for: `topic copay`, `ask date_of_birth`, `do not know`. */
  readonly about: readonly string[];
}

export interface MachineState {
  readonly readings: number;
  readonly digits: string;
  /** Of a hold, or of the longest message that a mailbox takes. */
  readonly leftMs: number;
  readonly announcements: number;
}

/** What a person is about to say: the words in parts, and how the call goes on after them. */
export interface Reply {
  readonly says: readonly string[];
  readonly presses: string | null;
  readonly hangsUp: boolean;
  /** The stage that the caller is put through to. */
  readonly putsThrough: string | null;
}

type Awaiting =
  /** Somebody picks up. */
  | { readonly kind: 'arrival' }
  | { readonly kind: 'hold' }
  /** An answer that is ready and comes only after a while, with what the person knows then. */
  | { readonly kind: 'answer'; readonly state: PersonState; readonly reply: Reply };

/**
 * What happens on the line.
 * - `heard`: the caller spoke and is done. `wasCut`: the person spoke into it (`bargesIn`), and this is what was heard
 *   until then, word for word as the interrupt frame gives it.
 * - `keys`: the caller pressed keys; several that come together are one event. Pauses (`w`) are left out.
 * - `silence`: nothing was heard for the reaction's `silenceMs`.
 * - `time`: the reaction's `waitsMs` has passed.
 */
export type PersonEvent =
  | { readonly kind: 'picked-up' }
  | { readonly kind: 'heard'; readonly text: string; readonly wasCut?: boolean }
  | { readonly kind: 'keys'; readonly digits: string }
  | { readonly kind: 'silence' }
  | { readonly kind: 'time' };

/** Something said in one breath; each becomes its own prompt frame. */
export interface Utterance {
  /** The words for the synthesizer, with marks where the speaker pauses (`person/phrase.ts`). */
  readonly spoken: string;
  /** The recognizer's transcript, which the prompt frame carries. */
  readonly transcribed: string;
  readonly voice: Voice;
}

/** What the other end does next, in this order: speak, press keys, beep, and hang up, wait or listen. */
export interface Reaction {
  readonly state: PersonState;
  /** What is said, one after the other; nothing keeps listening in silence. */
  readonly utterances: readonly Utterance[];
  /**
   * Whether a key of the caller's stops what is being said (a menu): the rest of the utterances is dropped and `keys`
   * is delivered at once. Without it keys wait until all is said.
   */
  readonly isCutByKeys: boolean;
  /** Keys pressed after that. */
  readonly presses: string | null;
  /** Whether the tone of a voicemail sounds after that. */
  readonly beeps: boolean;
  /** Whether the line is hung up after that. */
  readonly hangsUp: boolean;
  /**
   * Natural time to let pass before the event `time`, or null to listen. Meanwhile nobody listens: what the caller says
   * or keys is spoken on the line and takes its time, but is no event.
   */
  readonly waitsMs: number | null;
  /** What sounds on the line while `waitsMs` passes. */
  readonly waitsWith: 'silence' | Extract<Stage, { kind: 'hold' }>['sound'];
  /**
   * The person will speak into the caller's next utterance when this many words of it (at least 1) were heard, if it
   * has more. The line then sends the interrupt frame with these words and delivers them as `heard` with `wasCut`.
   */
  readonly bargesIn: { readonly afterWords: number } | null;
  /** Natural time of silence before the event `silence`, when it listens. */
  readonly silenceMs: number;
}

/** Says nothing and listens. */
export function listening(state: PersonState, silenceMs: number): Reaction {
  return {
    state,
    utterances: [],
    isCutByKeys: false,
    presses: null,
    beeps: false,
    hangsUp: false,
    waitsMs: null,
    waitsWith: 'silence',
    bargesIn: null,
    silenceMs,
  };
}

export const newPerson: PersonState = {
  desk: null,
  said: {},
  settled: [],
  asking: null,
  pending: [],
  answered: [],
  lastAnswered: [],
  appointment: { wanted: false, preference: null, offered: [], open: [], booked: null },
  told: [],
  lastSaid: null,
  knewNothing: false,
  silences: 0,
  misunderstandings: 0,
  askedAnythingElse: false,
  refusals: 0,
  saidGoodbye: false,
  occasions: {},
  callerTurns: 0,
  cuts: 0,
  unanswered: null,
  vagueAbout: [],
  correction: null,
  rebuff: null,
  stage: 'person',
  machine: { readings: 0, digits: '', leftMs: 0, announcements: 0 },
  keyedIn: {},
  awaiting: null,
  booking: null,
  exchanges: [],
};
