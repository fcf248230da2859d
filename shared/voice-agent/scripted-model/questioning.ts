import type { RecordedAnswer } from '../dialogue/dialogue-record.ts';
import { spokenDate } from '../language/calendar.ts';
import { denies, isUnknownToThem, isWithheld, takesBack } from '../language/polarity.ts';
import { spelledIdentifier, spokenPhoneNumber } from '../language/speech.ts';
import { plainOf } from '../language/text.ts';
import { writtenMoney } from '../language/values.ts';
import type { PlanItem } from '../plan/call-plan.ts';
import { isRelevant } from '../plan/progress.ts';
import { saysUndecided } from './answers/claim-status.ts';
import type { FoundAnswer, Reply } from './answers/reply.ts';
import { withoutEchoes } from './echoes.ts';
import { answerQuestions } from './fact-answers.ts';
import { findAnswers } from './find-answers.ts';
import { signalsIn } from './line-signals.ts';
import { acknowledgement } from './phrasing.ts';
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

/**
 * The question of the client's that the words speak of, when it is one asked before and not the one asked now: whoever
 * pauses within an answer goes on after our next question.
 */
function earlierMeant(draft: TurnDraft, heard: Heard, asked: PlanItem): PlanItem | null {
  if (!asked.key.startsWith('question_') || heard.statements.length === 0) return null;
  const said = new Set(heard.statements.flatMap(({ plain }) => contentWords(plain)));
  const shared = (item: PlanItem): number =>
    new Set(contentWords(item.question.toLowerCase()).filter((word) => said.has(word))).size;
  const own = shared(asked);
  if (own > 0) return null;
  const others = draft.plan.items
    .filter(({ key }) => key !== asked.key && (draft.memory.attempts[key] ?? 0) > 0)
    .map((item) => ({ item, count: shared(item) }))
    .sort((a, b) => b.count - a.count);
  const [best] = others;
  return best === undefined || best.count < 2 ? null : best.item;
}

