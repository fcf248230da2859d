import { isClientsOwn, type PlanItem } from '../call-plan/call-plan.ts';
import { contentWords } from '../call-plan/words.ts';
import type { Evidence } from '../core/clause-value.ts';
import { isSaidInPassing } from '../core/conversation-core.ts';
import { isVagueLimit, limitsAnswer } from '../core/limits.ts';
import { leavesOpen } from '../core/one-of-several.ts';
import { openAnswerLikelihood } from '../core/open-answer.ts';
import { exceptionIn, tellsSeveral } from '../core/reply-clauses.ts';
import { leaningOf } from '../core/yes-no-value.ts';
import type { RecordedAnswer } from '../dialogue/dialogue-record.ts';
import { tokenize } from '../entities/tokens.ts';
import type { Heard } from '../understanding/understand.ts';
import type { TurnDraft } from './turn-draft.ts';
import { dropLeaning, readBackAmong, readBackLeaning } from './value-read-back.ts';

/* Whether evidence becomes the answer to an item, is asked for again, read back, or kept for review. */

/** How often an item is asked for: what the goal needs once more in other words. */
export const maxAttempts = 2;
/** After it nothing is asked again. */
export const lastAttempt = maxAttempts + 1;

export function isDone({ memory }: TurnDraft, item: PlanItem): boolean {
  const { key, required, kind } = item;
  const isWanted = required || isClientsOwn(item) || kind === 'yes-no' || kind === 'text';
  return (memory.attempts[key] ?? 0) >= (isWanted ? maxAttempts : 1);
}
/** An answer that is this sure needs no second question. */
const leastSure = 0.55;
/** Yes and no are each other's nearest mistakes; asked once more in other words, somewhat less will do. */
export const leastSureYesNo = 0.8;
const leastSureAgain = 0.65;
/** Said twice in different words, it need not be clear each time. */
const leastSureTwice = 0.4;
/** Anything below leans to nothing. */
const leastGuess = 0.3;

/** Takes a piece of evidence for an item as far as it is sure. */
export function settle(draft: TurnDraft, item: PlanItem, evidence: Evidence, heard: Heard): void {
  const known = draft.answers.get(item.key);
  const attempts = draft.memory.attempts[item.key] ?? 0;
  const isOwn = evidence.isAsked && isClientsOwn(item);
  const isInWords = isOwn && !evidence.corrects && tellsSeveral(item, evidence.quote, heard);
  if (evidence.confidence < leastGuess && !isInWords) return;
  // The reply to our read-back has just been left for review.
  if (known?.needs_review === true && known.turn === evidence.turn) return;
  // What is asked for anyway is taken in words of its own only when it was asked for.
  if (item.kind === 'text' && item.asked && !evidence.isAsked && known === undefined) return;
  // "It's a closed book", asked for something else: no status.
  if (leavesOpen(evidence) && !evidence.isAsked) return;
  if (known !== undefined && !known.needs_review) {
    if (known.value === evidence.value && known.value !== null) return;
    if (item.kind === 'text' && !evidence.corrects && !answersBetter(draft, item, known, evidence)) return;
    if (!evidence.corrects && item.kind !== 'text') {
      if (known.value === null && isInWords) return;
      // "No. Well, that's not the whole of it." / "It's only from the thirteenth visit on."
      const isLater = evidence.isAsked && evidence.turn > known.turn && evidence.confidence >= leastSureTwice;
      if (isLater && limitsYesNo(item, heard)) {
        record(draft, { ...evidence, value: null, answer: evidence.quote, isConditional: false }, !isOwn);
        return;
      }
      // More of the same reply may tell of another case: "in the hospital it's …".
      if (!(evidence.isAsked && readBackAmong(draft, item))) doubt(draft, item, evidence);
      return;
    }
  }
  const exception = isOwn && item.kind === 'yes-no' ? exceptionIn(evidence.quote, heard) : null;
  // "Some of it, yes": asked again, they say which.
  if (exception === 'partly' && attempts < maxAttempts) return;
  const isSigned = leaningOf(heard.moves.filter(({ isQuestion }) => !isQuestion)) !== null;
  // "Only with a letter": nothing clearer will come, and the words answer a client's question.
  const isClear = evidence.confidence >= leastSureTwice && !isVagueLimit(item, evidence);
  const isTelling = (): boolean =>
    limitsAnswer(item, heard) && !isOpen(evidence) && (isDone(draft, item) || isClear);
  if (isOwn && evidence.isConditional && ((isSigned && evidence.confidence >= leastSure) || isTelling())) {
    dropLeaning(draft, item);
    record(draft, { ...evidence, isConditional: false }, false);
    return;
  }
  // "Only on Wednesdays" leans to nothing.
  const isLimited = isOwn && !isSigned && (evidence.isConditional || exception === 'except');
  const { leaned } = draft.memory;
  const before = leaned[item.key];
  const isYesNo = typeof evidence.value === 'boolean';
  const turns = isYesNo && before?.value === !evidence.value;
  // Two replies that contradict each other: "right" after a no may agree with the no. Neither is relied on.
  const turnsAround = turns && !evidence.corrects;
  const isVague = turnsAround || (evidence.value === null && !isWordy(item));
  // The same words again say no more than they did.
  const isRepeated = before !== undefined && bare(before.quote) === bare(evidence.quote);
  const isSame = before?.value === evidence.value;
  const needed =
    attempts < maxAttempts || isRepeated ? leastSureOf(isYesNo) : isSame ? leastSureTwice : leastSureAgain;
  const isRuleAgain = isRule(item, evidence) && !isSigned && saysAgain(draft, item, evidence);
  const isSettledInWords = isOwn && isDone(draft, item) && !isOpen(evidence) && (isLimited || isRuleAgain);
  const isTwice = attempts >= maxAttempts && isSaidTwice(draft, item, evidence);
  if (isTwice || (evidence.confidence >= Math.min(needed, leastSureOf(isYesNo)) && !isVague)) {
    dropLeaning(draft, item);
    record(draft, evidence, false);
  } else if (isInWords || isSettledInWords) {
    // "Free up to fifty pages, then ten cents each" is an answer as it is.
    dropLeaning(draft, item);
    record(draft, { ...evidence, value: null, answer: evidence.quote, isConditional: false }, false);
  } else if (evidence.value !== null && evidence.isAsked) {
    const { value, answer, quote, turn } = evidence;
    leaned[item.key] = { value, answer, quote, turn };
    // Asked for once more, a number comes clearer; what it leans to then is better than nothing.
    if ((isOneOfFew(item) || isDone(draft, item)) && !isLimited && readBackLeaning(draft, item)) return;
  }
  // Asked as often as allowed and still unclear: keeps the words for a person to review.
  if (!draft.answers.has(item.key) && evidence.isAsked && isDone(draft, item))
    record(draft, { ...evidence, value: null }, true);
}

