import { hasQuestionMark, type Token } from '../entities/tokens.ts';
import cues from '../language/en-US/cue-words.json' with { type: 'json' };
import classes from '../language/en-US/word-classes.json' with { type: 'json' };
import { clustersOf } from './word-clusters.ts';

/*
 * The linear models' features of words: single words and pairs, subwords, positions, and
 * the scope of negations. Letter case and punctuation count little, because recognizers often give neither.
 */

const classOf = new Map(
  Object.entries(classes).flatMap(([name, words]) =>
    words.split(' ').map((word) => [word, `<${name}>`] as const),
  ),
);
export const negations: ReadonlySet<string> = new Set([
  'not',
  'no',
  'never',
  'none',
  'nobody',
  'nothing',
  'without',
  'cannot',
  'neither',
  'nor',
]);
const negationScope = 4;

/** "d o b" is one word, however a recognizer spells it. */
function withSpelledWords(words: readonly string[]): string[] {
  const joined: string[] = [];
  let wasLetter = false;
  for (const word of words) {
    const isLetter = word.length === 1 && word !== 'a' && word !== 'i' && word >= 'b' && word <= 'z';
    if (isLetter && wasLetter) joined[joined.length - 1] += word;
    else joined.push(word);
    wasLetter = isLetter;
  }
  return joined;
}

/** The words of tokens, numbers and day names as classes, without fillers and punctuation. */
export function wordsOf(tokens: readonly Token[]): string[] {
  const words = tokens.flatMap((token) => {
    switch (token.kind) {
      case 'word':
        return token.norm.split(' ').map((word) => classOf.get(word) ?? word);
      case 'number':
        return [token.number?.ordinal === true ? '<nth>' : '<n>'];
      case 'sign':
        return token.norm === '$' || token.norm === '%' ? [token.norm] : [];
      default:
        return [];
    }
  });
  return withoutTrouble(withSpelledWords(words));
}

/** Obstacles that a denial removes: "no problem". */
export const trouble: ReadonlySet<string> = new Set(cues.trouble.split(' '));

/** "No trouble" does not deny the question. */
function withoutTrouble(words: readonly string[]): string[] {
  return words.flatMap((word, at) => {
    if (word === 'no' && trouble.has(words[at + 1] ?? '')) return ['<fine>'];
    return words[at - 1] === 'no' && trouble.has(word) ? [] : [word];
  });
}

export interface FeatureOptions {
  /** Our previous act, such as `reach-question`; null if irrelevant. */
  readonly after?: string | null;
  /** Whether question marks may be seen; recognizers often omit them. */
  readonly seesQuestionMark?: boolean;
}

/** The features of some words by name, with their strengths. */
export function featuresOf(tokens: readonly Token[], options: FeatureOptions = {}): Map<string, number> {
  const words = wordsOf(tokens);
  const features = new Map<string, number>();
  const wordFeatures = [
    ...words.map((word) => `w ${word}`),
    ...pairsOf(words),
    ...placesOf(words),
    ...negatedIn(words),
  ];
  addGroup(features, wordFeatures, 1);
  addGroup(features, words.flatMap(piecesOf), 0.7);
  addClusters(features, words);
  const asks = options.seesQuestionMark !== false && hasQuestionMark(tokens);
  if (asks) features.set('?', 0.4);
  if (options.after != null) features.set(`after ${options.after}`, 0.3);
  features.set(`length ${Math.min(6, Math.ceil(Math.sqrt(words.length)))}`, 0.3);
  return features;
}

export function pairsOf(words: readonly string[]): string[] {
  const framed = ['^', ...words, '$'];
  const pairs: string[] = [];
  for (let at = 0; at + 1 < framed.length; at += 1) {
    pairs.push(`p ${framed[at]} ${framed[at + 1]}`);
    if (at + 2 < framed.length) pairs.push(`s ${framed[at]} ${framed[at + 2]}`);
  }
  return pairs;
}

export function placesOf(words: readonly string[]): string[] {
  return [`first ${words[0] ?? ''}`, `first ${words.slice(0, 3).join(' ')}`, `last ${words.at(-1) ?? ''}`];
}

/** "not … covered": the words that a negation may deny. */
export function negatedIn(words: readonly string[]): string[] {
  return words.flatMap((word, at) =>
    negations.has(word) ? words.slice(at + 1, at + 1 + negationScope).map((denied) => `not ${denied}`) : [],
  );
}

const pieceLength = 4;

/** Longer subwords only displace words: measured, they make every head worse. */
function piecesOf(word: string): string[] {
  if (word.length < pieceLength || word.startsWith('<')) return [];
  const framed = `^${word}$`;
  return Array.from(
    { length: framed.length - pieceLength + 1 },
    (_, at) => `c ${framed.slice(at, at + pieceLength)}`,
  );
}

/** Words of one cluster are equivalent, alone and in pairs. */
export function addClusters(features: Map<string, number>, words: readonly string[]): void {
  const { alone, pairs } = clustersOf(words);
  addGroup(features, alone, 0.5);
  addGroup(features, pairs, 0.5);
}

/** Features of one kind share a strength of one, so long words and sentences do not outweigh short ones. */
export function addGroup(features: Map<string, number>, names: readonly string[], strength: number): void {
  const distinct = new Set(names);
  const each = strength / Math.sqrt(Math.max(1, distinct.size));
  for (const name of distinct) features.set(name, each);
}
