import type { PlanItem } from '../call-plan/call-plan.ts';
import { entityTypes } from '../call-plan/item-values.ts';
import { hasQuestionMark, type Token, wordSet } from '../entities/tokens.ts';
import words from '../language/en-US/conditions.json' with { type: 'json' };
import type { Heard, Move } from '../understanding/understand.ts';
import { ceremony } from './answer-in-words.ts';

/* The reply to our question: its clauses, values and exceptions. */

/** The clauses around the quote, between ceremony and questions. */
export function replyAround(quote: string, heard: Heard): readonly Move[] {
  const { moves } = heard;
  const { first, last, isWithin } = clausesOf(quote, heard);
  if (first < 0) return [];
  const begin = moves.findLastIndex((_, at) => at < first && isCeremony(moves, at)) + 1;
  const end = moves.findIndex((_, at) => at > last && isCeremony(moves, at));
  const span = moves.slice(begin, end < 0 ? undefined : end);
  return span.slice(span.findIndex((move) => isWithin(move) || move.act !== 'acknowledges'));
}

export function upToCeremony(moves: readonly Move[]): readonly Move[] {
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

/** The positions of the quote's first and last clause; -1 if it was not said. */
function clausesOf(quote: string, { said, moves }: Heard) {
  const from = said.indexOf(quote);
  const isWithin = ({ start, end }: Move): boolean => from >= 0 && start < from + quote.length && end > from;
  return { first: moves.findIndex(isWithin), last: moves.findLastIndex(isWithin), isWithin };
}

/** The sentence around the quote. */
export function sentenceAround(quote: string, heard: Heard): readonly Move[] {
  const { moves } = heard;
  const { first, last } = clausesOf(quote, heard);
  const isEnd = ({ tokens }: Move): boolean => sentenceEnds.has(tokens.at(-1)?.kind ?? 'stop');
  const begin = moves.findLastIndex((move, at) => at < first && isEnd(move)) + 1;
  const end = moves.findIndex((move, at) => at >= last && isEnd(move));
  return first < 0 ? [] : moves.slice(begin, end < 0 ? undefined : end + 1);
}

const sentenceEnds: ReadonlySet<Token['kind']> = new Set(['stop', 'question']);

/** The entities that may answer an item. */
export function valuesIn({ kind }: PlanItem, { entities }: Move): Move['entities'] {
  const isTimely = kind === 'date' || kind === 'date-time';
  return entities.filter(
    ({ type }) =>
      entityTypes[kind]?.includes(type) || (isTimely && (type === 'time' || type === 'time-range')),
  );
}

/** The values for an item; "free" is one, too, and so are "nothing" and "none", but not "nothing else". */
function valuesOf(item: PlanItem, moves: readonly Move[]): string[] {
  const values = moves.flatMap((move) => valuesIn(item, move)).map(({ value }) => JSON.stringify(value));
  const isShare = item.kind === 'money' || item.kind === 'percentage';
  return isShare && moves.some(({ tokens }) => tokens.some(isNil)) ? [...values, '0'] : values;
}

function isNil({ norm }: Token, at: number, tokens: readonly Token[]): boolean {
  return norm === free || (nilWords.has(norm) && !furtherWords.has(tokens[at + 1]?.norm ?? ''));
}

/** Two amounts, or one beside "free". */
export function hasSeveralValues(item: PlanItem, moves: readonly Move[]): boolean {
  return new Set(valuesOf(item, moves)).size > 1;
}

/** "Only to people here", "some of it, yes": whether a reply makes an exception, or tells of a part. */
export function exceptionIn(quote: string, heard: Heard): 'except' | 'partly' | null {
  const moves = replyAround(quote, heard);
  if (hasWord(moves, partly)) return 'partly';
  return hasWord(moves, excepting) ? 'except' : null;
}

/** Whether one of the words is said. */
export function hasWord(moves: readonly Move[], of: ReadonlySet<string>): boolean {
  return moves.some(({ tokens }) => tokens.some(({ norm }) => of.has(norm)));
}

/** Whether the reply around a quote contains several values for an item, and the rest of the prompt no other. */
export function tellsSeveral(item: PlanItem, quote: string, heard: Heard): boolean {
  const [within, all] = [replyAround(quote, heard), heard.moves].map((moves) => valuesOf(item, moves));
  return new Set(within).size > 1 && new Set(within).size === new Set(all).size;
}

/** What makes a price nothing. */
export const free = 'free';
const nilWords: ReadonlySet<string> = new Set(['nothing', 'none']);
const furtherWords = wordSet(words.further);
const excepting = wordSet(words.excepting);
/** "From the thirteenth on": words of an answer that holds for a while. */
export const staged = wordSet(words.staged);
/** Words of a part: "some of it". */
export const partly = wordSet(words.partly);
