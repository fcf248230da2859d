import { hasQuestionMark, type Token } from '../entities/tokens.ts';
import cues from '../language/en-US/cue-words.json' with { type: 'json' };
import { commonGround } from './answer-relevance.ts';
import { addClusters, addGroup, negatedIn, pairsOf, placesOf } from './features.ts';
import { asksBack, besideQuestion } from './polarity-features.ts';
import { clusterOf } from './word-clusters.ts';

/*
 * The model's features of words after an open question: the words themselves, the kind of question, and what both
 * have in common, to distinguish "that's not one I can see" from an answer to any question.
 */

const interrogatives: ReadonlySet<string> = new Set(cues.interrogatives.split(' '));

/** The word that tells what is asked for, or the first one. */
function interrogativeOf(asking: readonly string[]): string | undefined {
  const found = asking.find((word) => interrogatives.has(word)) ?? asking[0];
  return found === 'whom' ? 'who' : found;
}

/** A capital inside a sentence; recognizers without punctuation give none. */
function isNameLike({ kind, text, norm }: Token, at: number, tokens: readonly Token[]): boolean {
  const isInside = at > 0 && tokens[at - 1]?.kind !== 'stop';
  return kind === 'word' && isInside && !norm.startsWith('i') && text.slice(0, 1) !== norm.slice(0, 1);
}

/** The features of words that may answer an open question. */
export function openAnswerFeatures(question: string, answer: readonly Token[]): Map<string, number> {
  const { asking, words } = besideQuestion(question, answer);
  const kind = asking.slice(0, 2).join(' ');
  const features = new Map<string, number>();
  addGroup(
    features,
    [...words.map((word) => `w ${word}`), ...pairsOf(words), ...placesOf(words), ...negatedIn(words)],
    1,
  );
  addClusters(features, words);
  addGroup(
    features,
    [...words, '*'].map((word) => `${asking[0]} ${word}`),
    0.4,
  );
  const asks = interrogativeOf(asking);
  // "Who" is answered by any name or role: words count as what they are used like.
  addGroup(
    features,
    words.map((word) => `${asks} like ${clusterOf(word) ?? (word.startsWith('<') ? word : '<rare>')}`),
    0.6,
  );
  features.set(`${asks} ${answer.some(isNameLike) ? 'named' : 'unnamed'}`, 0.4);
  addGroup(features, [`kind ${asking[0]}`, `kind ${kind}`], 0.3);
  for (const [name, value] of Object.entries(commonGround(question, answer)))
    if (value > 0) features.set(name, 0.7 * Math.min(1, value));
  features.set(`length ${Math.min(6, Math.ceil(Math.sqrt(words.length)))}`, 0.4);
  if (hasQuestionMark(answer)) features.set('?', 0.7);
  if (asksBack(words)) features.set('asks', 0.7);
  return features;
}
