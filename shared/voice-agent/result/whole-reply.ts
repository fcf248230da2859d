import { type ItemKind, isClientsOwn, type PlanItem } from '../call-plan/call-plan.ts';
import { contentWords, plainWords } from '../call-plan/words.ts';
import { ceremony } from '../core/answer-in-words.ts';
import { entityTypes } from '../core/clause-value.ts';
import { isCorrection, takesBack } from '../core/corrections.ts';
import { leaningOf } from '../core/yes-no-value.ts';
import type { RecordedAnswer } from '../dialogue/dialogue-record.ts';
import { hasQuestionMark, plain, type Token, wordSet } from '../entities/tokens.ts';
import words from '../language/en-US/conditions.json' with { type: 'json' };
import type { Heard, Move } from '../understanding/understand.ts';
import { noWords, plainWordsIn, yesWords } from '../understanding/yes-and-no.ts';
import { conditionIn } from './conditions.ts';
import { quoted } from './written-values.ts';

/*
 * People rarely answer a client's question by a value alone: "We do. Only on Wednesdays.", "The first page is free.
 * Then it's ten cents." So it is answered by all words of the reply, and has a value only if none of them limits it.
 */

/** The prompt with the answer's quote, and those that follow it without a question of ours. */
export type Reply = readonly [Heard, ...Heard[]];

/** An answer in words, or a value that answers a client's question, with all words of the reply. */
export function inWholeReply(item: PlanItem, answer: RecordedAnswer, reply: Reply): RecordedAnswer {
  const [first, ...others] = reply;
  const own = { ...first, moves: around(answer.quote, first) };
  const spans = [own, ...others.map((heard) => ({ ...heard, moves: upToCeremony(heard.moves) }))];
  const quote = wordsOf(own) ?? answer.quote;
  const all = [quote, ...others.flatMap((_, at) => wordsOf(spans[at + 1]) ?? [])].join(' ');
  if (answer.value === null || item.kind === 'text') {
    const isInWords = answer.answer === answer.quote;
    return isInWords ? { ...answer, quote, answer: withSign(signOf(item, own), all) } : answer;
  }
  if (exact.has(item.kind) || !saysMore(item, answer, spans)) return answer;
  if (!isClientsOwn(item)) return inSentence(item, answer, first);
  const { value } = answer;
  const isYesOrNo = typeof value === 'boolean';
  const told = isYesOrNo ? withSign(value ? 'Yes' : 'No', all) : withSign(answer.answer, all);
  if (!isLimited(item, answer, spans)) return { ...answer, quote, answer: told };
  return { ...answer, quote, answer: isYesOrNo ? told : all, value: null };
}

/** A standard item's value with its sentence, if that tells tiers or stages: "Nothing in tier one, $2,000 in tier two." */
function inSentence(item: PlanItem, answer: RecordedAnswer, heard: Heard): RecordedAnswer {
  const { value, quote } = answer;
  const sentence = { ...heard, moves: sentenceAround(quote, heard) };
  const isYesOrNo = typeof value === 'boolean';
  const isPart = isYesOrNo
    ? has(sentence.moves, staged)
    : tiered.has(item.kind) && (value === 0 || hasSeveralValues(item, sentence.moves));
  if (!isPart || !saysMore(item, answer, [sentence])) return answer;
  const told = isYesOrNo ? (value ? 'Yes' : 'No') : answer.answer;
  return { ...answer, answer: withSign(told, wordsOf(sentence) ?? quote) };
}

const tiered: ReadonlySet<ItemKind> = new Set(['money', 'percentage']);

function sentenceAround(quote: string, { said, moves }: Heard): readonly Move[] {
  const from = said.indexOf(quote);
  const isWithin = ({ start, end }: Move): boolean => start < from + quote.length && end > from;
  const isEnd = ({ tokens }: Move): boolean => sentenceEnds.has(tokens.at(-1)?.kind ?? 'stop');
  const first = moves.findIndex(isWithin);
  const last = moves.findLastIndex(isWithin);
  const begin = moves.findLastIndex((move, at) => at < first && isEnd(move)) + 1;
  const end = moves.findIndex((move, at) => at >= last && isEnd(move));
  return first < 0 ? [] : moves.slice(begin, end < 0 ? undefined : end + 1);
}

const sentenceEnds: ReadonlySet<Token['kind']> = new Set(['stop', 'question']);

/** `Yes: "We do, only on Fridays."` */
function withSign(sign: string | null, text: string): string {
  return sign === null ? text : `${sign}: ${quoted(text)}`;
}

/** The yes or no of a reply that has no value: "Yes, if it is inside six miles." */
function signOf({ kind }: PlanItem, { moves }: Heard): string | null {
  const sign = kind === 'yes-no' ? leaningOf(moves) : null;
  return sign === null ? null : sign === 'yes' ? 'Yes' : 'No';
}

/** What is written down as such, whatever else is said. */
const exact: ReadonlySet<ItemKind> = new Set(['identifier', 'phone-number', 'name']);

/** The clauses around the quote, between ceremony and questions. */
function around(quote: string, { said, moves }: Heard): readonly Move[] {
  const from = said.indexOf(quote);
  const isWithin = ({ start, end }: Move): boolean => start < from + quote.length && end > from;
  const [first, last] = [moves.findIndex(isWithin), moves.findLastIndex(isWithin)];
  if (from < 0 || first < 0) return [];
  const begin = moves.findLastIndex((_, at) => at < first && isCeremony(moves, at)) + 1;
  const end = moves.findIndex((_, at) => at > last && isCeremony(moves, at));
  const span = moves.slice(begin, end < 0 ? undefined : end);
  return span.slice(span.findIndex((move) => isWithin(move) || move.act !== 'acknowledges'));
}

