import type { RecordedAnswer } from '../dialogue/dialogue-record.ts';
import { denies, isUnknownToThem, isWithheld } from '../language/polarity.ts';
import { plainOf } from '../language/text.ts';
import type { PlanItem } from '../plan/call-plan.ts';
import { isRelevant } from '../plan/progress.ts';
import type { FoundAnswer, Reply } from './answers/reply.ts';
import { withoutEchoes } from './echoes.ts';
import { answerQuestions } from './fact-answers.ts';
import { findAnswers } from './find-answers.ts';
import { signalsIn } from './line-signals.ts';
import { acknowledgement } from './phrasing.ts';
import {
  correctEarlier,
  type Doubt,
  earlierMeant,
  noteForEarlier,
  putRightWhatIsNamed,
  recordVolunteered,
} from './put-right.ts';
import { readable, readBackKey, readLastBack, settleReadBack } from './read-back.ts';
import { isPlausible, recordAnswer, withoutMarks } from './record-answer.ts';
import {
  answerCheckBack,
  answerOtherQuestions,
  handleObstacle,
  repeatLast,
  sayWaiting,
  wantsRepetition,
} from './side-talk.ts';
import { contentWords } from './statements.ts';
import type { TurnDraft } from './turn-draft.ts';
import type { Heard } from './understanding.ts';

/** How often an item is asked for before it is left open: once, and once more precisely. */
const maxAttempts = 2;
/** How often in a row a question is put again to somebody who only says "okay". */
const maxStalled = 4;

/** How often in a row they may refuse an answer before the call is of no use. */
const maxWithheld = 3;

