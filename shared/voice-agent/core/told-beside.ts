import type { CallPlan, PlanItem } from '../call-plan/call-plan.ts';
import { entityTypes } from '../call-plan/item-values.ts';
import { itemsToldBeside, type ToldBeside } from '../call-plan/items.ts';
import type { Entity } from '../entities/entity.ts';
import { plain, tokenize } from '../entities/tokens.ts';
import type { Heard, Move } from '../understanding/understand.ts';
import { type Evidence, evidenceFor } from './clause-value.ts';

/*
 * What people add to an answer: "active, goes back to March first", "all of it, none left". The
 * clause hardly says what its value means; the answer beside it and a word next to the value do.
 */

/** Evidence for unasked items beside an answer. */
export function toldBeside(heard: Heard, plan: CallPlan, found: readonly Evidence[]): Evidence[] {
  return itemsToldBeside(plan.task_type).flatMap(({ key, told_beside }) => {
    const item = plan.items.find((one) => one.key === key);
    const isAnswered = found.some((one) => told_beside.answers.includes(answerOf(one)));
    if (item === undefined || !isAnswered || found.some((one) => one.key === key)) return [];
    const told = heard.moves.flatMap((move) => valuesIn(move, heard, item, told_beside));
    const [only, ...others] = told.filter(({ value }) => !found.some((one) => one.value === value));
    return only === undefined || others.length > 0 ? [] : [only];
  });
}

/** `deductible_met`, or `claim_status=denied`; "inactive since October" says nothing of when it began. */
function answerOf({ key, value, confidence }: Evidence): string {
  if (value === null || value === false || confidence < leastAnswered) return '';
  return key === 'claim_status' ? `${key}=${String(value)}` : key;
}

function valuesIn(move: Move, heard: Heard, item: PlanItem, told: ToldBeside): Evidence[] {
  if (move.isQuestion || speaksOfAnother(move, item, told)) return [];
  return move.entities
    .filter(({ type }) => entityTypes[item.kind]?.includes(type))
    .filter((entity) => hasCue(move, entity, told) && !isLookup(entity))
    .flatMap((entity) => {
      const binding = { topicLabel: null, sureness, isOutside: false };
      const value = evidenceFor(item, { ...move, entities: [entity] }, heard, binding);
      return value === null || value.value === null ? [] : [{ ...value, isAsked: false, corrects: false }];
    });
}

function speaksOfAnother({ claims: [best] }: Move, { key }: PlanItem, { answers }: ToldBeside): boolean {
  const [slot = ''] = best?.label.split('=') ?? [];
  const isAkin = slot === key || slot === 'bare' || answers.some((answer) => answer.split('=')[0] === slot);
  return !isAkin && best !== undefined && best.confidence >= leastOther;
}

/** "Active as of today", "good as of this morning": the time of the lookup. */
function isLookup({ text }: Entity): boolean {
  return plain(tokenize(text))
    .split(' ')
    .some((word) => lookupWords.has(word));
}

const lookupWords: ReadonlySet<string> = new Set(['today', 'this', 'now', 'tonight']);

/** "Since" or "as of" before the value, "left" after it. */
function hasCue({ tokens }: Move, { start, end }: Entity, { before, after }: ToldBeside): boolean {
  const ahead = plain(tokens.filter((token) => token.end <= start).slice(-reach));
  const behind = plain(tokens.filter((token) => token.start >= end).slice(0, reach));
  return (before.length === 0 && after.length === 0) || saysOneOf(ahead, before) || saysOneOf(behind, after);
}

function saysOneOf(said: string, phrases: readonly string[]): boolean {
  return phrases.some((phrase) => ` ${said} `.includes(` ${phrase} `));
}

/** Tokens between a value and the word that says what it is: "is still open". */
const reach = 3;
const sureness = 0.9;
const leastAnswered = 0.5;
const leastOther = 0.6;
