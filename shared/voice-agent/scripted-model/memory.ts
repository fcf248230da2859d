import * as z from 'zod/mini';
import { RecordedAnswer } from '../dialogue-record.ts';
import { Slot } from './slots.ts';

/** What the scripted model carries from turn to turn. */
export const Memory = z.object({
  /** Turns taken by the agent; bounds every conversation. */
  turns: z.int(),
  /** Why we call has been told to the person on the line. */
  purpose_said: z.boolean(),
  /** The item that the last question was about. */
  pending: z.nullable(z.string()),
  /** How often each item was asked for. */
  attempts: z.record(z.string(), z.int()),
  /** Items that are not asked for again. */
  closed: z.array(z.string()),
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
  /** The person is passing us on to somebody else. */
  transferring: z.boolean(),
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
    /** How often we asked for other times. */
    rounds: z.int(),
    /** How often we asked whether it is booked now. */
    checks: z.int(),
  }),
});
export type Memory = z.infer<typeof Memory>;

export const emptyMemory: Memory = {
  turns: 0,
  purpose_said: false,
  pending: null,
  attempts: {},
  closed: [],
  guesses: [],
  last_answered: null,
  last_said: '',
  last_told: [],
  told: [],
  unknown_asked: {},
  stalled: 0,
  repeats: 0,
  transferring: false,
  pleaded: false,
  held_back: false,
  scheduling: {
    day: null,
    days: [],
    turned_down: [],
    chosen: null,
    booked: false,
    read_back: false,
    rounds: 0,
    checks: 0,
  },
};
