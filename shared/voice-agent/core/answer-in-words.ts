import { isClientsOwn, type PlanItem } from '../call-plan/call-plan.ts';
import { contentWords, plainWords } from '../call-plan/words.ts';
import type { Entity } from '../entities/entity.ts';
import { plain, type Token, tokenize, wordSet } from '../entities/tokens.ts';
import { weekdayNames } from '../language/calendar.ts';
import words from '../language/en-US/cue-words.json' with { type: 'json' };
import { negations } from '../understanding/features.ts';
import type { Heard, Move } from '../understanding/understand.ts';
import { leastNamed } from './clause-topic.ts';
import type { Evidence } from './clause-value.ts';
import { isCorrection, takesBack } from './corrections.ts';
import { mayAnswerOpenQuestion, openAnswerLikelihood } from './open-answer.ts';
import { joining } from './stated-answers.ts';

/* A free answer: the words of a prompt that form it, and whether they are an answer at all. */

/** Acts that belong to no answer, though a recognizer without punctuation puts them into its sentence. */
export const ceremony: ReadonlySet<string> = new Set([
  'greeting',
  'back',
  'hold',
  'transfer',
  'go-ahead',
  'invites-more',
  'closes',
  'introduces-person',
  'asks-repeat',
  'offers-help',
]);
/** Acts that never begin an answer. */
const around: ReadonlySet<string> = new Set([
  ...ceremony,
  ...['acknowledges', 'yes', 'no', 'withholds', 'does-not-know', 'not-found'],
]);

/** Asked again, and accepted when repeated. */
const doubtful = 0.45;
const leastOwn = 0.1;
/** A story contains no name, unless its words are certainly about one. */
const mostAroundName = 11;
const leastOfName = 0.5;

/**
 * All clauses of the answer verbatim, including earlier ones except ceremony; doubtful if they hardly
 * answer such a question.
 */
export function answerInWords(item: PlanItem, group: readonly Evidence[], heard: Heard): Evidence {
  const { said, moves } = heard;
  const [first] = group as readonly [Evidence, ...Evidence[]];
  const spans = onOneSide(
    item,
    moves,
    moves.filter(({ text }) => group.some(({ quote }) => quote === text)),
  );
  const start = leadOf(moves, spans[0])?.start ?? spans[0]?.start ?? said.indexOf(first.quote);
  const end = tailOf(moves, spans.at(-1))?.end ?? start + first.quote.length;
  const quote = said.slice(start, end);
  const within = moves.filter((move) => move.start >= start && move.end <= end);
  const confidence = Math.max(...group.map((evidence) => evidence.confidence));
  const told = group.find((evidence) => evidence.value !== null)?.value ?? null;
  const value = typeof told === 'boolean' && deniesPart(item, within, told) ? null : told;
  const isAnswer =
    answers(item, within) &&
    !isVague(item, within) &&
    (told !== null ? value !== null : !isThin(item, within));
  return {
    ...first,
    quote,
    answer: quote,
    value,
    corrects: group.some(({ corrects }) => corrects),
    confidence: isAnswer ? confidence : Math.min(confidence, doubtful),
  };
}

/** "Before I start, is it for herself? Three different answers.": no answer spans a question of theirs. */
function onOneSide(
  { key, question }: PlanItem,
  moves: readonly Move[],
  spans: readonly Move[],
): readonly Move[] {
  const [first, last] = [spans[0], spans.at(-1)];
  const asking = moves.findLastIndex(
    (move) =>
      move.isQuestion &&
      move.start > (first?.start ?? 0) &&
      move.end < (last?.end ?? 0) &&
      !spans.includes(move),
  );
  if (asking < 0) return spans;
  const at = moves[asking]?.start ?? 0;
  const sides = [spans.filter(({ start }) => start < at), spans.filter(({ start }) => start > at)];
  // "You want the reason, I'm guessing. Reason is the code": a side that names the topic says more than its words.
  const likely = (side: readonly Move[]): number =>
    openAnswerLikelihood(
      question,
      side.flatMap(({ tokens }) => tokens),
    ) + Math.max(0, ...side.map(({ claims }) => ownShare(claims, key)));
  return sides.toSorted((one, other) => likely(other) - likely(one))[0] ?? spans;
}

