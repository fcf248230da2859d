import type { RecordedAnswer } from '../dialogue-record.ts';
import { denies, isUnknownToThem, isWithheld } from '../language/polarity.ts';
import { plainOf } from '../language/text.ts';
import type { PlanItem } from '../plan/call-plan.ts';
import { isRelevant } from '../plan/progress.ts';
import type { FoundAnswer } from './answers/reply.ts';
import { answerQuestions } from './fact-answers.ts';
import { findAnswers } from './find-answers.ts';
import { acknowledgement } from './phrasing.ts';
import {
  answerCheckBack,
  answerOtherQuestions,
  handleObstacle,
  repeatLast,
  sayWaiting,
  wantsRepetition,
} from './side-talk.ts';
import type { TurnDraft } from './turn-draft.ts';
import type { Heard } from './understanding.ts';

/** How often an item is asked for before it is left open: once, and once more precisely. */
const maxAttempts = 2;
/** How often in a row a question is put again to somebody who only says "okay". */
const maxStalled = 4;

/** Goes through the items of a plan one by one: insurers, claims departments, offices. */
export function proceedWithQuestions(draft: TurnDraft, heard: Heard): void {
  const asked = draft.pendingItem;
  const found = findAnswers(heard.reply, draft.plan, asked).filter((answer) => !admitsIgnorance(answer));
  recordVolunteered(draft, heard, found, asked);
  const answer = asked === null ? undefined : found.find(({ key }) => key === asked.key);

  if (asked !== null && answer !== undefined) {
    if (answer.isVague && (draft.memory.attempts[asked.key] ?? 0) < maxAttempts && !heard.endsInHold) {
      keepGuess(draft, answer, heard.turn);
      if (heard.questions.length > 0) answerQuestions(draft, heard.questions);
      else askMorePrecisely(draft, asked);
      return;
    }
    if (!(answer.isVague && heard.endsInHold)) settle(draft, answer, heard.turn);
  }
  const isSettled = asked === null || draft.answers.has(asked.key);

  if (heard.questions.length > 0) {
    answerQuestions(draft, heard.questions);
    return;
  }
  if (!isSettled && wantsRepetition(heard)) {
    repeatLast(draft);
    return;
  }
  if (heard.endsInHold && (asked === null || !isSettled)) {
    sayWaiting(draft);
    return;
  }
  if (handleObstacle(draft, heard)) return;
  if (answerCheckBack(draft, heard) || answerOtherQuestions(draft, heard)) {
    // They go on by themselves once they have their answer; only a settled question is followed by the next.
    if (!isSettled || draft.isOver) return;
  }
  if (heard.signals.has('goodbye')) {
    holdBackOrEnd(draft);
    return;
  }
  if (isSettled) {
    askNext(draft, heard);
    return;
  }
  handleNoAnswer(draft, heard, asked);
}

/** "No, I don't have that here" denies nothing but the knowledge. */
function admitsIgnorance({ quote }: FoundAnswer): boolean {
  const plain = plainOf(quote);
  const tellsMore =
    /\b(?:but|however|though)\b.*\w{3}/.test(plain) || /[$%]|\d/.test(plain.replaceAll(/\b1\b/g, ''));
  return (isUnknownToThem(plain) || isWithheld(plain)) && !tellsMore;
}

function recordVolunteered(
  draft: TurnDraft,
  heard: Heard,
  found: readonly FoundAnswer[],
  asked: PlanItem | null,
): void {
  for (const answer of found) {
    if (answer.key === asked?.key || answer.isVague) continue;
    if (draft.answers.has(answer.key) && !heard.isCorrection) continue;
    recordAnswer(draft, answer, heard.turn);
  }
  // "Sorry, it's 45": a correction that does not say of what is one of the last answer.
  const last = draft.memory.last_answered;
  if (heard.isCorrection && found.length === 0 && last !== null) {
    const corrected = findAnswers(heard.reply, draft.plan, draft.item(last) ?? null).find(
      ({ key }) => key === last,
    );
    if (corrected !== undefined && corrected.value !== null) recordAnswer(draft, corrected, heard.turn);
  }
}

export function recordAnswer(draft: TurnDraft, found: FoundAnswer, turn: number): void {
  const { isVague: _vague, isLoose: _loose, ...answer } = found;
  draft.record({ ...answer, value: amountOf(draft, answer), turn });
  const met = draft.answers.get('deductible_met');
  if (answer.key === 'deductible' && met?.answer === 'fully met') {
    draft.record({ ...met, value: answer.value });
  }
  draft.memory.last_answered = answer.key;
  draft.memory.stalled = 0;
  if (answer.key === 'person_name') draft.meet(answer.answer);
  dropIrrelevant(draft);
}