function upToCeremony(moves: readonly Move[]): readonly Move[] {
  const at = moves.findIndex((_, index) => isCeremony(moves, index));
  return at < 0 ? moves : moves.slice(0, at);
}

/** "Anything else?", "hold on"; not "…, and if you register before March 1 we knock it down to $590". */
function isCeremony(moves: readonly Move[], at: number): boolean {
  const move = moves[at];
  if (move === undefined || hasQuestionMark(move.tokens)) return true;
  const goesOn = moves[at - 1]?.tokens.at(-1)?.kind === 'comma';
  const asks = move.isQuestion && move.confidence >= leastAsking;
  const isEmpty = ceremony.has(move.act) && move.confidence >= leastCeremony && move.entities.length === 0;
  return !goesOn && (asks || isEmpty || move.act === 'confirms-booking');
}

/** Below these, what is like no known act may be anything: "Third grade and up, and I need a letter." */
const leastAsking = 0.6;
const leastCeremony = 0.35;

function wordsOf(heard: Heard | undefined): string | null {
  const [first, last] = [heard?.moves[0], heard?.moves.at(-1)];
  return heard === undefined || first === undefined || last === undefined
    ? null
    : heard.said.slice(first.start, last.end);
}

/** Words beside the value, a yes or no, and the question's own. */
function saysMore(item: PlanItem, answer: RecordedAnswer, spans: readonly Heard[]): boolean {
  const known = typeof answer.value === 'boolean' ? item.question : `${item.question} ${answer.answer}`;
  const asked = new Set(contentWords(known));
  const beside = spans
    .flatMap(({ moves }) => moves)
    .flatMap((move) => {
      const values = valuesIn(item, move);
      const tokens = move.tokens.filter(
        ({ start, end }) => !values.some((one) => start >= one.start && end <= one.end),
      );
      return plainWords(plain(tokens)).filter((word) => !yesWords.has(word) && !noWords.has(word));
    });
  return (
    contentWords(beside.join(' ')).some((word) => !asked.has(word)) || beside.some((word) => partly.has(word))
  );
}

function valuesIn({ kind }: PlanItem, { entities }: Move): Move['entities'] {
  const isTimely = kind === 'date' || kind === 'date-time';
  return entities.filter(
    ({ type }) =>
      entityTypes[kind]?.includes(type) || (isTimely && (type === 'time' || type === 'time-range')),
  );
}

/** A condition, a word of limitation, another value, or a no beside a yes. */
function isLimited(item: PlanItem, { value }: RecordedAnswer, spans: readonly Heard[]): boolean {
  const isYesOrNo = typeof value === 'boolean';
  const moves = spans.flatMap((span) => span.moves);
  const isCorrected = moves.some((move) => isCorrection(move) || takesBack(move));
  const isPrice = item.kind === 'money' && value !== 0;
  const isLimit = ({ norm }: Token): boolean => limiting.has(norm) || (isPrice && norm === free);
  const other = value === true ? 'no' : 'yes';
  const hasCondition = (heard: Heard): boolean =>
    heard.moves.some((move) => conditionIn({ question: item.question, isYesOrNo }, move, heard) !== null);
  return (
    (!isCorrected && hasSeveralValues(item, moves)) ||
    moves.some(({ tokens }) => tokens.some(isLimit) || (isYesOrNo && plainWordsIn(tokens).has(other))) ||
    (isYesOrNo && has(moves, partly)) ||
    spans.some(hasCondition)
  );
}

/** The values for an item; "free" is one, too. */
function valuesOf(item: PlanItem, moves: readonly Move[]): string[] {
  const values = moves.flatMap((move) => valuesIn(item, move)).map(({ value }) => JSON.stringify(value));
  const isFree =
    item.kind === 'money' && moves.some(({ tokens }) => tokens.some(({ norm }) => norm === free));
  return isFree ? [...values, '0'] : values;
}

function hasSeveralValues(item: PlanItem, moves: readonly Move[]): boolean {
  return new Set(valuesOf(item, moves)).size > 1;
}

/** "Only to people of this county", "some of it, yes": whether the reply around a quote tells an exception, or a part. */
export function exceptionIn(quote: string, heard: Heard): 'except' | 'partly' | null {
  const moves = around(quote, heard);
  if (has(moves, partly)) return 'partly';
  return has(moves, excepting) ? 'except' : null;
}

function has(moves: readonly Move[], of: ReadonlySet<string>): boolean {
  return moves.some(({ tokens }) => tokens.some(({ norm }) => of.has(norm)));
}

/** Whether the reply around a quote tells several values for an item, and all of them. */
export function tellsSeveral(item: PlanItem, quote: string, heard: Heard): boolean {
  const [within, all] = [around(quote, heard), heard.moves].map((moves) => valuesOf(item, moves));
  return new Set(within).size > 1 && new Set(within).size === new Set(all).size;
}

const free = 'free';
const limiting = wordSet(words.limiting);
const excepting = wordSet(words.excepting);
const partly = wordSet(words.partly);
const staged = wordSet(words.staged);
