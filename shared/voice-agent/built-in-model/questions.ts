import type { PlanItem } from '../call-plan/call-plan.ts';
import { entityTypes } from '../call-plan/item-values.ts';
import { isRelevant } from '../call-plan/progress.ts';
import { inSentence } from '../call-plan/words.ts';
import { firstPerson } from '../core/clause-topic.ts';
import type { Evidence } from '../core/clause-value.ts';
import { isSaidInPassing } from '../core/conversation-core.ts';
import { obstacleIn } from '../core/obstacles.ts';
import { isReproach } from '../core/refusals.ts';
import { denialOf } from '../core/yes-no-value.ts';
import { type Heard, likelihood } from '../understanding/understand.ts';
import { asksSurely, questionsIn } from './asked-of-us.ts';
import { besideChoice, tierChoiceIn } from './choices.ts';
import { confirmReadBack } from './confirm-read-back.ts';
import { answerQuestions } from './facts-asked.ts';
import { isHolding } from './holding.ts';
import type { Memory } from './memory.ts';
import { isOfOneQuestion, meetObstacle, noteNotFound, saysGoodbye } from './obstacles.ts';
import { isDone, lastAttempt, maxAttempts } from './settle-answer.ts';
import { knowsPatient, takeEvidence } from './take-evidence.ts';
import type { TurnDraft } from './turn-draft.ts';
import { readBackValue, settleReadBack } from './value-read-back.ts';
import { phraseInTurn } from './wording.ts';

/** Goes through a plan's items one by one: insurers, claims departments, offices. */
export function proceedWithQuestions(draft: TurnDraft, reply: Heard): void {
  const choice = tierChoiceIn(draft, reply);
  const heard = choice === null ? reply : besideChoice(reply, choice);
  const asked = openQuestion(draft);
  const known = draft.answers.size;
  const leaned = asked === null ? undefined : draft.memory.leaned[asked.key];
  const wasReadBack = settleReadBack(draft, heard);
  const evidence = takeEvidence(draft, heard, asked, wasReadBack);
  if (asked !== null && !draft.answers.has(asked.key)) closeIfUnknown(draft, heard, { asked, evidence });
  const hasAnswered = asked === null || isSettled(draft, asked);
  const isReadBackNext = draft.memory.read_back.pending !== null;
  const bringsNothing = (asked === null || !hasAnswered) && draft.answers.size === known && !isReadBackNext;
  // "Yes! Exactly." to a read-back requests nothing.
  const mayAsk = !wasReadBack || heard.moves.some(asksSurely);
  if (choice !== null) draft.say(choice.words);
  const answered = choice !== null ? 'told' : mayAsk ? answerQuestions(draft, heard, bringsNothing) : null;
  if (answered !== null || (!wasReadBack && confirmReadBack(draft, heard, bringsNothing))) {
    // A question that we did not understand may well have been "what else?".
    if (answered === 'vague' && asked !== null && !hasAnswered) {
      repeat(draft);
      draft.memory.attempts[asked.key] = (draft.memory.attempts[asked.key] ?? 0) + 1;
    }
    // A person who requests a fact continues by themselves once they have it.
    else if (answered === 'vague' && asked === null) askNext(draft);
    if ((!hasAnswered || draft.answers.size === known) && !goesAhead(heard)) {
      noteNotFound(draft, heard);
      return;
    }
  }
  // "It's on hold", asked for the status of a claim, asks nobody to wait.
  const isReply = hasAnswered || evidence.some(({ isAsked }) => isAsked);
  if (isHolding(heard, asked) && (asked === null ? draft.answers.size === known : !isReply)) {
    waitFor(draft);
    return;
  }
  // "She needs one before the first visit": leans to an answer, and is not an obstacle.
  const leaning = asked === null ? undefined : draft.memory.leaned[asked.key];
  const leansToAnswer =
    leaning !== leaned && leaning?.quote.includes(obstacleIn(heard)?.move.text ?? heard.said);
  const isUnclear = draft.plan.callee === 'office' && draft.answers.get(asked?.key ?? '')?.needs_review;
  const isAnswer = (draft.answers.size > known && isUnclear !== true) || leansToAnswer === true;
  if (meetObstacle(draft, heard, isAnswer || isOfOneQuestion(draft, heard, goesAhead(heard)))) return;
  if (!hasAnswered && likelihood(heard, 'asks-repeat', 'still-there') >= 0.5) {
    if (repeat(draft)) return;
    draft.memory.closed.push(asked.key);
  }
  if (saysGoodbye(heard)) {
    endOrHoldBack(draft);
    return;
  }
  askNext(draft);
}

