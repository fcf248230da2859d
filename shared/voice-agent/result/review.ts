import { type CallPlan, type ItemKind, isClientsOwn, type PlanItem } from '../call-plan/call-plan.ts';
import { contentWords } from '../call-plan/words.ts';
import type { Evidence } from '../core/clause-value.ts';
import { evidenceIn } from '../core/evidence.ts';
import { leavesOpen } from '../core/one-of-several.ts';
import type { RecordedAnswer } from '../dialogue/dialogue-record.ts';
import type { Heard, Move } from '../understanding/understand.ts';
import { conditionIn } from './conditions.ts';

/* Whether an answer stands when the transcript is read again. */

/** A prompt of the person, and its claims about the plan regardless of our question. */
export interface Reading {
  /** What our last question asked for. */
  readonly asked: PlanItem | null;
  readonly heard: Heard;
  /** We asked nothing since the prompt before. */
  readonly goesOn: boolean;
  readonly evidence: readonly Evidence[];
}

export const leastSure = 0.8;
/** A withdrawal needs less certainty. */
const leastCorrection = 0.55;
/** A confirmed booking outweighs the rest; two times in one prompt stay below. */
const leastBooking = 0.6;
/** How much more certain earlier words than the record's must be. */
const surerBy = 0.25;

/** The answer itself if nothing contradicts it; otherwise without its value, and with all relevant words. */
export function reviewed(
  plan: CallPlan,
  answer: RecordedAnswer,
  readings: readonly Reading[],
  answers: readonly RecordedAnswer[],
): RecordedAnswer {
  const item = plan.items.find(({ key }) => key === answer.key);
  const own = readings.find(({ heard }) => heard.turn === answer.turn);
  if (item === undefined || own === undefined || answer.needs_review || answer.value === null) return answer;
  const other = contradiction(plan, item, answer, readings);
  if (other !== null) return forReview(answer, `"${answer.quote}" But also: "${other.quote}"`);
  const moves = movesOf(answer, own.heard);
  const [first] = moves;
  const isYesOrNo = typeof answer.value === 'boolean';
  const condition =
    first === undefined || item.kind === 'text' || isClientsOwn(item)
      ? null
      : conditionIn({ question: item.question, isYesOrNo }, first, own.heard);
  if (condition !== null) return { ...forReview(answer, condition), quote: condition };
  const isDoubtful =
    (answer.confirmed_at === undefined && isOfRival(item, answer, moves, own)) ||
    (isNoAnswer(plan, item, answer, own) && !isNumbered(answer, answers));
  return isDoubtful ? forReview(answer, `"${answer.quote}"`) : answer;
}

/** "He'll like her. The number is 7-1836": what has a confirmation number is booked, in whatever words. */
function isNumbered({ key, turn }: RecordedAnswer, answers: readonly RecordedAnswer[]): boolean {
  const number = answers.find((one) => one.key === 'confirmation_number');
  return (
    key === 'booking_confirmed' &&
    typeof number?.value === 'string' &&
    !number.needs_review &&
    number.turn >= turn
  );
}

export function forReview(answer: RecordedAnswer, text: string): RecordedAnswer {
  return { ...answer, answer: text, value: null, needs_review: true };
}

/** Words that contradict the record: the last certain ones after it, or much more certain ones before. */
function contradiction(
  plan: CallPlan,
  item: PlanItem,
  answer: RecordedAnswer,
  readings: readonly Reading[],
): Evidence | null {
  // What was confirmed stands against all that was said before.
  const from = answer.confirmed_at ?? -1;
  const others = readings.flatMap(({ heard, evidence }) =>
    heard.turn <= from
      ? []
      : evidence.filter((found) => found.key === item.key && counts(found, item, answer, heard)),
  );
  const last = others.findLast(({ turn }) => turn >= answer.turn);
  if (last !== undefined) return isSameValue(last.value, answer.value) ? null : last;
  const surer = surenessOf(plan, item, answer, readings) + surerBy;
  const before = others.findLast(({ confidence }) => confidence >= surer);
  return before === undefined || isSameValue(before.value, answer.value) ? null : before;
}

