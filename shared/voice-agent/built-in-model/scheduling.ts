import { evidenceIn } from '../core/evidence.ts';
import { lateCorrectionIn } from '../core/late-correction.ts';
import { hasQuestionMark } from '../entities/tokens.ts';
import { type Heard, likelihood } from '../understanding/understand.ts';
import { afterBooking } from './after-booking.ts';
import { afterChoice } from './after-choice.ts';
import { checkBooking, isExact, settleBooking } from './booking.ts';
import { considerOffers } from './offers.ts';
import { openingsIn } from './openings.ts';
import { leastSureYesNo } from './settle-answer.ts';
import type { TurnDraft } from './turn-draft.ts';
import { plainWords } from './words.ts';

/**
 * Negotiates an appointment: evaluates offers, takes a fitting one, gets it booked and verifies the
 * time. Called for every prompt once the purpose is known, after requests for facts have been
 * answered in the same turn.
 */
export function proceedWithScheduling(draft: TurnDraft, heard: Heard): void {
  if (draft.isOver) return;
  const { scheduling } = draft.memory;
  const openings = openingsIn(heard, {
    today: draft.today,
    day: scheduling.day,
    isRescheduling: draft.plan.is_rescheduling && scheduling.chosen === null,
  });
  scheduling.day =
    openings.findLast(({ day, last_day }) => day !== null && last_day === null)?.day ?? scheduling.day;
  if (scheduling.chosen !== null || scheduling.booked) noteDetails(draft, heard);
  if (scheduling.booked) afterBooking(draft, heard, openings);
  else if (scheduling.chosen !== null && isExact(scheduling.chosen))
    afterChoice(draft, heard, scheduling.chosen, openings);
  else considerOffers(draft, heard, openings);
}

const leastSure = 0.5;
const itemsOfBooking = ['appointment_time', 'booking_confirmed', 'provider_name', 'confirmation_number'];

/**
 * Numbers, instructions and answers to the client's own questions come at any time, often together with the
 * booking.
 */
function noteDetails(draft: TurnDraft, heard: Heard): void {
  const { memory } = draft;
  const number = draft.answers.get('confirmation_number');
  noteNumber(draft, heard);
  // A late number answers the previous question.
  const isLate = number === undefined && draft.answers.has('confirmation_number');
  const asked = isLate ? null : draft.pendingItem;
  for (const evidence of evidenceIn(heard, draft.plan, asked)) {
    const { key, value, answer, quote, turn, confidence, corrects } = evidence;
    const isText = draft.item(key)?.kind === 'text';
    if (itemsOfBooking.includes(key) || (draft.answers.has(key) && !corrects)) continue;
    // Asked twice and still unclear: kept verbatim for review.
    const least = typeof value === 'boolean' ? leastSureYesNo : leastSure;
    const isUnclear = confidence < least || (!isText && value === null);
    if (isUnclear && !(evidence.isAsked && (memory.attempts[key] ?? 0) >= 2)) continue;
    if (isText && value === false) memory.closed.push(key);
    else if (isUnclear) draft.record({ key, value: null, answer: quote, quote, turn, needs_review: true });
    else draft.record({ key, value, answer, quote, turn, needs_review: evidence.isConditional });
  }
}

/**
 * The confirmation number: the last of several, which corrects the others, unless it is part of
 * one.
 */
function noteNumber(draft: TurnDraft, heard: Heard): void {
  const known = draft.answers.get('confirmation_number');
  const wasAsked = (draft.memory.attempts.confirmation_number ?? 0) > 0;
  const isAsked =
    known === undefined
      ? wasAsked
      : lateCorrectionIn(heard, draft.pendingItem, draft.plan, [known])?.item.key === known.key;
  // "It's saved, Tuesday at nine, number CP7787"
  const isBooking = likelihood(heard, 'confirms-booking') >= leastSure;
  const given = heard.moves
    .filter(
      (move) =>
        isAsked ||
        (!hasQuestionMark(move.tokens) &&
          plainWords(move.tokens).some(
            (word) => word === 'confirmation' || (isBooking && word === 'number'),
          )),
    )
    .map(({ start }) => start);
  const numbers = heard.entities.filter(
    (entity) => entity.type === 'identifier' && entity.start >= Math.min(...given),
  );
  const last = numbers.at(-1);
  if (last?.type !== 'identifier' || draft.item('confirmation_number') === undefined) return;
  const whole =
    numbers.findLast(({ value }) => value !== last.value && String(value).includes(last.value)) ?? last;
  const value = String(whole.value);
  if (draft.answers.get('confirmation_number')?.value === value) return;
  const quote =
    heard.moves.find(({ start, end }) => whole.start >= start && whole.end <= end)?.text ?? heard.said;
  draft.record({
    key: 'confirmation_number',
    value,
    answer: value,
    quote,
    turn: heard.turn,
    needs_review: false,
  });
}

/**
 * Silence: repeats the open question, rephrased. Returns false if there is nothing to
 * ask.
 */
export function remindOfScheduling(draft: TurnDraft): boolean {
  const { chosen, booked } = draft.memory.scheduling;
  if (chosen === null) return false;
  if (booked) settleBooking(draft);
  else checkBooking(draft, chosen);
  return true;
}
