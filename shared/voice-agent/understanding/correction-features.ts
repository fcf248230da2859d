import type { Entity } from '../entities/entity.ts';
import { differenceOf, isBareNumber, isSameValue } from '../entities/same-value.ts';
import { type Token, tokenize } from '../entities/tokens.ts';
import { addClusters, addGroup, pairsOf, wordsOf } from './features.ts';
import { maskedWords } from './masked-words.ts';
import { isAkin, namingWords } from './polarity-features.ts';

/*
 * The model's features of a value that may correct an earlier answer: "It's $61, the other one was the generic", after
 * the next question. The words around the value count, and how it differs from the earlier one.
 */

/** An answer that was given before, to another question. */
export interface EarlierAnswer {
  readonly question: string;
  readonly value: string | number;
}

export interface PossibleCorrection {
  readonly earlier: EarlierAnswer;
  /** What was asked since; null if nothing. */
  readonly asked: string | null;
  /** The value would answer that, too. */
  readonly fitsAsked: boolean;
  /** The whole reply. */
  readonly tokens: readonly Token[];
  /** The values in it that could answer the earlier question. */
  readonly values: readonly Entity[];
  /** The one in question. */
  readonly value: Entity;
}

/** The features of a value that may correct an earlier answer. */
export function correctionFeatures(possible: PossibleCorrection): Map<string, number> {
  const { earlier, asked, fitsAsked, values, value } = possible;
  const { known, next, before, after, sentence, whole, place } = surroundingsOf(possible);
  const isOld = values.some((one) => isSameValue(one, earlier.value));
  const others = values.filter((one) => one !== value && !isSameValue(one, earlier.value));
  const names = `known ${sentence.includes('<known>')} next ${sentence.includes('<asked>')}`;
  const asking = asked === null ? [] : wordsOf(tokenize(asked));
  const features = new Map<string, number>();
  const add = (strength: number, ...named: readonly string[]): void => addGroup(features, named, strength);
  add(1, ...sentence.map((word) => `s ${word}`), ...pairsOf(sentence).map((pair) => `s${pair}`));
  add(0.7, ...before.slice(-near).map((word) => `b ${word}`));
  const beside = [before.at(-1), before.slice(-2).join(' '), before.at(-2)].map(
    (word, at) => `b${at + 1} ${word}`,
  );
  add(0.8, ...beside, `a1 ${after[0]}`, `a2 ${after.slice(0, 2).join(' ')}`);
  add(0.5, ...after.slice(0, near).map((word) => `a ${word}`));
  add(0.5, ...whole.map((word) => `w ${word}`));
  add(0.4, `first ${before[0] ?? '^'}`, `first ${before.slice(0, 2).join(' ')}`);
  addClusters(features, sentence);
  features.set(`old ${isOld}`, 0.6);
  features.set(`others ${Math.min(2, others.length)} ${firstSide(others, value)}`, 0.5);
  features.set(`ratio ${differenceOf(value, earlier.value)}`, 0.7);
  features.set(`names ${names}`, 0.7);
  features.set(`known anywhere ${before.includes('<known>') || after.includes('<known>')}`, 0.3);
  features.set(`place ${place}`, 0.5);
  features.set(`type ${value.type}`, 0.2);
  features.set(`bare ${value.type} ${isBareNumber(value)}`, 0.7);
  features.set(`unit ${unitOf(value, known, next)}`, 0.7);
  features.set(`fits ${fitsAsked} ${sidesOf(others, value)}`, 0.8);
  features.set(`fits ${fitsAsked} ${names}`, 0.6);
  features.set(`asks ${asking[0] ?? ''}`, 0.3);
  features.set(`asks ${asking.slice(0, 2).join(' ')}`, 0.3);
  return features;
}

/** Words this near to the value count by themselves. */
const near = 8;

/** The words around a value, with the values and the words of both questions masked. */
function surroundingsOf({ earlier, asked, tokens, values, value }: PossibleCorrection) {
  const known = contentOf(earlier.question);
  const next = asked === null ? [] : contentOf(asked);
  const masks = masksOf({ known, next, values, value, old: earlier.value });
  const at = tokens.findIndex(({ start }) => start >= value.start);
  const behind = tokens.findLastIndex(({ end }) => end <= value.end) + 1;
  const begin = tokens.findLastIndex(({ kind, end }) => isEnd(kind) && end <= value.start) + 1;
  const stop = tokens.findIndex(({ kind, start }) => isEnd(kind) && start >= value.end);
  const isLast = stop < 0 || stop >= tokens.length - 1;
  return {
    known,
    next,
    before: masks(tokens.slice(0, at)),
    after: masks(tokens.slice(behind)),
    sentence: masks(tokens.slice(begin, stop < 0 ? undefined : stop)),
    whole: masks(tokens),
    /** Of the sentence in the reply. */
    place: `${begin === 0 ? 'first' : 'later'} ${isLast ? 'last' : 'sooner'}`,
  };
}

/** Which question the unit belongs to: "four hours", asked for the weight in pounds before. */
function unitOf(entity: Entity, known: readonly string[], next: readonly string[]): string {
  if (entity.type !== 'quantity') return 'none';
  const { unit } = entity.value;
  const isOf = (words: readonly string[]): boolean => words.some((word) => isAkin(word, unit));
  return `${isOf(known)} ${isOf(next)}`;
}

/** On which side of the first other value it stands. */
function firstSide([first]: readonly Entity[], { start }: Entity): string {
  return first === undefined ? '' : first.start < start ? 'after' : 'before';
}

/** Whether other values stand before it and behind it. */
function sidesOf(others: readonly Entity[], { start }: Entity): string {
  const isBefore = others.some((other) => other.start < start);
  const isBehind = others.some((other) => other.start > start);
  return `${isBefore} ${isBehind}`;
}

function isEnd(kind: Token['kind']): boolean {
  return kind === 'stop' || kind === 'question';
}

function contentOf(question: string): string[] {
  return namingWords(wordsOf(tokenize(question)));
}

/** The words of tokens, with the values and the words of both questions masked. */
function masksOf({
  known,
  next,
  values,
  value,
  old,
}: {
  known: readonly string[];
  next: readonly string[];
  values: readonly Entity[];
  value: Entity;
  old: string | number;
}): (tokens: readonly Token[]) => string[] {
  const spans = values.map((one) => ({
    start: one.start,
    end: one.end,
    mask: one === value ? '<new>' : isSameValue(one, old) ? '<old>' : '<other>',
  }));
  const isAmong = (words: readonly string[], word: string): boolean => words.some((one) => isAkin(one, word));
  const maskOf = (word: string): string | null =>
    isAmong(known, word) ? '<known>' : isAmong(next, word) ? '<asked>' : null;
  return (tokens) => maskedWords(tokens, spans, maskOf);
}
