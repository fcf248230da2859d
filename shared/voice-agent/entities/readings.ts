import contexts from '../language/en-US/entities/contexts.json' with { type: 'json' };
import type { Entity, EntityContext, EntityType } from './entity.ts';
import { type Token, wordSet } from './tokens.ts';

type Unplaced<E> = E extends Entity ? Omit<E, 'start' | 'end' | 'text'> : never;

/** An entity by its tokens: `to` is exclusive. */
export type Reading<T extends EntityType = EntityType> = Unplaced<Extract<Entity, { type: T }>> & {
  readonly from: number;
  readonly to: number;
};

/** The meaning of a number near certain words: "the copay is forty", "reference number 4 4 8 2". */
export type Topic = keyof typeof contexts.topics;

/** The tokens for parsers, without fillers, and their context. */
export interface Scan {
  readonly tokens: readonly Token[];
  readonly context: EntityContext;
  /** For each token the last topic named before it in its sentence. */
  readonly topics: readonly (Topic | null)[];
}

export function scanOf(tokens: readonly Token[], context: EntityContext): Scan {
  const spoken: Token[] = [];
  for (const token of tokens) {
    // "Seven, uh, seven" has one pause and no filler.
    const isSecondComma = token.kind === 'comma' && spoken.at(-1)?.kind === 'comma';
    if (token.kind !== 'filler' && !isSecondComma) spoken.push(token);
  }
  return { tokens: spoken, context, topics: topicsOf(spoken) };
}

const topicOfWord = new Map(
  Object.entries(contexts.topics).flatMap(([topic, words]) =>
    words.split(' ').map((word) => [word, topic as Topic] as const),
  ),
);

const labels = wordSet(contexts.labels);

/** Digits that a word such as "check" labels. */
const leastLabelled = 4;

function topicsOf(tokens: readonly Token[]): (Topic | null)[] {
  let topic: Topic | null = null;
  return tokens.map(({ kind, norm, number }, at) => {
    if (kind === 'stop' || kind === 'question') topic = null;
    const before = tokens[at - 1]?.norm ?? '';
    const isGeneric = topicOfWord.get(norm) === 'number' || norm === 'code';
    // The first word identifies "reference number" and "area code".
    const labelled = labels.has(before) ? 'identifier' : topicOfWord.get(before);
    topic = (isGeneric ? labelled : undefined) ?? topicOfWord.get(norm) ?? topic;
    // "We paid it, check 51873"
    const isLabelled = labels.has(before) && (number?.digits.length ?? 0) >= leastLabelled;
    return isLabelled ? 'identifier' : topic;
  });
}

/** The normal form of a token, empty outside the text. */
export const normAt = ({ tokens }: Scan, at: number): string => tokens[at]?.norm ?? '';

/** A cardinal number at a position that is not part of a decimal: `null` for ordinals. */
export function countAt({ tokens }: Scan, at: number): number | null {
  const number = tokens[at]?.number;
  return number != null && !number.ordinal ? number.value : null;
}

/** Whether a token touches the previous one, like the parts of "10:30". */
export const touches = ({ tokens }: Scan, at: number): boolean => tokens[at]?.before === '';

/** Whether a sentence, or at least a clause, ends before a position. */
export function isBoundary({ tokens }: Scan, at: number): boolean {
  const kind = tokens[at]?.kind;
  return kind === undefined || kind === 'stop' || kind === 'question' || kind === 'comma';
}

export type Phrases<Value> = ReadonlyMap<string, readonly (readonly [readonly string[], Value])[]>;

/** A table of phrases by their first words, longest first. */
export function phrasesOf<Value>(entries: readonly (readonly [string, Value])[]): Phrases<Value> {
  const table = new Map<string, (readonly [readonly string[], Value])[]>();
  for (const [phrase, value] of entries.toSorted(([a], [b]) => b.length - a.length)) {
    const words = phrase.split(' ');
    const known = table.get(words[0] ?? '') ?? [];
    table.set(words[0] ?? '', [...known, [words, value]]);
  }
  return table;
}

/** The longest phrase of a table at a position, and the position after it. */
export function phraseAt<Value>(
  scan: Scan,
  at: number,
  table: Phrases<Value>,
): { value: Value; to: number } | null {
  for (const [words, value] of table.get(normAt(scan, at).split(' ')[0] ?? '') ?? []) {
    const to = behindWords(scan, at, words);
    if (to !== null) return { value, to };
  }
  return null;
}

/** The position after words at a position; a contraction counts as its full words. */
export function behindWords({ tokens }: Scan, at: number, words: readonly string[]): number | null {
  let [next, matched] = [at, 0];
  while (matched < words.length) {
    const token = tokens[next];
    if (token === undefined) return null;
    for (const part of token.norm.split(' ')) {
      if (part !== words[matched]) return null;
      matched += 1;
    }
    next += 1;
  }
  return next;
}

/**
 * Reads at each position and skips what was read. A reader returns the position after, and must look ahead only
 * this far.
 */
export function readAll<T extends EntityType>(
  scan: Scan,
  read: (scan: Scan, at: number) => Reading<T> | null,
): Reading<T>[] {
  const found: Reading<T>[] = [];
  for (let at = 0; at < scan.tokens.length; ) {
    const reading = read(scan, at);
    if (reading !== null) found.push(reading);
    at = Math.max(reading?.to ?? 0, at + 1);
  }
  return found;
}
