import { evidenceIn } from '../core/evidence.ts';
import { mayAnswerOpenQuestion } from '../core/open-answer.ts';
import { type Token, wordSet } from '../entities/tokens.ts';
import { type Heard, likelihood } from '../understanding/understand.ts';
import { afterBooking } from './after-booking.ts';
import { afterChoice } from './after-choice.ts';
import { checkBooking, isExact, settleBooking } from './booking.ts';
import { considerOffers } from './offers.ts';
import { openingsIn } from './openings.ts';
import type { TurnDraft } from './turn-draft.ts';
import { plainWords } from './words.ts';

/**
 * Negotiates an appointment: weighs what is offered, takes what fits, has it booked and makes sure of the
 * time. Called for every prompt once the purpose is known; questions for facts have been answered in the same
 * turn already.
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

const itemsOfBooking = ['appointment_time', 'booking_confirmed', 'provider_name', 'confirmation_number'];

/**
 * Numbers, instructions and answers to the client's own questions come at any time, often together with the
 * booking.
 */
function noteDetails(draft: TurnDraft, heard: Heard): void {
  const { memory } = draft;
  for (const evidence of evidenceIn(heard, draft.plan, draft.pendingItem)) {
    const { key, value, answer, quote, turn, confidence, corrects } = evidence;
    const isText = draft.item(key)?.kind === 'text';
    if (itemsOfBooking.includes(key) || confidence < 0.5 || (draft.answers.has(key) && !corrects)) continue;
    if (isText && value === false) memory.closed.push(key);
    else if (isText || value !== null)
      draft.record({ key, value, answer, quote, turn, needs_review: evidence.isConditional });
  }
  noteNumber(draft, heard);
  noteText(draft, heard);
}

const hasMark = (tokens: readonly Token[]): boolean => tokens.some(({ kind }) => kind === 'question');

/**
 * The confirmation number: of several the last one, which puts the others right, unless it is a part of one
 * of them.
 */
function noteNumber(draft: TurnDraft, heard: Heard): void {
  const words = plainWords(heard.tokens);
  const isPutRight = likelihood(heard, 'corrects') >= 0.3 || words.includes('wrong');
  const isKnown = draft.answers.has('confirmation_number');
  const isAsked = draft.memory.pending === 'confirmation_number' || (isKnown && isPutRight);
  const given = heard.moves
    .filter(({ tokens }) => isAsked || (!hasMark(tokens) && plainWords(tokens).includes('confirmation')))
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

const empty = wordSet(
  'yes no hold back closes acknowledges greeting asks-repeat still-there invites-more does-not-know withholds ' +
    'transfer go-ahead refuses',
);

/** A free answer to a question of ours: everything that neither asks nor only keeps the talk going. */
function noteText(draft: TurnDraft, heard: Heard): void {
  const item = draft.pendingItem;
  const { closed, attempts } = draft.memory;
  if (item === null || itemsOfBooking.includes(item.key)) return;
  if (draft.answers.has(item.key) || closed.includes(item.key)) return;
  // A question for more than words is asked twice, and its answer then kept for somebody to listen to.
  const isText = item.kind === 'text';
  if (!isText && (attempts[item.key] ?? 0) < 2) return;
  const told = heard.moves.filter(
    ({ act, tokens }) =>
      !empty.has(act) &&
      !hasMark(tokens) &&
      tokens.length > 2 &&
      (!isText || mayAnswerOpenQuestion(item.question, tokens)),
  );
  const [first, last] = [told[0], told.at(-1)];
  if (first === undefined || last === undefined) return;
  const quote = heard.said.slice(first.start, last.end).trim();
  draft.record({ key: item.key, value: null, answer: quote, quote, turn: heard.turn, needs_review: !isText });
}

/**
 * Nobody has said anything: asks again for what is still open, in other words. Returns false if there is
 * nothing to ask.
 */
export function remindOfScheduling(draft: TurnDraft): boolean {
  const { chosen, booked } = draft.memory.scheduling;
  if (chosen === null) return false;
  if (booked) settleBooking(draft);
  else checkBooking(draft, chosen);
  return true;
}
