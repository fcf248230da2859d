import { type Token, tokenize } from '../entities/tokens.ts';
import lexicon from '../language/en-US/polarity-words.json' with { type: 'json' };
import relevance from '../language/en-US/relevance-words.json' with { type: 'json' };
import { wordsOf } from './features.ts';
import { isAkin } from './polarity-features.ts';
import { clusterOf } from './word-clusters.ts';

/* How strongly clause and question are related, from either side: which question a volunteered answer belongs to. */

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const frame = setOf(lexicon.frame);
const replies = relevance.replies.map(([asked = '', said = '']) => [setOf(asked), setOf(said)] as const);
const answersOfKind = new Map(Object.entries(relevance.answers).map(([kind, words]) => [kind, setOf(words)]));
const kinds = Object.entries(relevance.kinds).map(([kind, words]) => {
  return { asked: setOf(words), said: answersOfKind.get(kind) ?? new Set<string>() };
});

/** Common features of an answer and a question; each counts with its weight. */
export interface CommonGround {
  /** A content word, in any of its forms. */
  readonly word: number;
  /** The share of repeated question words. */
  readonly share: number;
  /** A word used like one of the question. */
  readonly similar: number;
  /** Persons and auxiliaries that reply to the question's: "do you" and "we do". */
  readonly replies: number;
  /** The requested kind is present: a sum for "how much". */
  readonly kind: number;
  /** The requested kind is missing. */
  readonly lacksKind: number;
}

/** Fitted by logistic regression on the examples' questions with their own and with others' answers. */
const weights: CommonGround = {
  word: 1.8,
  share: 3.4,
  similar: 1.1,
  replies: 0.8,
  kind: 0.7,
  lacksKind: -0.65,
};
const bias = -0.8;

/**
 * How likely an answer belongs to a question of any kind, rather than to another one of the same call: 0 to 1,
 * even odds at 0.5, and at 0.7 one answer in twenty to another question. Bare answers ("yes", "forty dollars") stay
 * below 0.5: only their position shows what they answer.
 */
export function relevanceOf(question: string, answer: readonly Token[]): number {
  const ground = commonGround(question, answer);
  const score = Object.entries(weights).reduce(
    (sum, [name, weight]) => sum + weight * ground[name as keyof CommonGround],
    bias,
  );
  return 1 / (1 + Math.exp(-score));
}

/** The evidence of `relevanceOf`. */
export function commonGround(question: string, answer: readonly Token[]): CommonGround {
  const asked = wordsOf(tokenize(question));
  const said = wordsOf(answer);
  const names = asked.filter(isContent);
  const others = said.filter(isContent);
  const taken = names.filter((word) => others.some((one) => isAkin(one, word)));
  const wanted = kinds.filter(({ asked: words }) => asked.some((word) => words.has(word)));
  const isGiven = wanted.some(({ said: words }) => said.some((word) => words.has(word)));
  return {
    word: Math.min(1, taken.length),
    share: taken.length / Math.max(1, names.length),
    similar: names.some((word) => !taken.includes(word) && others.some((one) => areAlike(one, word))) ? 1 : 0,
    replies: replies.filter((pair) =>
      [asked, said].every((words, at) => words.some((word) => pair[at]?.has(word))),
    ).length,
    kind: isGiven ? 1 : 0,
    lacksKind: wanted.length > 0 && !isGiven ? 1 : 0,
  };
}

function isContent(word: string): boolean {
  return !frame.has(word) && !word.startsWith('<');
}

function areAlike(one: string, other: string): boolean {
  const cluster = clusterOf(one);
  return cluster !== null && cluster === clusterOf(other);
}