/** "That's right too. I have the file, ask": a person who ends with an invitation waits for our question. */
function goesAhead({ moves }: Heard): boolean {
  return (
    ['go-ahead', 'invites-more'].includes(moves.at(-1)?.act ?? '') &&
    (moves.at(-1)?.confidence ?? 0) >= leastInviting
  );
}

const leastInviting = 0.7;

/** The item that we asked and that their words may still answer. */
function openQuestion({ memory, pendingItem }: TurnDraft): PlanItem | null {
  return isOurQuestionOpen(memory) || keepsOpen(pendingItem) ? pendingItem : null;
}

/** An amount or a number answers our question after any interim exchange; words and a yes do not. */
function keepsOpen(item: PlanItem | null): boolean {
  return item !== null && item.kind !== 'text' && entityTypes[item.kind] !== undefined;
}

/**
 * A bare "no" refers to our words since the question. An interrupted question leaves the one
 * before it open.
 */
function isOurQuestionOpen({ last_words }: Memory): boolean {
  return (
    last_words.some(({ kind }) => kind === 'question') ||
    last_words.every(({ text, fields }) => fields.length === 0 && isSaidInPassing(text))
  );
}

export function waitFor(draft: TurnDraft): void {
  draft.memory.line = 'held';
  draft.say(phraseInTurn('wait', draft.memory.turns));
  draft.wait();
}

/**
 * Repeats our last words as requested, a question rephrased if possible. Returns false if they have heard those often
 * enough.
 */
export function repeat(draft: TurnDraft): boolean {
  const { memory, pendingItem } = draft;
  const isFresh = (text: string): boolean => draft.timesSaid(text) < mostOnRequest;
  if (pendingItem !== null) {
    const times = memory.attempts[pendingItem.key] ?? 0;
    return (
      sayQuestion(draft, pendingItem, times) || sayQuestion(draft, pendingItem, times, '', mostOnRequest)
    );
  }
  const again = memory.last_words.filter(({ text, kind }) => kind !== 'question' || isFresh(text));
  for (const { text, fields, kind } of again) draft.say(text, { fields, kind });
  return again.length > 0;
}

/** Nobody hears a question more often than that, unless they request it. */
export const mostSaid = 2;
const mostOnRequest = 3;

/** Asks for an item in words that they have not heard too often. Returns false if there are none. */
export function sayQuestion(
  draft: TurnDraft,
  item: PlanItem,
  times: number,
  leadIn = '',
  most = mostSaid,
): boolean {
  const { question, rephrase, rephrase2 } = item;
  const wordings = times === 0 ? [question, rephrase, rephrase2] : [rephrase, question, rephrase2];
  const text = wordings.find((wording) => wording !== null && draft.timesSaid(wording) < most) ?? null;
  if (text === null) return false;
  draft.say(leadIn);
  // A clinic hears the details with the availability, or asks for them; a payer hears them once it knows the patient.
  const { callee } = draft.plan;
  if (callee === 'office' || (callee !== 'clinic' && knowsPatient(draft))) sayDetails(draft);
  draft.say(text, { fields: item.discloses, kind: 'question' });
  return true;
}

/** "I don't have that", "we don't give that out": not asked again. */
function closeIfUnknown(
  draft: TurnDraft,
  heard: Heard,
  { asked, evidence }: { readonly asked: PlanItem; readonly evidence: readonly Evidence[] },
): void {
  const { memory } = draft;
  if (likelihood(heard, 'asks-repeat', 'still-there') >= 0.5) return;
  const told = { ...heard, moves: heard.moves.filter(({ isQuestion }) => !isQuestion) };
  const attempts = memory.attempts[asked.key] ?? 0;
  // Who reproaches us with asking again is not asked once more.
  const refusals = told.moves.filter(
    (move) => isReproach(move.tokens) || likelihood({ ...told, moves: [move] }, ...refusing) >= 0.5,
  );
  // "Not me, I'd lose it. Give it to the nurse": asked again, they may say more.
  const mayTell =
    attempts < maxAttempts &&
    evidence.some(
      ({ isAsked, confidence, quote }) =>
        isAsked && confidence >= leastBeside && !refusals.some(({ text }) => text.includes(quote)),
    );
  const isUnknown = refusals.length > 0 && !mayTell;
  const isBareNo = asked.kind !== 'yes-no' && (heard.moves[0]?.acts.get('no') ?? 0) >= 0.6;
  const leastNone = attempts < maxAttempts ? surelyNone : leastNoneAgain;
  const none = told.moves.find((move) => denialOf(asked, move) >= leastNone);
  if (none !== undefined && amounts.has(asked.kind) && !isPutOff(told, asked)) {
    // "We don't do coinsurance" is an answer without a number.
    const { key } = asked;
    const { text: quote } = none;
    draft.record({ key, value: null, answer: quote, quote, turn: heard.turn, needs_review: true });
    return;
  }
  if (isUnknown || isBareNo) {
    memory.closed.push(asked.key);
    const wasOnceMore = attempts === lastAttempt;
    memory.attempts[asked.key] = !wasOnceMore && isPutOff(told, asked) ? maxAttempts : lastAttempt;
  } else if (isPromised(heard, asked)) return;
  else if (isDone(draft, asked) && !isHolding(heard, asked) && questionsIn(heard).length === 0)
    memory.closed.push(asked.key);
}

