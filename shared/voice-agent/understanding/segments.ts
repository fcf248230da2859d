import type { Token } from '../entities/tokens.ts';
import cues from '../language/en-US/cue-words.json' with { type: 'json' };
import { wordsOf } from './features.ts';
import { guess, type LinearModel } from './linear-model.ts';
import { subjects } from './yes-and-no.ts';

/*
 * One prompt contains several moves: "Yes, one moment. Okay, what's the date of birth?" They are split by
 * punctuation or the words around a gap, because some recognizers give no punctuation at all.
 */

/** The visible features around the gap before the token at a position. */
export function gapFeatures(tokens: readonly Token[], at: number): Map<string, number> {
  const before = wordsOf(tokens.slice(Math.max(0, at - 6), at)).slice(-3);
  const after = wordsOf(tokens.slice(at, at + 6)).slice(0, 3);
  const mark = markBefore(tokens, at);
  const [a1 = '$', a2 = '$', a3 = '$'] = after;
  const [b1 = '^', b2 = '^'] = before.toReversed();
  const names = [
    `m ${mark}`,
    `b ${b1}`,
    `a ${a1}`,
    `bb ${b2} ${b1}`,
    `aa ${a1} ${a2}`,
    `aaa ${a1} ${a2} ${a3}`,
    `ba ${b1} ${a1}`,
    `ma ${mark} ${a1}`,
    `mb ${mark} ${b1}`,
    `maa ${mark} ${a1} ${a2}`,
    `mba ${mark} ${b1} ${a1}`,
  ];
  return new Map(names.map((name) => [name, 0.5]));
}

function markBefore(tokens: readonly Token[], at: number): 'comma' | 'stop' | 'question' | 'none' {
  const kind = tokens[at - 1]?.kind;
  return kind === 'comma' || kind === 'stop' || kind === 'question' ? kind : 'none';
}

/** A gap is a possible start of a move: before a word, a number or a price after another token. */
export function isGap(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  const begins = token?.kind === 'word' || token?.kind === 'number' || token?.norm === '$';
  return at > 0 && begins && tokens[at - 1]?.kind !== 'sign';
}

/**
 * With punctuation, a gap without a mark must be more certain: half a move is understood worse than two in one.
 * Without punctuation, as from some recognizers, the words alone must do.
 */
const splitsAt = { comma: 0.6, none: 0.85, unmarked: 0.5 } as const;

