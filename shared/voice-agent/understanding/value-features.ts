import type { Entity } from '../entities/entity.ts';
import { differenceOf, isBareNumber, isSameValue, plainValue } from '../entities/same-value.ts';
import { type Token, tokenize } from '../entities/tokens.ts';
import { addClusters, addGroup, pairsOf, wordsOf } from './features.ts';
import { maskedWords } from './masked-words.ts';
import { isAkin, namingWords } from './polarity-features.ts';
import { tiersIn } from './tiers.ts';

/*
 * The model's features of a value in a reply to a question: "Thirty in network, sixty out" – which of the two was asked
 * for? The words around the value count, those around the others, and how the values compare.
 */

export interface PossibleAnswer {
  readonly question: string;
  /** The whole reply. */
  readonly tokens: readonly Token[];
  /** The values in it that could answer the question, in the order said. */
  readonly values: readonly Entity[];
  /** The one in question. */
  readonly value: Entity;
  /** The patient's provider is out of network. */
  readonly isOutside: boolean;
}

/** The features of a value that may answer a question. */
export function valueFeatures(possible: PossibleAnswer): Map<string, number> {
  const { question, tokens, values, value } = possible;
  const asked = namingWords(wordsOf(tokenize(question)));
  const { masked, plain } = wordingOf(possible, asked);
  const others = values.filter((one) => !isSame(one, value));
  const own = around(value, tokens);
  const before = masked(own.before);
  const after = masked(own.after);
  // Up to the next other value on each side: what most likely belongs to this one.
  const ownBefore = before.slice(before.lastIndexOf('<other>') + 1);
  const ownAfter = after.slice(0, after.includes('<other>') ? after.indexOf('<other>') : undefined);
  const clause = masked(own.clause);
  const place = placeOf(value, others);
  const size = sizeOf(value, others);
  const isNamed = clause.includes('<asked>');
  const isAnyNamed = others.length > 0 && [...before, ...after].includes('<asked>');
  const features = new Map<string, number>();
  const add = (strength: number, ...named: readonly string[]): void => addGroup(features, named, strength);
  add(1, ...clause.map((word) => `c ${word}`), ...pairsOf(clause).map((pair) => `c${pair}`));
  add(0.7, ...masked(own.sentence).map((word) => `s ${word}`));
  add(0.7, ...ownBefore.slice(-near).map((word) => `b ${word}`));
  add(0.7, ...ownAfter.slice(0, near).map((word) => `a ${word}`));
  add(0.8, ...beside(before, after));
  add(0.6, ...pairsOf(ownBefore.slice(-near)).map((pair) => `b${pair}`));
  add(0.6, ...pairsOf(ownAfter.slice(0, near)).map((pair) => `a${pair}`));
  add(0.5, ...masked(own.previous).map((word) => `p ${word}`));
  add(0.5, ...masked(own.next).map((word) => `n ${word}`));
  add(0.6, ...leadsOf(masked(own.sentence), 'l'), ...leadsOf(masked(own.next), 'n'));
  add(0.4, `first ${before[0] ?? '^'}`, `first ${before.slice(0, 2).join(' ')}`);
  addClusters(features, clause);
  features.set(`place ${place}`, 0.7);
  features.set(`size ${size} ${place}`, 0.5);
  features.set(`size ${size}`, 0.5);
  features.set(`type ${value.type}`, 0.3);
  features.set(`unit ${unitOf(value, asked)}`, 0.5);
  features.set(`bare ${value.type} ${isBareNumber(value)} ${others.length > 0}`, 0.5);
  features.set(`named ${isNamed} ${isAnyNamed} ${place}`, 0.6);
  features.set(`named ${isNamed}`, 0.5);
  features.set(`said again ${values.some((one) => one !== value && isSame(one, value))}`, 0.4);
  // What a word near a value means depends on the question: "of" before the deductible, and behind what was met.
  const withQuestion = (strength: number, named: readonly string[]): void =>
    add(strength, ...asked.flatMap((word) => named.map((one) => `q ${word} ${one}`)));
  withQuestion(0.8, [`size ${size}`, `place ${place}`, `${size} ${place}`]);
  withQuestion(0.8, beside(plain(own.before), plain(own.after)));
  withQuestion(0.8, [...ownBefore.slice(-3), ...ownAfter.slice(0, 3)]);
  const nearest = others.toSorted((a, b) => distance(a, value) - distance(b, value))[0];
  if (nearest === undefined) return features;
  const other = around(nearest, tokens);
  const side = nearest.start < value.start ? '<' : '>';
  const byOther = [other.before.slice(-nearOther), other.after.slice(0, nearOther)];
  features.set(`differs ${differenceOf(value, plainValue(nearest.value))} ${side}`, 0.7);
  add(0.6, ...byOther.flatMap(masked).map((word) => `o${side} ${word}`));
  withQuestion(
    0.6,
    byOther.flatMap(plain).map((word) => `o ${word}`),
  );
  return features;
}