const refusing = ['does-not-know', 'withholds'] as const;
const leastBeside = 0.4;
const surelyNone = 0.9;
const leastNoneAgain = 0.5;

/** "It's not that much, really": about the amount, not their knowledge. Asked again. */
function isPutOff({ tokens }: Heard, { kind }: PlanItem): boolean {
  return amounts.has(kind) && !tokens.some(({ norm }) => norm.split(' ').some((word) => speakers.has(word)));
}

const speakers: ReadonlySet<string> = new Set([...firstPerson, 'we', 'us', 'nobody']);

const amounts: ReadonlySet<PlanItem['kind']> = new Set(['money', 'percentage', 'number']);

/** "Sure thing", asked for a number: it is still to come. */
function isPromised({ moves, entities }: Heard, { kind }: PlanItem): boolean {
  const agreeing = ({ acts }: Heard['moves'][number]): number =>
    (acts.get('yes') ?? 0) + (acts.get('acknowledges') ?? 0) + (acts.get('go-ahead') ?? 0);
  return kind !== 'yes-no' && entities.length === 0 && moves.every((move) => agreeing(move) >= leastAgreeing);
}

const leastAgreeing = 0.6;

function isSettled(draft: TurnDraft, item: PlanItem): boolean {
  return (
    draft.answers.has(item.key) || draft.memory.closed.includes(item.key) || !draft.openItems().includes(item)
  );
}

/** Asks the next open item, or ends the call if there is none. */
export function askNext(draft: TurnDraft): void {
  const { memory } = draft;
  if (readBackValue(draft)) return;
  const next = draft.openItems().find(({ key }) => (memory.attempts[key] ?? 0) < maxAttempts);
  if (next !== undefined) ask(draft, next);
  else if (!askOnceMore(draft)) draft.end('finished', 'thanks');
}

/** Required items without an answer or a refusal, once more before goodbye. */
function askOnceMore(draft: TurnDraft): boolean {
  const { memory, plan, answers } = draft;
  const missed = plan.items.find(
    (item) =>
      item.required &&
      item.asked &&
      memory.attempts[item.key] === maxAttempts &&
      !answers.has(item.key) &&
      isRelevant(item, answers, plan),
  );
  if (missed === undefined) return false;
  // Asked twice by now: the same sentence a third time would be one too many.
  draft.say(
    `${phraseInTurn('acknowledge', memory.turns)} Before we finish, one more time, ${inSentence(missed.question)}`,
    { fields: missed.discloses, kind: 'question' },
  );
  memory.closed = memory.closed.filter((key) => key !== missed.key);
  memory.attempts[missed.key] = lastAttempt;
  memory.pending = missed.key;
  return true;
}

/** What the purpose is about, once per person, unless they have asked for it. */
export function sayDetails(draft: TurnDraft): void {
  const { text, discloses } = draft.plan.details;
  const isNews = discloses.some((field) => !draft.view.told.includes(field));
  if (draft.memory.owes_details && isNews) draft.say(text, { fields: discloses, kind: 'purpose' });
  draft.memory.owes_details = false;
}

export function ask(draft: TurnDraft, item: PlanItem): void {
  const { memory } = draft;
  const attempts = memory.attempts[item.key] ?? 0;
  const isFirst = Object.keys(memory.attempts).length === 0;
  const leadIn = draft.hasSpoken || isFirst ? '' : phraseInTurn('acknowledge', memory.turns);
  const isAsked = sayQuestion(draft, item, attempts, leadIn);
  memory.attempts[item.key] = attempts + 1;
  memory.pending = item.key;
  if (isAsked) return;
  memory.closed.push(item.key);
  askNext(draft);
}

/** A person who says goodbye with a required item open is asked once more. */
function endOrHoldBack(draft: TurnDraft): void {
  const required = draft
    .openItems()
    .find((item) => item.required && (draft.memory.attempts[item.key] ?? 0) < maxAttempts);
  if (required === undefined) {
    draft.end('finished', 'thanks');
    return;
  }
  draft.say('One more thing, please:');
  ask(draft, required);
}