/** Words that belong to an earlier question answer it if it is still open. */
function noteForEarlier(draft: TurnDraft, heard: Heard, reply: Reply, item: PlanItem): void {
  const known = draft.answers.get(item.key);
  const answer = findAnswers(reply, draft.plan, item).find(({ key }) => key === item.key);
  // A figure is worth more than the words that stood in for it.
  if (known !== undefined && (known.value !== null || (answer?.value ?? null) === null)) return;
  if (answer === undefined || !isPlausible(item, { ...withoutMarks(answer), turn: heard.turn })) return;
  const { pending } = draft.memory;
  recordAnswer(draft, answer, heard.turn);
  draft.memory.pending = pending;
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

/** "I told you six hours, but it is eight": the earlier answer that has the named figure gets the new one. */
function putRightWhatIsNamed(draft: TurnDraft, heard: Heard): void {
  for (const { plain, text } of heard.sentences) {
    const { old, right } = contrasted.exec(plain)?.groups ?? {};
    if (old === undefined || right === undefined || unitOf(old) !== unitOf(right)) continue;
    const known = [...draft.answers.values()].filter(({ value }) => value === figureOf(old));
    const [answer] = known;
    if (answer === undefined || known.length > 1) continue;
    draft.record({ ...answer, answer: text, value: figureOf(right), quote: text, turn: heard.turn });
  }
}

/** A figure told before, a word of contrast, and what it is; no other figure in between. */
const contrasted =
  /\b(?:i|we) (?:told|gave|said|mentioned|quoted|read)\b[^\d$]*(?<old>\$?\d[\d,]*(?:\.\d+)?%?)(?=[^\d$]*\b(?:but|actually|should|make that|meant|sorry)\b)[^\d$]*\b(?:is|it's|be|been|that|meant)\b[^\d$]{0,12}(?<right>\$?\d[\d,]*(?:\.\d+)?%?)/;

function figureOf(figure: string): number {
  return Number(figure.replaceAll(/[$,%]/g, ''));
}

function unitOf(figure: string): string {
  return figure.replaceAll(/[\d,.]/g, '');
}

function recordVolunteered(
  draft: TurnDraft,
  heard: Heard,
  found: readonly FoundAnswer[],
  asked: PlanItem | null,
): Doubt | null {
  let doubt: Doubt | null = null;
  for (const answer of found) {
    if (answer.key === asked?.key || answer.isVague) continue;
    const known = draft.answers.get(answer.key);
    if (known !== undefined && !heard.isCorrection && contradicts(draft, known, answer)) {
      doubt = { known, other: { ...withoutMarks(answer), turn: heard.turn } };
    }
    if (
      known !== undefined &&
      !heard.isCorrection &&
      !isMoreDefinite(known, answer) &&
      !undoesDenial(heard, known, answer)
    )
      continue;
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
  return doubt;
}

/** "Nothing to appeal, it hasn't been decided": it was no denial after all. */
function undoesDenial({ sentences }: Heard, known: RecordedAnswer, { key, value }: FoundAnswer): boolean {
  return (
    key === 'claim_status' &&
    known.value === 'denied' &&
    value !== 'denied' &&
    sentences.some(({ plain }) => saysUndecided(plain))
  );
}

/** Two answers to one item of which it is not clear which holds. */
interface Doubt {
  readonly known: RecordedAnswer;
  readonly other: RecordedAnswer;
}

function contradicts(draft: TurnDraft, known: RecordedAnswer, found: FoundAnswer): boolean {
  return (
    (typeof found.value === 'number' || typeof found.value === 'boolean') &&
    typeof known.value === typeof found.value &&
    known.value !== found.value &&
    !draft.memory.doubted.includes(found.key) &&
    draft.item(found.key)?.asked === true
  );
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

function withoutMarks({
  isVague: _vague,
  isLoose: _loose,
  ...answer
}: FoundAnswer): Omit<RecordedAnswer, 'turn'> {
  return answer;
}

/** "My, you have a nice voice, do you ever get a day off?" has nothing to do with what was asked. */
function isChat(heard: Heard, asked: PlanItem, { value, quote }: FoundAnswer): boolean {
  if (value !== null || heard.otherQuestions.length === 0 || /\d/.test(plainOf(quote))) return false;
  const words = new Set(contentWords(asked.question.toLowerCase()));
  return !contentWords(plainOf(quote)).some((word) => words.has(word));
}

/** How far a claim has come: what is said later outweighs what is less definite. */
const definiteness = ['received', 'processed', 'pending', 'approved', 'partially paid', 'paid', 'denied'];

function isMoreDefinite(known: RecordedAnswer, { key, value }: FoundAnswer): boolean {
  // A figure outweighs words in place of one.
  if ((key.startsWith('question_') || key === 'plan_name') && known.value === null && value !== null)
    return true;
  return (
    key === 'claim_status' &&
    definiteness.indexOf(String(value)) > definiteness.indexOf(String(known.value)) &&
    definiteness.includes(String(known.value)) &&
    definiteness.indexOf(String(known.value)) < definiteness.indexOf('partially paid')
  );
}

function isSaidBefore(draft: TurnDraft, { key, value, answer }: FoundAnswer): boolean {
  const known = draft.answers.get(key);
  return known !== undefined && (known.value === value || known.answer === answer);
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

/** Kinds of values by which a correction can be told from an answer. */
const figureKinds: ReadonlySet<PlanItem['kind']> = new Set([
  'money',
  'percentage',
  'number',
  'phone-number',
  'identifier',
  'date',
]);

/**
 * "I read that the wrong way around, the fee is 18.50. Please allow 15 days": the first figure puts an earlier answer
 * right, the rest answers the question. Gives the rest.
 */
function correctEarlier(draft: TurnDraft, heard: Heard, reply: Reply): Reply {
  const last = draft.memory.last_answered;
  const item = last === null ? undefined : draft.item(last);
  if (item === undefined || item.key === draft.memory.pending || !figureKinds.has(item.kind)) return reply;
  const start = reply.sentences.findIndex(({ plain }) => takesBack(plain));
  // Figures ahead of it in the same breath are what is taken back.
  const isInOneBreath = reply.sentences.slice(0, Math.max(0, start)).some(({ plain }) => /\d/.test(plain));
  if (start === -1 || isInOneBreath) return reply;
  const words = new Set(
    contentWords(`${item.question} ${draft.answers.get(item.key)?.quote ?? ''}`.toLowerCase()),
  );
  const index = reply.sentences.findIndex(
    ({ plain }, at) => at >= start && /\d/.test(plain) && contentWords(plain).some((word) => words.has(word)),
  );
  const sentence =
    reply.sentences[index] ?? reply.sentences.find(({ plain }, at) => at >= start && /\d/.test(plain));
  if (sentence === undefined) return reply;
  const corrected = findAnswers({ ...reply, sentences: [sentence] }, draft.plan, item).find(
    ({ key, value }) => key === item.key && value !== null,
  );
  if (corrected === undefined) return reply;
  recordAnswer(draft, corrected, heard.turn);
  return { ...reply, sentences: reply.sentences.filter((other) => other !== sentence) };
}

export function recordAnswer(draft: TurnDraft, found: FoundAnswer, turn: number): void {
  const { isVague: _vague, isLoose: _loose, ...answer } = found;
  // The patient's birthday, read back to us, is no date of theirs.
  const birth = draft.plan.facts.find(({ topic }) => topic === 'date-of-birth')?.value;
  if (answer.value !== null && answer.value === birth) return;
  draft.record({ ...answer, value: amountOf(draft, answer), turn });
  const met = draft.answers.get('deductible_met');
  if (answer.key === 'deductible' && met?.answer === 'fully met') {
    draft.record({ ...met, value: answer.value });
  }
  draft.memory.last_answered = answer.key;
  draft.memory.withheld = 0;
  draft.memory.held_back = false;
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

/**
 * The figure that came last is read back before the call ends: whoever misread it has no other occasion to put it right.
 */
function readLastBack(draft: TurnDraft, heard: Heard | null): boolean {
  const { memory } = draft;
  const key = memory.last_answered;
  const item = key === null ? undefined : draft.item(key);
  const answer = key === null ? undefined : draft.answers.get(key);
  const isFresh = heard !== null && answer?.turn === heard.turn;
  if (item === undefined || answer === undefined || !isFresh || memory.read_back) return false;
  const spoken = readable(item, answer);
  if (spoken === null || heard.signals.has('goodbye')) return false;
  memory.read_back = true;
  memory.pending = readBackKey;
  draft.say(`Thank you. Let me read that back: ${spoken}. Is that right?`);
  return true;
}

/** Stands for the item that was read back while its confirmation is awaited. */
const readBackKey = 'read-back';

/** A figure as it is read back; null for what is no figure. */
function readable({ kind, question }: PlanItem, { value }: RecordedAnswer): string | null {
  switch (kind) {
    case 'identifier':
      return typeof value === 'string' ? spelledIdentifier(value) : null;
    case 'phone-number':
      return typeof value === 'string' ? spokenPhoneNumber(value) : null;
    case 'money':
      return typeof value === 'number' && value > 0 ? writtenMoney(value) : null;
    case 'number':
    case 'percentage':
      return typeof value === 'number'
        ? `${value}${kind === 'percentage' ? ' percent' : unitIn(question)}`
        : null;
    case 'date':
      return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? spokenDate(value) : null;
    case 'yes-no':
    case 'date-time':
    case 'name':
    case 'claim-status':
    case 'text':
      return null;
  }
}

/** What a "how many" question counts, to say the number with. */
function unitIn(question: string): string {
  const unit = /\bhow many ((?:\w+ )?(?:minutes|hours|days|weeks|months|years|visits|sessions))\b/i.exec(
    question,
  )?.[1];
  return unit === undefined ? '' : ` ${unit}`;
}

/** After the read-back: right, or put right. */
function settleReadBack(draft: TurnDraft, heard: Heard): void {
  const key = draft.memory.last_answered;
  const item = key === null ? null : (draft.item(key) ?? null);
  draft.memory.pending = null;
  if (heard.questions.length > 0) {
    answerQuestions(draft, heard.questions);
    draft.memory.pending = readBackKey;
    return;
  }
  const isRight = heard.polarity === 'yes' && !heard.isCorrection;
  const putsRight =
    heard.polarity === 'no' ||
    heard.isCorrection ||
    heard.sentences.some(({ plain }) => /^(?:it's|it is|that's|it should be|should be)\b/.test(plain));
  const corrected =
    item === null || isRight || !putsRight
      ? undefined
      : findAnswers(heard.reply, draft.plan, item).find(
          (found) => found.key === key && found.value !== null && /\d/.test(plainOf(found.quote)),
        );
  if (corrected !== undefined && corrected.value !== draft.answers.get(corrected.key)?.value) {
    recordAnswer(draft, corrected, heard.turn);
  } else if (
    heard.polarity === 'no' &&
    corrected === undefined &&
    item !== null &&
    !draft.memory.closed.includes(item.key)
  ) {
    draft.memory.closed.push(item.key);
    draft.memory.pending = item.key;
    draft.say(`I'm sorry. ${item.rephrase}`, item.discloses);
    return;
  } else if (heard.endsInHold || wantsRepetition(heard)) {
    draft.memory.pending = readBackKey;
    if (heard.endsInHold) sayWaiting(draft);
    else repeatLast(draft);
    return;
  }
  draft.end('finished', 'thanks');
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

/** Words in place of a figure answer only when they say why there is none. */
function isPlausible({ kind }: PlanItem, { value, quote }: RecordedAnswer): boolean {
  if (value !== null || !figureKinds.has(kind)) return true;
  const plain = plainOf(quote);
  if (kind === 'phone-number' || kind === 'identifier')
    return /\b(?:no|not|n't|none|same)\b|n't\b/.test(plain);
  return /\d|\b(?:depends?|varies|vary|free|none|no|not|nothing|waived|covered|insurance|between|about|around|few|several|couple|usually|up to)\b|n't\b/.test(
    plain,
  );
}

/** Leaves an item as it is: with the vague answer that there was, or open. */
function close(draft: TurnDraft, item: PlanItem): void {
  const guess = draft.memory.guesses.find(({ key }) => key === item.key);
  if (guess !== undefined && isPlausible(item, guess)) draft.record(guess);
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