/** "Harbor Indemnity. Only the one plan": the preceding words belong to the answer. */
function leadOf(moves: readonly Move[], from: Move | undefined): Move | undefined {
  if (from === undefined) return undefined;
  const at = moves.indexOf(from);
  const before = moves
    .slice(0, at)
    .findLastIndex((move, index) => move.isQuestion || (around.has(move.act) && !goesOn(moves[index + 1])));
  return moves[before + 1];
}

/** "Just athletic shoes / and shorts": a continuation needs the previous clause. */
function goesOn(move: Move | undefined): boolean {
  return joining.has(move?.tokens.find(({ kind }) => kind === 'word')?.norm ?? '');
}

/** The sentence continues: "in plain words, the bill never came", "the report / and the notes". */
function tailOf(moves: readonly Move[], to: Move | undefined): Move | undefined {
  const next = to === undefined ? undefined : moves[moves.indexOf(to) + 1];
  if (to === undefined || next === undefined || next.isQuestion) return to;
  // "Wait. Wrong fax. 202-555-0124.": what puts a value right belongs to it.
  const [before, after] = [to, next].map((move) => isCorrection(move) || takesBack(move));
  if (before ? after || next.entities.length > 0 : after && to.entities.length > 0)
    return tailOf(moves, next);
  if (around.has(next.act)) return to;
  return to.tokens.at(-1)?.kind === 'comma' || goesOn(next) ? tailOf(moves, next) : to;
}

function answers(item: PlanItem, moves: readonly Move[]): boolean {
  const tokens = moves.flatMap((move) => move.tokens);
  if (asksForDays(item.question) && !tokens.some(isDay)) return false;
  if (asksWhen(item.question) && !moves.some(tellsWhen)) return false;
  if (asksForDeadline(plainWords(item.question)) && moves.some(isApproximate)) return false;
  const own = Math.max(0, ...moves.map(({ claims }) => ownShare(claims, item.key)));
  const isName = asksForName(item);
  const isLong = tokens.filter(({ kind }) => kind === 'word').length > mostAroundName;
  if (isName && isLong && own < leastOfName) return false;
  return (
    (isName ? namesSomething(tokens) : null) ??
    (own >= leastOwn || takesUp(item, moves) || mayAnswerOpenQuestion(item.question, tokens))
  );
}

/** "The shortest is one month": the question's own word beside a value. */
function takesUp({ question }: PlanItem, moves: readonly Move[]): boolean {
  const asked = new Set(contentWords(question));
  return moves.some(
    ({ text, entities, isQuestion }) =>
      !isQuestion && entities.length > 0 && contentWords(text).some((word) => asked.has(word)),
  );
}

/**
 * "Pages are stuck.", "the usual stuff": a few words without the topic are more likely said to themselves; not
 * "nothing". The topic of a client's question is unknown.
 */
function isThin(item: PlanItem, moves: readonly Move[]): boolean {
  const words = moves.flatMap(({ text }) => contentWords(text));
  return (
    !isClientsOwn(item) &&
    !asksForName(item) &&
    words.length <= mostThin &&
    moves.every(
      ({ entities, claims, tokens }) =>
        entities.length === 0 &&
        ownShare(claims, item.key) < leastNamed &&
        !tokens.some(({ norm }) => negations.has(norm)),
    )
  );
}

const mostThin = 3;

/** "Some kind of paper thing", "we need two papers": says that there is something, not what. */
function isVague({ question }: PlanItem, moves: readonly Move[]): boolean {
  const asked = new Set(contentWords(question));
  // The sender adds nothing.
  const said = moves.flatMap(({ text }) => contentWords(text.split(' from ')[0] ?? ''));
  return (
    said.some((word) => placeholders.has(word)) &&
    said.every((word) => placeholders.has(word) || fillers.has(word) || asked.has(word)) &&
    moves.every(({ entities }) => entities.every(({ type }) => type === 'quantity' || type === 'number'))
  );
}