/** Goes through the items of a plan one by one: insurers, claims departments, offices. */
export function proceedWithQuestions(draft: TurnDraft, heard: Heard): void {
  if (draft.memory.pending === readBackKey) {
    settleReadBack(draft, heard);
    return;
  }
  // A question that was cut off has not been asked.
  const asked = draft.memory.cut?.question === true ? null : draft.pendingItem;
  const reply = correctEarlier(
    draft,
    heard,
    withoutEchoes(draft, withoutRequests(heard, withoutObstacles(replyIn(draft, heard), asked))),
  );
  const found = findAnswers(reply, draft.plan, asked, (answer) => isSaidBefore(draft, answer)).filter(
    (answer) => !admitsIgnorance(answer),
  );
  const earlier = asked === null ? null : earlierMeant(draft, heard, asked);
  if (earlier !== null) {
    noteForEarlier(draft, heard, reply, earlier);
    if (heard.questions.length > 0) answerQuestions(draft, heard.questions);
    else if (asked !== null) draft.say(asked.question, asked.discloses);
    return;
  }
  putRightWhatIsNamed(draft, heard);
  const doubtful = recordVolunteered(draft, heard, found, asked);
  const answer =
    asked === null
      ? undefined
      : found.find(
          (one) => one.key === asked.key && !isChat(heard, asked, one) && !asksForFact(heard, asked, one),
        );

  if (asked !== null && answer !== undefined) {
    if (answer.isVague && (draft.memory.attempts[asked.key] ?? 0) < maxAttempts && !heard.endsInHold) {
      keepGuess(draft, answer, heard.turn);
      if (heard.questions.length > 0) answerQuestions(draft, heard.questions);
      else askMorePrecisely(draft, asked);
      return;
    }
    if (
      !(
        answer.isVague &&
        (heard.endsInHold || !isPlausible(asked, { ...withoutMarks(answer), turn: heard.turn }))
      )
    ) {
      settle(draft, answer, heard.turn);
    }
  }
  const isSettled = asked === null || draft.answers.has(asked.key) || !isRelevant(asked, draft.answers);
  if (doubtful !== null && heard.questions.length === 0) {
    askWhichHolds(draft, doubtful);
    return;
  }

  // "Yes, we need a referral." answers our question and asks none.
  const questions = heard.questions.filter(
    ({ sentence }) => asked?.kind !== 'yes-no' || sentence.isQuestion || answer?.quote !== sentence.text,
  );
  if (questions.length > 0) {
    answerQuestions(draft, questions);
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

/** The reply, with what is known of the patient's case. */
function replyIn(draft: TurnDraft, { reply }: Heard): Reply {
  return draft.answers.get('in_network')?.value === false ? { ...reply, isOutOfNetwork: true } : reply;
}

/** "I need the member ID, please": what asks us for something answers nothing. */
function withoutRequests({ questions }: Heard, reply: Reply): Reply {
  const sentences = reply.sentences.filter(
    (sentence) =>
      /\d/.test(sentence.plain) ||
      !questions.some((question) => question.sentence === sentence && isRequest.test(sentence.plain)),
  );
  return sentences.length === reply.sentences.length ? reply : { ...reply, sentences };
}

const isRequest =
  /\b(?:i|we)(?:'ll| will|'d)? (?:just |also |still |first |then )*(?:need|require)\b.{0,40}$/;

/** Sentences that only refuse ("we need an authorization on file") answer nothing. */
function withoutObstacles(reply: Reply, asked: PlanItem | null): Reply {
  if (asked?.key.startsWith('question_') === true) return reply;
  const sentences = reply.sentences.filter(({ plain }) => {
    const signals = signalsIn(plain);
    return !signals.has('needs-principal') && !signals.has('cannot-go-on') && !isWithheld(plain);
  });
  return sentences.length === reply.sentences.length ? reply : { ...reply, sentences };
}

function isSaidBefore(draft: TurnDraft, { key, value, answer }: FoundAnswer): boolean {
  const known = draft.answers.get(key);
  return known !== undefined && (known.value === value || known.answer === answer);
}

/** "No, I don't have that here" denies nothing but the knowledge. */
function admitsIgnorance({ quote }: FoundAnswer): boolean {
  const plain = plainOf(quote);
  const tellsMore =
    /\b(?:but|however|though)\b.*\w{3}/.test(plain) || /[$%]|\d/.test(plain.replaceAll(/\b1\b/g, ''));
  return (isUnknownToThem(plain) || isWithheld(plain)) && !tellsMore;
}

/** "And her birthday." wants a fact and names nothing. */
function asksForFact({ questions }: Heard, { kind }: PlanItem, { quote }: FoundAnswer): boolean {
  return kind === 'text' && questions.some(({ sentence }) => sentence.text === quote);
}

/** "My, you have a nice voice, do you ever get a day off?" has nothing to do with what was asked. */
function isChat(heard: Heard, asked: PlanItem, { value, quote }: FoundAnswer): boolean {
  if (value !== null || heard.otherQuestions.length === 0 || /\d/.test(plainOf(quote))) return false;
  const words = new Set(contentWords(asked.question.toLowerCase()));
  return !contentWords(plainOf(quote)).some((word) => words.has(word));
}

function settle(draft: TurnDraft, answer: FoundAnswer, turn: number): void {
  recordAnswer(draft, answer, turn);
  draft.memory.pending = null;
  draft.memory.repeats = 0;
}

function keepGuess(draft: TurnDraft, found: FoundAnswer, turn: number): void {
  const guess: RecordedAnswer = { ...withoutMarks(found), turn };
  draft.memory.guesses = [...draft.memory.guesses.filter(({ key }) => key !== guess.key), guess];
}

function askMorePrecisely(draft: TurnDraft, item: PlanItem): void {
  draft.memory.attempts[item.key] = (draft.memory.attempts[item.key] ?? 0) + 1;
  draft.say(item.rephrase, item.discloses);
}

/** Asks back once; until that is answered, what was said last holds. */
function askWhichHolds(draft: TurnDraft, { known, other }: Doubt): void {
  const item = draft.item(known.key);
  if (item === undefined) return;
  draft.memory.doubted.push(known.key);
  draft.memory.guesses = [...draft.memory.guesses.filter(({ key }) => key !== known.key), other];
  draft.retract(known.key);
  draft.memory.pending = known.key;
  draft.memory.attempts[known.key] = maxAttempts;
  draft.say(
    `I have heard both ${spokenValue(item, known)} and ${spokenValue(item, other)} now. ${item.question}`,
    item.discloses,
  );
}

/** No more of an answer than the value that is in doubt. */
function spokenValue(item: PlanItem, answer: RecordedAnswer): string {
  if (typeof answer.value === 'boolean') return answer.value ? 'yes' : 'no';
  return readable(item, answer) ?? String(answer.value ?? answer.answer);
}

function handleNoAnswer(draft: TurnDraft, heard: Heard, asked: PlanItem): void {
  if (heard.sentences.some(({ plain }) => isWithheld(plain) || signalsIn(plain).has('cannot-go-on'))) {
    draft.memory.withheld += 1;
    if (draft.memory.withheld >= maxWithheld) {
      draft.followUp(`They said: "${heard.said.trim()}"`);
      draft.end('declined', 'follow-up');
      return;
    }
  }
  if (heard.doesNotTell) {
    draft.memory.given_up.push(asked.key);
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
  if (guess !== undefined && isPlausible(item, guess)) draft.record(guess);
  draft.memory.closed.push(item.key);
  draft.memory.pending = null;
}

/** Asks for the next open item, or ends the call when there is none. */
export function askNext(draft: TurnDraft, heard: Heard | null): void {
  const [next] = draft.openItems();
  if (next === undefined) {
    if (askOnceMore(draft)) return;
    if (!readLastBack(draft, heard)) draft.end('finished', 'thanks');
    return;
  }
  const isFirst = Object.keys(draft.memory.attempts).length === 0;
  const thanks =
    isFirst || draft.hasSpoken || heard === null ? '' : `${acknowledgement(draft.memory.turns)} `;
  draft.say(`${thanks}${next.question}`, next.discloses);
  draft.memory.pending = next.key;
  draft.memory.attempts[next.key] = 1;
}

/** What the goal needs and nobody has answered or declined is asked for once more before the call ends. */
function askOnceMore(draft: TurnDraft): boolean {
  const { memory } = draft;
  const item = draft.plan.items.find(
    (one) =>
      one.required &&
      one.asked &&
      isRelevant(one, draft.answers) &&
      !draft.answers.has(one.key) &&
      memory.closed.includes(one.key) &&
      !memory.given_up.includes(one.key),
  );
  if (item === undefined) return false;
  memory.given_up.push(item.key);
  memory.closed = memory.closed.filter((key) => key !== item.key);
  memory.pending = item.key;
  memory.attempts[item.key] = maxAttempts;
  memory.stalled = 0;
  draft.say(`One thing is still open. ${item.question}`, item.discloses);
  return true;
}

/** Somebody who says goodbye is asked one thing more if the goal needs it, and then let go. */
function holdBackOrEnd(draft: TurnDraft): void {
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