function counts(found: Evidence, item: PlanItem, answer: RecordedAnswer, heard: Heard): boolean {
  // "I mean, yes, only with a letter on file": what was a yes before has a condition.
  const isLater = found.isAsked && found.turn > answer.turn;
  const limits = isLater && found.isConditional && typeof answer.value === 'boolean';
  if ((found.value === null && !limits) || leavesOpen(found)) return false;
  // Other values in the answer's own words are a question of parsing, not of what was said.
  const isOwnWords = found.turn === answer.turn && overlap(found.quote, answer.quote, heard.said);
  if (isOwnWords && !isSameValue(found.value, answer.value)) return false;
  if (item.key === 'appointment_time') return found.confidence >= leastBooking && isBooked(found, heard);
  const { question, rephrase, rephrase2 } = item;
  const isAbout = found.isAsked || namesTopic(found, question, rephrase, rephrase2);
  return isAbout && found.confidence >= (found.corrects ? leastCorrection : leastSure);
}

/** Of all mentioned times, only one said to be booked is another appointment. */
function isBooked({ quote }: Evidence, { moves }: Heard): boolean {
  return moves.some(({ text, act }) => text === quote && act === 'confirms-booking');
}

/** The words themselves name the topic of a question: an amount alone fits too many. */
export function namesTopic({ quote }: Evidence, ...questions: readonly (string | null)[]): boolean {
  const topic = new Set(questions.flatMap((question) => contentWords(question ?? '')));
  return contentWords(quote).some((word) => topic.has(word));
}

function overlap(one: string, other: string, said: string): boolean {
  const [from, otherFrom] = [said.indexOf(one), said.indexOf(other)];
  return from < otherFrom + other.length && otherFrom < from + one.length;
}

/** How certainly an answer's words answer its question; a correction is certain. */
function surenessOf(
  plan: CallPlan,
  { key }: PlanItem,
  { turn }: RecordedAnswer,
  readings: readonly Reading[],
): number {
  const own = readings.find(({ heard }) => heard.turn === turn);
  const item = plan.items.find((one) => one.key === key) ?? null;
  const found = own === undefined ? [] : evidenceIn(own.heard, plan, item).filter((one) => one.key === key);
  return Math.max(0, ...found.map(({ corrects, confidence }) => (corrects ? 1 : confidence)));
}

/** In any notation: "RC-48213" and "rc 48213" are equal. */
export function isSameValue(one: Evidence['value'], other: Evidence['value']): boolean {
  return plain(one) === plain(other);
}

function plain(value: Evidence['value']): string {
  return String(value)
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]/g, '');
}

/** The clauses around an answer's words. */
function movesOf({ quote }: RecordedAnswer, { said, moves }: Heard): Move[] {
  const from = said.indexOf(quote);
  return moves.filter(({ start, end }) => start < from + quote.length && end > from);
}

const tiered: ReadonlySet<ItemKind> = new Set(['money', 'percentage', 'number']);
const leastRival = 0.85;

/** The clause is certainly about another tier than asked, or about another date. */
function isOfRival(
  item: PlanItem,
  { value }: RecordedAnswer,
  moves: readonly Move[],
  { evidence }: Reading,
): boolean {
  const [claim] = moves.length === 1 ? (moves[0]?.claims ?? []) : [];
  if (isClientsOwn(item) || claim === undefined || claim.confidence < leastRival) return false;
  if (evidence.some((found) => found.key === item.key && isSameValue(found.value, value))) return false;
  if (tiered.has(item.kind)) return claim.label === 'other_tier';
  return item.kind === 'date' && claim.label !== item.key && claim.label.endsWith('_date');
}

const tellsNothing = ['withholds', 'does-not-know', 'asks-fact', 'asks-open', 'hold', 'transfer'] as const;
const leastNothing = 0.6;

/** A yes or no from words that most likely request something or refuse. */
function isNoAnswer(
  plan: CallPlan,
  item: PlanItem,
  { value, quote }: RecordedAnswer,
  { heard }: Reading,
): boolean {
  if (typeof value !== 'boolean') return false;
  const moves = heard.moves.filter(({ text }) => overlap(text, quote, heard.said));
  const steers = moves.every(
    ({ acts }) => tellsNothing.reduce((sum, act) => sum + (acts.get(act) ?? 0), 0) >= leastNothing,
  );
  return (
    steers && !evidenceIn(heard, plan, item).some((found) => found.key === item.key && found.value === value)
  );
}