/** "We don't need the images": that one thing is not needed does not say that nothing is. */
function deniesPart({ question }: PlanItem, moves: readonly Move[], value: boolean): boolean {
  const asked = new Set(contentWords(question));
  const said = moves.flatMap(({ tokens }) => plainWords(plain(tokens)));
  const at = said.findIndex((word) => negations.has(word));
  const behind = said.slice(at + 1, at + 1 + mostDenied);
  const denied = contentWords(behind.join(' '));
  return (
    at >= 0 &&
    // "We don't have the images" does say that something is missing.
    (!value || behind.some((word) => needingWords.has(word))) &&
    !said.some((word) => totals.has(word)) &&
    denied.some((word) => !placeholders.has(word) && !fillers.has(word) && !asked.has(word))
  );
}

const mostDenied = 5;
const totals = wordSet(words.totals);
const needingWords = wordSet(words.needing);

const placeholders: ReadonlySet<string> = new Set(contentWords(words.placeholders));
const fillers: ReadonlySet<string> = new Set(contentWords(words.fillers));

function asksForName({ question }: PlanItem): boolean {
  return plainWords(question).includes('name');
}

/** "On which days are you open?": "a couple of times a week" names none. */
function asksForDays(question: string): boolean {
  const [first = '', second = '', third = ''] = plainWords(question);
  const [which, what] = first === 'on' ? [second, third] : [first, second];
  return (which === 'which' || which === 'what') && (what === 'days' || what === 'day');
}

/** "Until when can an appeal be filed?", "What is the deadline?" */
function asksWhen(question: string): boolean {
  const words = plainWords(question);
  return words.slice(0, 2).includes('when') || asksForDeadline(words);
}

function asksForDeadline(words: readonly string[]): boolean {
  return words.includes('deadline');
}

function tellsWhen({ tokens, entities }: Move): boolean {
  return entities.some(isTime) || tokens.some((token) => isDay(token) || whenWords.has(token.norm));
}

/** "About six months", "a couple of months yet": too vague for a deadline. */
function isApproximate({ tokens }: Move): boolean {
  return tokens.some(({ norm }) => norm.split(' ').some((word) => approximations.has(word)));
}

const approximations = wordSet(words.approximations);

/** "Two things" is not a time, "two weeks" is. */
function isTime(entity: Entity): boolean {
  return entity.type === 'quantity' ? whenWords.has(entity.value.unit ?? '') : timely.has(entity.type);
}

const timely: ReadonlySet<Entity['type']> = new Set(['date', 'moment', 'time', 'time-range']);
const whenWords = new Set(words.whens.split(' '));

function isDay({ norm }: Token): boolean {
  return days.some((day) => norm.startsWith(day)) || dayWords.has(norm);
}

const days = weekdayNames.map((name) => name.toLowerCase());
const dayWords = new Set(words.days.split(' '));

function ownShare(claims: Move['claims'], key: string): number {
  return claims.find(({ label }) => label.split('=')[0] === key)?.confidence ?? 0;
}

/** Whether words without a recognized name may contain one: a story does not. */
export function mayName(text: string): boolean {
  const tokens = tokenize(text);
  const isLong = tokens.filter(({ kind }) => kind === 'word').length > mostAroundName;
  return namesSomething(tokens) ?? !isLong;
}

/** Whether the words contain a name; null without the capitals that would show it. */
function namesSomething(tokens: readonly Token[]): boolean | null {
  const spoken = tokens.filter(({ kind }) => kind === 'word');
  if (!spoken.some(isCapital)) return null;
  return tokens.some((token, at) => {
    if (token.kind !== 'word' || !isCapital(token) || token.norm.startsWith('i ') || token.norm === 'i')
      return false;
    const isFirst = at === 0 || tokens[at - 1]?.kind === 'stop';
    return !isFirst || spoken.length <= 2 || tokens[at + 1]?.kind === 'number';
  });
}

function isCapital({ text }: Token): boolean {
  return text.slice(0, 1) !== text.slice(0, 1).toLowerCase();
}
