import { type Token, wordSet } from '../entities/tokens.ts';
import cues from '../language/en-US/cue-words.json' with { type: 'json' };
import classes from '../language/en-US/reach-words.json' with { type: 'json' };
import { featuresOf, wordsOf } from './features.ts';

/*
 * The model's features of replies to "Have I reached …?". A yes or no is at the start or end of a
 * sentence, and its mark shows whether it was said or asked; in a long prompt the words alone would
 * drown it. Word classes in order distinguish "not a house" from "not a clinic", and "is this" from "this
 * is".
 */

const marks: Partial<Record<Token['kind'], string>> = { comma: ',', stop: '.', question: '?' };
const classOf = new Map(
  Object.entries(classes).flatMap(([name, words]) => words.split(' ').map((word) => [word, name] as const)),
);

/** Features of a whole prompt by name, with their strengths. */
export function reachFeatures(said: readonly Token[]): Map<string, number> {
  const tokens = said.map((token) => (rareYes.has(token.norm) ? { ...token, norm: 'yes' } : token));
  const features = featuresOf(tokens);
  const sentences = sentencesOf(tokens);
  const openings = new Set(sentences.flatMap((sentence, at) => sentenceFeatures(sentence, at === 0)));
  if (sentences.length > 0 && sentences.every(isQuestion)) openings.add('only asks');
  for (const { norm } of tokens.filter(({ kind }) => kind === 'filler')) openings.add(`filler ${norm}`);
  addAll(features, openings, openingStrength);
  addAll(features, new Set(sentences.flatMap(skeletonFeatures)), skeletonStrength);
  return features;
}

/** Regional yeses, which no example has: "ayuh". */
const rareYes = wordSet(cues.rare_yes);
const openingStrength = 1;
const skeletonStrength = 1.5;

function addAll(features: Map<string, number>, names: ReadonlySet<string>, strength: number): void {
  const each = strength / Math.sqrt(Math.max(1, names.size));
  for (const name of names) features.set(name, each);
}

function sentencesOf(tokens: readonly Token[]): Token[][] {
  const sentences: Token[][] = [];
  let from = 0;
  tokens.forEach(({ kind }, at) => {
    if (kind !== 'stop' && kind !== 'question') return;
    sentences.push(tokens.slice(from, at + 1));
    from = at + 1;
  });
  return [...sentences, tokens.slice(from)].filter((sentence) => wordsOf(sentence).length > 0);
}

function isQuestion(sentence: readonly Token[]): boolean {
  return sentence.at(-1)?.kind === 'question';
}

/** How a sentence opens and closes, and whether it asks. */
function sentenceFeatures(sentence: readonly Token[], isFirst: boolean): string[] {
  const words = wordsOf(sentence);
  const [one = '', two = '$', three = '$'] = words;
  const how = isQuestion(sentence) ? '?' : '.';
  const mark = markAfterFirst(sentence);
  return [
    `o ${one}`,
    `o ${one} ${two}`,
    `o ${one} ${two} ${three}`,
    `o${how} ${one} ${two}`,
    ...(isFirst ? [`start ${one}${mark}`, `start ${one}${mark} ${two}`, `start ${one} ${two} ${three}`] : []),
    `close${how} ${words.at(-1) ?? ''}`,
    `close${how} ${words.slice(-2).join(' ')}`,
  ];
}

function markAfterFirst(sentence: readonly Token[]): string {
  const first = sentence.findIndex((token) => wordsOf([token]).length > 0);
  return marks[sentence[first + 1]?.kind ?? 'word'] ?? '';
}

/** Its word classes in order, as unigrams to trigrams; other words are `-`, and courtesies are omitted. */
function skeletonFeatures(sentence: readonly Token[]): string[] {
  const known = wordsOf(sentence)
    .map((word) => classOf.get(word) ?? '-')
    .filter((name) => name !== 'polite');
  const framed = [
    '^',
    ...known.filter((name, at) => name !== known[at - 1]),
    isQuestion(sentence) ? '?' : '$',
  ];
  return framed.flatMap((name, at) => [
    `k ${name}`,
    ...(at + 1 < framed.length ? [`k ${name} ${framed[at + 1]}`] : []),
    ...(at + 2 < framed.length ? [`k ${name} ${framed[at + 1]} ${framed[at + 2]}`] : []),
  ]);
}
