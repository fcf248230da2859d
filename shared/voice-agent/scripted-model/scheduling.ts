import type { Sentence } from '../language/text.ts';
import { book, checkBooking, confirmChoice, recordTime, settleBooking } from './booking.ts';
import { confirmationIn, goneCue } from './booking-words.ts';
import { bestOf, considerOffers, turnDown } from './choosing.ts';
import { answerQuestions } from './fact-answers.ts';
import { findAnswers } from './find-answers.ts';
import { spokenSlot } from './phrasing.ts';
import { recordAnswer } from './record-answer.ts';
import {
  answerOtherQuestions,
  handleObstacle,
  repeatLast,
  sayWaiting,
  wantsRepetition,
} from './side-talk.ts';
import { findSlots, type Slot } from './slots.ts';
import type { TurnDraft } from './turn-draft.ts';
import type { Heard } from './understanding.ts';

/** Negotiates an appointment: weighs what is offered, takes what fits, has it booked and reads it back. */
export function proceedWithScheduling(draft: TurnDraft, heard: Heard): void {
  const { scheduling } = draft.memory;
  const slots = findSlots(heard.sentences, {
    today: draft.today,
    day: scheduling.day,
    turn: heard.turn,
    isRescheduling: draft.plan.is_rescheduling,
    knownDays: scheduling.days,
    firstDay: draft.plan.time_wishes.first_day,
  });
  rememberDays(draft, slots);
  noteDetails(draft, heard);
  if (scheduling.booked) afterBooking(draft, heard, slots);
  else if (scheduling.chosen !== null) afterChoice(draft, heard, scheduling.chosen, slots);
  else considerOffers(draft, heard, slots);
}

/** Days that were named are what later weekdays refer to: "next Tuesday …", then "on Tuesday at two". */
function rememberDays(draft: TurnDraft, slots: readonly Slot[]): void {
  const { scheduling } = draft.memory;
  const named = slots.flatMap(({ day }) => (day === null ? [] : [day]));
  scheduling.days = [...new Set([...scheduling.days, ...named])].slice(-6);
}

/** Numbers and instructions come at any time, often together with the booking. */
function noteDetails(draft: TurnDraft, heard: Heard): void {
  const { scheduling, pending } = draft.memory;
  if (scheduling.chosen === null && !scheduling.booked && confirmationIn(heard) === null) return;
  // After "is it booked?" a bare number is the confirmation.
  const key = pending === 'booking_confirmed' ? 'confirmation_number' : pending;
  const asked = key === null ? null : (draft.item(key) ?? null);
  for (const answer of findAnswers(heard.reply, draft.plan, asked)) {
    if (answer.key === 'instructions' && answer.answer === 'nothing special') {
      draft.memory.closed.push('instructions');
      continue;
    }
    if (draft.answers.has(answer.key) && !heard.isCorrection) continue;
    if (answer.key === 'confirmation_number' || answer.key === 'instructions') {
      recordAnswer(draft, answer, heard.turn);
    }
  }
}

/** A slot is chosen: has it booked, unless the other side comes with another one. */
function afterChoice(draft: TurnDraft, heard: Heard, chosen: Slot, slots: readonly Slot[]): void {
  const { scheduling } = draft.memory;
  const others = slots.filter((slot) => slot.minutes !== null && !isMention(slot, chosen));
  const repeated = slots.some((slot) => slot.minutes !== null && isMention(slot, chosen));
  const isGone = heard.sentences.some(({ plain }) => goneCue.test(plain));
  const number = draft.answers.get('confirmation_number');
  const confirmation =
    confirmationIn(heard) ??
    // Whoever gives a confirmation number has booked.
    heard.sentences.find(({ text }) => number?.turn === heard.turn && text === number.quote) ??
    // "Friday it is, 7:45. Anything else?": for them it is done.
    (repeated && heard.signals.has('anything-else')
      ? heard.sentences.find(({ isQuestion }) => !isQuestion)
      : undefined) ??
    null;
  const questions = heard.questions.filter(
    ({ topic }) => topic !== 'timeframe' && topic !== 'existing-appointment',
  );

  if (repeated) {
    // They have said it themselves now, and perhaps with whom it is.
    scheduling.read_back = true;
    scheduling.chosen = withProvider(chosen, slots);
  }
  if (isGone || (others.length > 0 && !repeated)) {
    reconsider(draft, heard, chosen, others, isGone, confirmation);
    return;
  }
  if (confirmation !== null && questions.length === 0) {
    book(draft, heard, withProvider(chosen, slots), confirmation);
    return;
  }
  if (questions.length > 0) {
    answerQuestions(draft, questions);
    return;
  }
  if (draft.memory.pending === 'booking_confirmed' && heard.polarity !== null && !heard.endsInHold) {
    const sentence = heard.sentences.find(({ isQuestion }) => !isQuestion);
    if (heard.polarity === 'yes' && sentence !== undefined) {
      scheduling.read_back = true;
      book(draft, heard, scheduling.chosen ?? chosen, sentence);
      return;
    }
  }
  if (wantsRepetition(heard)) {
    repeatLast(draft);
    return;
  }
  if (heard.endsInHold) {
    sayWaiting(draft);
    return;
  }
  if (handleObstacle(draft, heard)) return;
  if (heard.signals.has('acceptance') || heard.signals.has('check-back') || repeated) {
    // Said once; whoever still only repeats it is asked whether it is done.
    if (scheduling.checks === 0) confirmChoice(draft, chosen);
    else checkBooking(draft, chosen);
    return;
  }
  if (answerOtherQuestions(draft, heard)) return;
  checkBooking(draft, chosen);
}

