import type { PlanItem } from '../call-plan/call-plan.ts';
import { entityTypes } from '../call-plan/item-values.ts';
import { plainWords } from '../call-plan/words.ts';
import type { Entity } from '../entities/entity.ts';
import { isSameValue, plainValue } from '../entities/same-value.ts';
import { tokenize } from '../entities/tokens.ts';
import { guess } from '../understanding/linear-model.ts';
import { networkTiersIn } from '../understanding/tiers.ts';
import { type Heard, modelOf } from '../understanding/understand.ts';
import { valueFeatures } from '../understanding/value-features.ts';

/* "Thirty in network, sixty out": which value of a reply is the one that an item asks for. */

export interface LikelyValue {
  readonly entity: Entity;
  /** The probability that it is the one, 0 to 1. */
  readonly likelihood: number;
  /** The probability that it holds for a part of what was asked only. */
  readonly limited: number;
  /** The likelihood of the likeliest other value; 0 if there is none. */
  readonly rival: number;
}

/** The values of a reply that an item might ask for, in the order said. */
export function likelyValues(
  item: PlanItem,
  heard: Heard,
  { isOutside, isTaken }: { readonly isOutside: boolean; readonly isTaken: (entity: Entity) => boolean },
): LikelyValue[] {
  const judged = judgedValues(item, heard, isOutside);
  const left = judged.some(({ entity }) => !isTaken(entity))
    ? judged.filter(({ entity }) => !isTaken(entity))
    : judged;
  return left.map((one) => {
    const others = left.filter(({ entity }) => !isSameValue(entity, plainValue(one.entity.value)));
    return { ...one, rival: Math.max(0, ...others.map(({ likelihood }) => likelihood)) };
  });
}

type JudgedValue = Omit<LikelyValue, 'rival'>;

/** Every clause of a reply asks for the same judgments. */
const known = new WeakMap<Heard, Map<string, readonly JudgedValue[]>>();

function judgedValues(item: PlanItem, heard: Heard, isOutside: boolean): readonly JudgedValue[] {
  const ofHeard = known.get(heard) ?? new Map<string, readonly JudgedValue[]>();
  known.set(heard, ofHeard);
  const name = `${item.kind} ${isOutside} ${item.question}`;
  const judged = ofHeard.get(name) ?? judge(item, heard, isOutside);
  ofHeard.set(name, judged);
  return judged;
}

function judge({ kind, question }: PlanItem, heard: Heard, isOutside: boolean): JudgedValue[] {
  const { entities, tokens, moves } = heard;
  const wanted = entityTypes[kind] ?? [];
  const values = meantAmong(
    entities.filter(({ type }) => wanted.includes(type)).slice(0, mostValues),
    question,
  );
  // "In network it would be $30", said alone of a provider out of network
  const isOfOtherTier = ({ start, end }: Entity): boolean => {
    const within = moves.find((move) => move.start <= start && move.end >= end);
    const tiers = networkTiersIn(within?.tokens ?? [], { question, isOutside });
    return tiers.length > 0 && tiers.every(({ mask }) => mask === '<theirs>');
  };
  const [first, ...others] = values;
  if (first !== undefined && others.length === 0 && isOfOtherTier(first)) return [];
  return values.map((value) => {
    const at = tokens.findIndex(({ start }) => start >= value.start);
    const near = tokens.slice(Math.max(0, at - reach), at + reach);
    const [from = 0, to = 0] = [near[0]?.start, near.at(-1)?.end];
    const beside = values.filter(({ start, end }) => start >= from && end <= to);
    const guesses = guess(
      modelOf('values'),
      valueFeatures({ question, tokens: near, values: beside, value, isOutside }),
    );
    const chanceOf = (role: string): number => guesses.find(({ label }) => label === role)?.confidence ?? 0;
    return { entity: value, likelihood: chanceOf('answer'), limited: chanceOf('limited') };
  });
}

/** Nobody says more in one breath. Bounds the time per prompt. */
const mostValues = 24;
/** Tokens on each side of a value that say what it is */
const reach = 50;

/** Whether a value is likelier by far than the others, and holds for all that was asked. */
export function isClearlyMeant(
  { likelihood, limited, rival }: Omit<LikelyValue, 'entity'>,
  isAsked: boolean,
): boolean {
  const ahead = isAsked ? leastAhead : leastAheadUnasked;
  const isAhead = rival === 0 || (likelihood >= leastLikely && likelihood - rival >= ahead);
  return isAhead && limited < leastLimited;
}

const leastLikely = 0.6;
const leastAhead = 0.2;
/** What was told without a question can still be asked for. */
const leastAheadUnasked = 0.3;
const leastLimited = 0.8;

/**
 * "Ninety of them are $18.50", "thirty in one year": a bare number, one that we named ourselves, or one of another unit
 * is none beside a clear one.
 */
function meantAmong(candidates: readonly Entity[], question: string): readonly Entity[] {
  const ours = new Set(tokenize(question).map(({ number }) => number?.value));
  const isClear = ({ type, certainty }: Entity): boolean => type !== 'money' || certainty >= clearAmount;
  const isTheirs = ({ value }: Entity): boolean => !ours.has(value as number);
  const isOfUnit = (entity: Entity): boolean => !isOfOtherUnit(entity, question);
  return [isClear, isTheirs, isOfUnit].reduce(
    (left, holds) => (left.some(holds) ? left.filter(holds) : left),
    candidates,
  );
}

/** With a sign or a currency */
export const clearAmount = 0.95;

/** "About a week", asked how many days or how many visits; "four pages", asked how many business days. */
export function isOfOtherUnit({ type, value }: Entity, question: string): boolean {
  if (type !== 'quantity') return false;
  const words = plainWords(question);
  const unitIn = (some: readonly string[]): string | undefined =>
    timeUnits.find((unit) => some.includes(unit) || some.includes(`${unit}s`));
  const at = words.indexOf('many');
  const counted = unitIn(at < 0 ? [] : words.slice(at + 1, at + 3));
  if (counted !== undefined) return !value.unit.includes(counted);
  const asked = unitIn(words);
  if (asked === undefined && !words.some((word) => counting.has(word))) return false;
  const isAsked = asked !== undefined && value.unit.includes(asked);
  return !isAsked && timeUnits.some((unit) => value.unit.includes(unit));
}

const counting: ReadonlySet<string> = new Set(['many', 'number']);

const timeUnits = ['minute', 'hour', 'day', 'week', 'month', 'year'];
