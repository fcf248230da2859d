import type { RecordedAnswer } from '../dialogue/dialogue-record.ts';
import { clockTime, spokenDay, spokenTime, writtenDay, writtenTime } from '../language/calendar.ts';
import { spelledIdentifier } from '../language/speech.ts';
import type { Opening } from './memory.ts';
import { askNext, sayQuestion } from './questions.ts';
import type { TurnDraft } from './turn-draft.ts';
import { phraseInTurn } from './wording.ts';

/** How often we ask whether it is booked. */
const maxChecks = 3;

/** An opening with its day and time. */
export type ExactOpening = Opening & { readonly day: string; readonly minutes: number };

export function isExact<Some extends Opening>(opening: Some): opening is Some & ExactOpening {
  return opening.day !== null && opening.minutes !== null;
}

/** "Tuesday, November 24 at 10:30 AM with Dr. Okafor" */
export function spokenOpening(
  { day, minutes, provider }: Opening,
  today: string,
  withProvider = false,
): string {
  const parts = [day === null ? '' : spokenDay(day, today), minutes === null ? '' : spokenTime(minutes)];
  const when = parts.filter((part) => part !== '').join(' at ');
  return withProvider && provider !== null ? `${when} with ${provider}` : when;
}

/** Key in `attempts` of an appointment whose day never became certain. */
const unsure = 'unsure-time';

/** Takes an opening: says it in full to expose a misunderstanding, and asks to book it. */
export function choose(
  draft: TurnDraft,
  opening: ExactOpening,
  { isBooked = false, isUnsure = false } = {},
): void {
  const { memory, plan, today } = draft;
  memory.scheduling.chosen = stored(opening);
  memory.scheduling.day = opening.day;
  memory.scheduling.read_back = false;
  memory.scheduling.checks = 0;
  memory.attempts[unsure] = isUnsure ? 1 : 0;
  memory.pending = 'booking';
  recordTime(draft, opening);
  const request = plan.is_rescheduling ? 'Please move the appointment to that time.' : 'Please book that.';
  draft.say(`${spokenOpening(opening, today, true)} works.${isBooked ? '' : ` ${request}`}`);
}

/** The remembered part of an opening. */
export function stored({ day, minutes, provider, quote, turn }: Opening): Opening {
  return { day, minutes, provider, quote, turn };
}

/** Stores the agreed time; without a value while the day is uncertain. */
export function recordTime(draft: TurnDraft, { day, minutes, provider, quote, turn }: ExactOpening): void {
  const needs_review = (draft.memory.attempts[unsure] ?? 0) > 0;
  const value = needs_review ? null : `${day}T${clockTime(minutes)}`;
  const answer = `${writtenDay(day)} at ${writtenTime(minutes)}`;
  const known = draft.answers.get('appointment_time');
  const isKnown = known?.answer === answer && known.needs_review === needs_review;
  if (!isKnown) draft.record({ key: 'appointment_time', answer, value, quote, turn, needs_review });
  if (provider === null || draft.item('provider_name') === undefined) return;
  if (draft.answers.get('provider_name')?.value === provider) return;
  draft.record({ key: 'provider_name', answer: provider, value: provider, quote, turn, needs_review: false });
}

/** Withdraws the record of an opening. */
export function dropChoice(draft: TurnDraft): void {
  const { scheduling } = draft.memory;
  for (const key of ['appointment_time', 'provider_name', 'booking_confirmed', 'confirmation_number'])
    draft.retract(key);
  scheduling.chosen = null;
  scheduling.booked = false;
  scheduling.read_back = false;
}

interface Confirmation {
  readonly quote: string;
  readonly turn: number;
  /** The time was repeated in the same words, which confirms it. */
  readonly isRestated: boolean;
  readonly isConditional?: boolean;
}

/** Booked: recorded with the confirming words. */
export function book(draft: TurnDraft, opening: ExactOpening, confirmation: Confirmation): void {
  const { scheduling, attempts } = draft.memory;
  const { quote, turn, isRestated, isConditional = false } = confirmation;
  scheduling.chosen = stored(opening);
  scheduling.booked = true;
  scheduling.read_back ||= isRestated;
  draft.memory.pending = null;
  if (isRestated) attempts[unsure] = 0;
  recordTime(draft, opening);
  const confirmed: Omit<RecordedAnswer, 'value'> = {
    key: 'booking_confirmed',
    answer: 'Yes',
    quote,
    turn,
    needs_review: isConditional,
  };
  draft.record({ ...confirmed, value: isConditional ? null : true });
  if (isConditional) draft.followUp(`The appointment was booked under a condition: "${quote}"`);
}

/**
 * Asks whether it is booked, rephrased each time, and finally gives up.
 *
 * @param isDenied they have just said that it is not booked yet
 */
export function checkBooking(draft: TurnDraft, opening: Opening, isDenied = false): void {
  const { scheduling } = draft.memory;
  const when = spokenOpening(opening, draft.today);
  const questions = [
    `Is the appointment on ${when} booked now?`,
    `Is ${when} in your schedule for the patient?`,
    `Can you tell me whether the patient is booked for ${when}, yes or no?`,
  ];
  const question = questions[scheduling.checks];
  scheduling.checks += 1;
  if (question === undefined || scheduling.checks > maxChecks) {
    draft.followUp(`${when} was offered and asked for, but nobody said that it is booked.`);
    draft.end('gave-up', 'follow-up');
    return;
  }
  draft.say(isDenied ? `Could you book ${when} now, please?` : question, { kind: 'question' });
  draft.memory.pending = 'booking';
}

/**
 * After the booking: the number, what to bring, a read-back of the time if not repeated since, and the other
 * items.
 */
export function settleBooking(draft: TurnDraft): void {
  const { memory, today } = draft;
  const { scheduling, attempts } = memory;
  const next = draft
    .openItems()
    .find(({ key, kind }) => ownItems.includes(key) && (attempts[key] ?? 0) < (kind === 'text' ? 2 : 1));
  if (next !== undefined) {
    const leadIn = draft.hasSpoken ? '' : phraseInTurn('acknowledge', memory.turns);
    const asked = attempts[next.key] ?? 0;
    attempts[next.key] = asked + 1;
    memory.pending = next.key;
    if (!sayQuestion(draft, next, asked, leadIn)) settleBooking(draft);
    return;
  }
  if (!scheduling.read_back && scheduling.chosen !== null) {
    const number = draft.answers.get('confirmation_number');
    const read = number === undefined ? '' : `, confirmation number ${spelledIdentifier(number.answer)}`;
    draft.say(
      `Let me read that back: ${spokenOpening(scheduling.chosen, today, true)}${read}. Is that right?`,
      { kind: 'question' },
    );
    memory.pending = 'read-back';
    // Once is enough, whatever the reply.
    scheduling.read_back = true;
    return;
  }
  for (const key of scheduledKeys) if (!memory.closed.includes(key)) memory.closed.push(key);
  askNext(draft);
}

/** Asked after every booking. */
export const ownItems = ['confirmation_number', 'instructions', 'provider_name'];
/** Not asked by their own questions after a booking. */
const scheduledKeys = ['appointment_time', 'booking_confirmed', ...ownItems];