/** Words this near to the value count by themselves. */
const near = 6;
/** Tokens near to another value. */
const nearOther = 4;

type Wording = (tokens: readonly Token[]) => string[];

/** The words of tokens, with the values and tiers masked, and with the words of the question, too. */
function wordingOf(
  { question, tokens, values, value, isOutside }: PossibleAnswer,
  asked: readonly string[],
): { readonly masked: Wording; readonly plain: Wording } {
  const maskOf = (one: Entity): string =>
    one === value ? '<this>' : isSame(one, value) ? '<same>' : '<other>';
  const spans = [
    ...values.map((one) => ({ start: one.start, end: one.end, mask: maskOf(one) })),
    ...tiersIn(tokens, { question, isOutside }),
  ];
  const ofQuestion = (word: string): string | null =>
    asked.some((one) => isAkin(one, word)) ? '<asked>' : null;
  return {
    masked: (among) => maskedWords(among, spans, ofQuestion),
    plain: (among) => maskedWords(among, spans, () => null),
  };
}

/** The tokens around a value. */
function around(value: Entity, tokens: readonly Token[]) {
  const between = (isEdge: (kind: Token['kind']) => boolean) => {
    const stop = tokens.findIndex(({ kind, start }) => isEdge(kind) && start >= value.end);
    return {
      begin: tokens.findLastIndex(({ kind, end }) => isEdge(kind) && end <= value.start) + 1,
      stop: stop < 0 ? tokens.length : stop,
    };
  };
  const sentence = between(isEnd);
  const clause = between((kind) => isEnd(kind) || kind === 'comma');
  const at = tokens.findIndex(({ start }) => start >= value.start);
  return {
    before: tokens.slice(0, at),
    after: tokens.slice(tokens.findLastIndex(({ end }) => end <= value.end) + 1),
    clause: tokens.slice(clause.begin, clause.stop),
    sentence: tokens.slice(sentence.begin, sentence.stop),
    previous: tokens.slice(0, sentence.begin),
    next: tokens.slice(sentence.stop),
  };
}

/** How a sentence begins: "no, it's …", "sorry, …" */
function leadsOf(words: readonly string[], name: string): string[] {
  return [1, 2, 3].map((count) => `${name}${count} ${words.slice(0, count).join(' ')}`);
}

/** The one and the two words on each side. */
function beside(before: readonly string[], after: readonly string[]): string[] {
  return [
    `b1 ${before.at(-1)}`,
    `b2 ${before.slice(-2).join(' ')}`,
    `a1 ${after[0]}`,
    `a2 ${after.slice(0, 2).join(' ')}`,
  ];
}

/** How many other values stand before it and behind it, up to two each. */
function placeOf({ start }: Entity, others: readonly Entity[]): string {
  const isBefore = (one: Entity): boolean => one.start < start;
  const ahead = others.filter(isBefore).length;
  return [ahead, others.length - ahead].map((count) => Math.min(2, count)).join(' ');
}

function distance(one: Entity, other: Entity): number {
  return Math.abs(one.start - other.start);
}

function isSame(one: Entity, other: Entity): boolean {
  return isSameValue(one, plainValue(other.value));
}

/** "24 visits a year": whether the question names the unit, and which it is. */
function unitOf(entity: Entity, asked: readonly string[]): string {
  if (entity.type !== 'quantity') return 'none';
  const { unit } = entity.value;
  return asked.some((word) => isAkin(word, unit)) ? 'asked' : unit;
}

/** Whether it is the largest or the smallest of all. */
function sizeOf({ value }: Entity, others: readonly Entity[]): string {
  const own = orderOf(value);
  const rest = others.map((one) => orderOf(one.value));
  if (rest.length === 0) return 'only';
  return rest.every((one) => own > one) ? 'most' : rest.every((one) => own < one) ? 'least' : 'between';
}

/** Numbers and days in a common order. */
function orderOf(value: Entity['value']): string {
  const plain = plainValue(value);
  const number = Number(plain);
  return Number.isFinite(number) && !plain.includes('-')
    ? String(Math.round(number * 100)).padStart(14, '0')
    : plain;
}

function isEnd(kind: Token['kind']): boolean {
  return kind === 'stop' || kind === 'question';
}