function limitsYesNo(item: PlanItem, heard: Heard): boolean {
  return item.kind === 'yes-no' && limitsAnswer(item, heard);
}

/**
 * People who speak in pieces, or to others beside us, come to the answer while our question still stands. A person who
 * goes on before we say more has not finished.
 */
function answersBetter(
  { view }: TurnDraft,
  { question }: PlanItem,
  known: RecordedAnswer,
  evidence: Evidence,
): boolean {
  const [before = 0, now = 0] = [known.quote, evidence.quote].map((quote) =>
    openAnswerLikelihood(question, tokenize(quote)),
  );
  const goesOn = isSaidInPassing(view.ours.at(-1) ?? '');
  const least = goesOn ? leastBetterAtOnce : leastBetter;
  return evidence.isAsked && evidence.turn > known.turn && now - before >= least;
}

const leastBetter = 0.25;
const leastBetterAtOnce = 0.15;

/** "English and French", "we've got English and French": what they say again when they are asked again answers. */
function isSaidTwice({ view }: TurnDraft, item: PlanItem, { value, quote, isAsked }: Evidence): boolean {
  if (value !== null || !isAsked || !isWordy(item)) return false;
  if (openAnswerLikelihood(item.question, tokenize(quote)) < leastTwice) return false;
  return saysAgain({ view }, item, { quote });
}

/** "Pacemakers no, hip and knee implants after six weeks": more than a yes or no, however unclear. */
function isRule({ kind }: PlanItem, { quote }: Evidence): boolean {
  return kind === 'yes-no' && contentWords(quote).length >= fewestOfRule;
}

/** "It depends." */
function isOpen({ quote }: Evidence): boolean {
  return tokenize(quote).some(({ norm }) => norm.startsWith('depend'));
}

const fewestOfRule = 5;

/** Whether words repeat what was said before, beside the words of our question. */
function saysAgain(
  { view }: Pick<TurnDraft, 'view'>,
  item: PlanItem,
  { quote }: Pick<Evidence, 'quote'>,
): boolean {
  const asked = new Set(contentWords(item.question));
  const wordsOf = (text: string): string[] => contentWords(text).filter((word) => !asked.has(word));
  const again = new Set(wordsOf(quote));
  const before = new Set(wordsOf(view.earlier.at(-1) ?? ''));
  const shared = [...again].filter((word) => before.has(word)).length;
  return shared >= fewestShared || (shared > 0 && shared === Math.min(again.size, before.size));
}

const fewestShared = 2;
/** Below this, what is said again is a reproach, or speaks of something else. */
const leastTwice = 0.1;
const wordy: ReadonlySet<PlanItem['kind']> = new Set([
  'text',
  'name',
  'date',
  'date-time',
  'money',
  'percentage',
]);

/** "How many days?" "By noon the day before.": a client's question is answered without its number, too. */
function isWordy(item: PlanItem): boolean {
  return wordy.has(item.kind) || (item.kind === 'number' && isClientsOwn(item));
}

function isOneOfFew({ kind }: PlanItem): boolean {
  return kind === 'yes-no' || kind === 'claim-status';
}

export function bare(words: string): string {
  return words.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

function leastSureOf(isYesNo: boolean): number {
  return isYesNo ? leastSureYesNo : leastSure;
}

/** Two different values without a word that takes one back: neither is relied on. */
function doubt(draft: TurnDraft, item: PlanItem, evidence: Evidence): void {
  if (evidence.confidence < leastSure || evidence.value === null || leavesOpen(evidence)) return;
  const attempts = draft.memory.attempts[item.key] ?? 0;
  draft.retract(item.key);
  if (item.asked && attempts < maxAttempts)
    draft.memory.closed = draft.memory.closed.filter((key) => key !== item.key);
  else record(draft, { ...evidence, value: null }, true);
}

function record(
  draft: TurnDraft,
  { key, value, answer, quote, turn, isConditional }: Evidence,
  needsReview: boolean,
): void {
  draft.record({
    key,
    value,
    answer: isConditional || needsReview ? quote : answer,
    quote,
    turn,
    needs_review: needsReview || isConditional,
  });
}
