import type { PlanItem } from '../call-plan/call-plan.ts';
import { entityTypes } from '../call-plan/item-values.ts';
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
  { entities, tokens, moves }: Heard,
  { isOutside, isTaken }: { readonly isOutside: boolean; readonly isTaken: (entity: Entity) => boolean },
): LikelyValue[] {
  const { kind, question } = item;
  const wanted = entityTypes[kind] ?? [];
  const values = meantAmong(
    entities.filter(({ type }) => wanted.includes(type)),
    question,
  );
  const judged = values.map((value) => {
    const guesses = guess(modelOf('values'), valueFeatures({ question, tokens, values, value, isOutside }));
    const chanceOf = (role: string): number => guesses.find(({ label }) => label === role)?.confidence ?? 0;
    return { entity: value, likelihood: chanceOf('answer'), limited: chanceOf('limited') };
  });
  // "In network it would be $30", said alone of a provider out of network
  const isOfOtherTier = ({ start, end }: Entity): boolean => {
    const within = moves.find((move) => move.start <= start && move.end >= end);
    const tiers = networkTiersIn(within?.tokens ?? [], { question, isOutside });
    return tiers.length > 0 && tiers.every(({ mask }) => mask === '<theirs>');
  };
  const [first, ...others] = judged;
  if (first !== undefined && others.length === 0 && isOfOtherTier(first.entity)) return [];
  const left = judged.some(({ entity }) => !isTaken(entity))
    ? judged.filter(({ entity }) => !isTaken(entity))
    : judged;
  return left.map((one) => {
    const others = left.filter(({ entity }) => !isSameValue(entity, plainValue(one.entity.value)));
    return { ...one, rival: Math.max(0, ...others.map(({ likelihood }) => likelihood)) };
  });
}

/** Whether a value is likelier by far than the others, and holds for all that was asked. */
export function isClearlyMeant({ likelihood, limited, rival }: Omit<LikelyValue, 'entity'>): boolean {
  const isAhead = rival === 0 || (likelihood >= leastLikely && likelihood - rival >= leastAhead);
  return isAhead && limited < leastLimited;
}

const leastLikely = 0.6;
const leastAhead = 0.2;
const leastLimited = 0.8;

/** "Ninety of them are $18.50": a bare number, or one that we named ourselves, beside a clear amount is none. */
function meantAmong(candidates: readonly Entity[], question: string): readonly Entity[] {
  const ours = new Set(tokenize(question).map(({ number }) => number?.value));
  const isClear = ({ type, certainty }: Entity): boolean => type !== 'money' || certainty >= clearAmount;
  const isTheirs = ({ value }: Entity): boolean => !ours.has(value as number);
  return [isClear, isTheirs].reduce(
    (left, holds) => (left.some(holds) ? left.filter(holds) : left),
    candidates,
  );
}

/** With a sign or a currency */
const clearAmount = 0.95;