/** "All of it has been met" is as much as the deductible. */
function amountOf(
  draft: TurnDraft,
  { key, value }: Pick<FoundAnswer, 'key' | 'value'>,
): FoundAnswer['value'] {
  if (key !== 'deductible_met' || value !== true) return value;
  const deductible = draft.answers.get('deductible')?.value;
  return typeof deductible === 'number' ? deductible : null;
}

/** A corrected status can make an answer pointless that hung on the old one. */
function dropIrrelevant(draft: TurnDraft): void {
  for (const item of draft.plan.items) {
    if (item.only_if !== null && draft.answers.has(item.only_if.key) && !isRelevant(item, draft.answers)) {
      draft.retract(item.key);
    }
  }
}

function settle(draft: TurnDraft, answer: FoundAnswer, turn: number): void {
  recordAnswer(draft, answer, turn);
  draft.memory.pending = null;
  draft.memory.repeats = 0;
}

function keepGuess(draft: TurnDraft, found: FoundAnswer, turn: number): void {
  const { isVague: _vague, isLoose: _loose, ...answer } = found;
  const guess: RecordedAnswer = { ...answer, turn };
  draft.memory.guesses = [...draft.memory.guesses.filter(({ key }) => key !== guess.key), guess];
}

function askMorePrecisely(draft: TurnDraft, item: PlanItem): void {
  draft.memory.attempts[item.key] = (draft.memory.attempts[item.key] ?? 0) + 1;
  draft.say(item.rephrase, item.discloses);
}

/** Asks for the next open item, or ends the call when there is none. */
export function askNext(draft: TurnDraft, heard: Heard | null): void {
  const [next] = draft.openItems();
  if (next === undefined) {
    draft.end('finished', 'thanks');
    return;
  }
  const isFirst = Object.keys(draft.memory.attempts).length === 0;
  const thanks =
    isFirst || draft.hasSpoken || heard === null ? '' : `${acknowledgement(draft.memory.turns)} `;
  draft.say(`${thanks}${next.question}`, next.discloses);
  draft.memory.pending = next.key;
  draft.memory.attempts[next.key] = 1;
}

function handleNoAnswer(draft: TurnDraft, heard: Heard, asked: PlanItem): void {
  if (heard.doesNotTell) {
    close(draft, asked);
    draft.say("That's all right.");
    askNext(draft, heard);
    return;
  }
  if (asked.kind === 'identifier' && heard.sentences.some(({ plain }) => denies(plain))) {
    // Not everybody gives numbers.
    close(draft, asked);
    askNext(draft, heard);
    return;
  }
  const onlyPolite = heard.statements.length === 0;
  if (onlyPolite) {
    draft.memory.stalled += 1;
    if (draft.memory.stalled >= maxStalled) {
      close(draft, asked);
      draft.memory.stalled = 0;
      askNext(draft, heard);
      return;
    }
    // The question was not heard or not yet up: put it again as it is.
    draft.say(asked.question, asked.discloses);
    return;
  }
  if ((draft.memory.attempts[asked.key] ?? 0) < maxAttempts) {
    askMorePrecisely(draft, asked);
    return;
  }
  close(draft, asked);
  askNext(draft, heard);
}

/** Leaves an item as it is: with the vague answer that there was, or open. */
function close(draft: TurnDraft, item: PlanItem): void {
  const guess = draft.memory.guesses.find(({ key }) => key === item.key);
  if (guess !== undefined) draft.record(guess);
  draft.memory.closed.push(item.key);
  draft.memory.pending = null;
}

/** Somebody who says goodbye is asked one thing more if the goal needs it, and then let go. */
export function holdBackOrEnd(draft: TurnDraft): void {
  const open = draft.openItems().filter(({ required }) => required);
  const [next] = open;
  if (next === undefined) {
    draft.end('finished', 'thanks');
    return;
  }
  if (draft.memory.held_back) {
    draft.end('gave-up', 'follow-up');
    return;
  }
  draft.memory.held_back = true;
  draft.say(`Before you go, please: ${next.question}`, next.discloses);
  draft.memory.pending = next.key;
  draft.memory.attempts[next.key] = (draft.memory.attempts[next.key] ?? 0) + 1;
}