/** A time said again without its day still means the slot spoken of. */
function isMention(slot: Slot, chosen: Slot): boolean {
  return slot.minutes === chosen.minutes && (slot.day === null || slot.day === chosen.day);
}

function withProvider(chosen: Slot, slots: readonly Slot[]): Slot {
  const named = slots.find((slot) => slot.provider !== null)?.provider ?? null;
  return { ...chosen, provider: chosen.provider ?? named };
}

/** The other side names another time than the one we took: it is weighed like any offer. */
function reconsider(
  draft: TurnDraft,
  heard: Heard,
  chosen: Slot,
  others: readonly Slot[],
  isGone: boolean,
  confirmation: Sentence | null,
): void {
  const { scheduling } = draft.memory;
  draft.retract('appointment_time');
  draft.retract('provider_name');
  scheduling.chosen = null;
  if (isGone) turnDown(draft, [chosen]);
  const best = bestOf(draft, others, true);
  if (best === null || confirmation === null) {
    considerOffers(draft, heard, others);
    return;
  }
  // They speak as if the other time were settled: taken if it fits, but not without asking.
  scheduling.chosen = best;
  recordTime(draft, best, best.quote, best.turn);
  draft.say(`So that is ${spokenSlot(best, draft.today)}. Is that right?`);
  draft.memory.pending = 'booking_confirmed';
  scheduling.checks += 1;
}

/** It is booked: what is left is the number, what to bring, and whether both sides mean the same time. */
function afterBooking(draft: TurnDraft, heard: Heard, slots: readonly Slot[]): void {
  const { scheduling, pending } = draft.memory;
  const chosen = scheduling.chosen;
  const others = slots.filter(
    (slot) => slot.minutes !== null && (chosen === null || !isMention(slot, chosen)),
  );
  const contradicts =
    chosen !== null &&
    others.length > 0 &&
    (heard.isCorrection || heard.polarity === 'no' || pending === 'read-back') &&
    !slots.some((slot) => isMention(slot, chosen));
  if (chosen !== null && contradicts) {
    scheduling.booked = false;
    scheduling.read_back = false;
    draft.retract('booking_confirmed');
    reconsider(draft, heard, chosen, others, false, heard.sentences[0] ?? null);
    return;
  }
  const questions = heard.questions.filter(
    ({ topic, sentence }) =>
      topic !== 'timeframe' &&
      topic !== 'existing-appointment' &&
      // "And her insurance card" answers what to bring.
      (pending !== 'instructions' || sentence.isQuestion),
  );
  if (questions.length > 0) {
    answerQuestions(draft, questions);
    return;
  }
  if (pending !== null && !draft.answers.has(pending) && wantsRepetition(heard)) {
    repeatLast(draft);
    return;
  }
  if (heard.endsInHold) {
    sayWaiting(draft);
    return;
  }
  if (pending === 'read-back') scheduling.read_back = true;
  else if (pending !== null && !draft.answers.has(pending)) draft.memory.closed.push(pending);
  if (heard.signals.has('goodbye')) {
    draft.end('finished', 'thanks');
    return;
  }
  if (answerOtherQuestions(draft, heard) && draft.hasSpoken && heard.otherQuestions.length > 0) return;
  settleBooking(draft);
}