/** The position of a value in the text: offsets, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

function isInside(token: Token | undefined, spans: readonly Span[]): boolean {
  return token !== undefined && spans.some(({ start, end }) => token.start > start && token.start < end);
}

const joiners = new Set(['and', 'with', 'but', 'then', 'plus', 'while']);

/** "Fifteen hundred with three hundred met, family is three thousand": each value gets its own words. */
function splitByValue(tokens: readonly Token[], values: readonly Span[], models: BoundaryModels): Token[][] {
  const parts: Token[][] = [];
  let rest = tokens;
  for (;;) {
    const from = rest[0]?.start ?? 0;
    const inside = values.filter(({ start, end }) => start >= from && end <= (rest.at(-1)?.end ?? from));
    const [first, second] = inside;
    const at = first === undefined || second === undefined ? -1 : jointBetween(rest, [first, second], models);
    if (at <= 0) return [...parts, [...rest]];
    parts.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
}

/** The position after the last comma between two values, at the joining word, or at the likeliest gap. */
function jointBetween(
  tokens: readonly Token[],
  [first, second]: readonly [Span, Span],
  { boundaries }: BoundaryModels,
): number {
  const comma = tokens.findLastIndex(
    ({ kind, start, end }) => kind === 'comma' && start >= first.end && end <= second.start,
  );
  if (comma >= 0) return comma + 1;
  const joiner = tokens.findIndex(
    ({ norm, start, end }) => joiners.has(norm) && start >= first.end && end <= second.start,
  );
  if (joiner >= 0) return joiner;
  // "The copay is $35 the deductible is $1,600": the second value has a subject and a verb of its own.
  const verb = tokens.find(
    ({ norm, start, end }) => being.has(norm) && start >= first.end && end <= second.start,
  );
  const gaps = tokens.flatMap(({ start }, at) =>
    verb !== undefined && isGap(tokens, at) && start >= first.end && start < verb.start
      ? [{ at, likelihood: boundaryAt(tokens, at, boundaries) }]
      : [],
  );
  const [best] = gaps.toSorted((a, b) => b.likelihood - a.likelihood);
  return best !== undefined && best.likelihood >= leastBetweenValues ? best.at : -1;
}

/** Of what separates two values, less is needed than anywhere else. */
const leastBetweenValues = 0.1;

function boundaryAt(tokens: readonly Token[], at: number, model: LinearModel): number {
  return guess(model, gapFeatures(tokens, at)).find(({ label }) => label === 'yes')?.confidence ?? 0;
}

/** The position where a move most likely ends within the tokens, however unlikely; null if there is none. */
export function likeliestGap(tokens: readonly Token[], model: LinearModel): number | null {
  const gaps = tokens.flatMap((_, at) =>
    isGap(tokens, at) ? [{ at, likelihood: boundaryAt(tokens, at, model) }] : [],
  );
  return gaps.toSorted((a, b) => b.likelihood - a.likelihood)[0]?.at ?? null;
}

/** "Monday and Wednesday" */
function joinsDays(tokens: readonly Token[], at: number, days: readonly Span[]): boolean {
  const [before, token, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  return (
    token?.norm === 'and' &&
    days.some(({ end }) => end === before?.end) &&
    days.some(({ start }) => start === next?.start)
  );
}

/** "It's not on my card, sorry.": the end of what is said, and no request to say it again. */
function isApology(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]?.kind ?? 'stop';
  return tokens[at]?.norm === 'sorry' && tokens[at - 1]?.kind === 'comma' && next === 'stop';
}

/** Findings in the words. */
export interface Found {
  /** Entities, which no boundary splits: "between nine and noon". */
  readonly whole: readonly Span[];
  /** Days, alone or with a time: "Monday and Wednesday" is one schedule. */
  readonly days: readonly Span[];
  /** Those of which a statement has one. */
  readonly values: readonly Span[];
}

export interface BoundaryModels {
  readonly boundaries: LinearModel;
  /** Knows where "anything else?" starts. */
  readonly endings: LinearModel;
}

/** The tokens of each move, in order. */
export function segment(
  tokens: readonly Token[],
  models: BoundaryModels,
  { whole, days, values }: Found,
): Token[][] {
  const isMarked = tokens.some(({ kind }) => kind === 'comma' || kind === 'stop' || kind === 'question');
  const segments: Token[][] = [];
  let from = 0;
  for (let at = 1; at < tokens.length; at += 1) {
    const isOne =
      isInside(tokens[at], whole) ||
      isPaired(tokens, at, whole) ||
      isApology(tokens, at) ||
      joinsDays(tokens, at, days);
    if (!isGap(tokens, at) || isOne || !isBoundary(tokens, at, models, isMarked)) continue;
    segments.push(tokens.slice(from, at));
    from = at;
  }
  segments.push(tokens.slice(from));
  return segments
    .flatMap((segment) => splitByValue(segment, values, models))
    .filter((segment) => segment.some(({ kind }) => kind === 'word' || kind === 'number'));
}

/** "The member's first and last name": an ordinal that is no date waits for its noun. */
function isPaired(tokens: readonly Token[], at: number, whole: readonly Span[]): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]];
  const isDated =
    before !== undefined && whole.some(({ start, end }) => before.start >= start && before.end <= end);
  return token?.norm === 'and' && before?.number?.ordinal === true && !isDated;
}

function isBoundary(
  tokens: readonly Token[],
  at: number,
  { boundaries, endings }: BoundaryModels,
  isMarked: boolean,
): boolean {
  const mark = markBefore(tokens, at);
  if (mark === 'stop' || mark === 'question' || endsBeforeFiller(tokens, at)) return true;
  const isLikely = (model: LinearModel, least: number): boolean => boundaryAt(tokens, at, model) > least;
  return isMarked
    ? isLikely(boundaries, splitsAt[mark]) || (mark === 'comma' && contrasts(tokens, at))
    : isLikely(boundaries, splitsAt.unmarked) ||
        isLikely(endings, splitsAt.unmarked) ||
        contrasts(tokens, at);
}

/** "So, no. Um, did you need …" */
function endsBeforeFiller(tokens: readonly Token[], at: number): boolean {
  const before = tokens.slice(0, at);
  const last = before.findLast(
    ({ kind }, index) => kind !== 'filler' && !(kind === 'comma' && before[index - 1]?.kind === 'filler'),
  );
  return last?.kind === 'stop' || last?.kind === 'question';
}

/** "The desk is not outside | it is inside": what is, behind what is not; not "I'm not sure it is". */
function contrasts(tokens: readonly Token[], at: number): boolean {
  const [subject = '', verb = ''] = wordsOf(tokens.slice(at, at + 2)).flatMap((word) => word.split(' '));
  if (!subjects.has(subject) || !being.has(verb)) return false;
  const before = wordsOf(tokens.slice(Math.max(0, at - mostBeforeContrast), at)).flatMap((word) =>
    word.split(' '),
  );
  const not = before.lastIndexOf('not');
  const denied = before.slice(not + 1);
  const isDenied = not > 0 && being.has(before[not - 1] ?? '');
  return isDenied && denied.length > 0 && !denied.some((word) => embedding.has(word));
}

const mostBeforeContrast = 5;
const being: ReadonlySet<string> = new Set(['is', 'are', 'was', 'were']);
const embedding: ReadonlySet<string> = new Set(cues.embedding.split(' '));
