import type { ItemKind, PlanItem } from '../call-plan/call-plan.ts';
import type { Entity } from '../entities/entities.ts';
import type { Token } from '../entities/tokens.ts';
import words from '../language/en-US/cue-words.json' with { type: 'json' };
import { guess } from '../understanding/linear-model.ts';
import { polarityFeatures } from '../understanding/polarity-features.ts';
import { type Heard, type Move, modelOf } from '../understanding/understand.ts';

/* What one clause says about one item, by the kind of value that answers it. */

/** What a clause says about an item. */
export interface ClauseValue {
  readonly key: string;
  /** Null when no definite value can be made of the words. */
  readonly value: string | number | boolean | null;
  /** In words. */
  readonly answer: string;
  readonly quote: string;
  readonly turn: number;
  /** 0 to 1 */
  readonly confidence: number;
  /** It holds only under a condition that the quote names. */
  readonly isConditional: boolean;
}

export const entityTypes: Partial<Record<ItemKind, readonly Entity['type'][]>> = {
  money: ['money'],
  percentage: ['percent'],
  number: ['quantity', 'percent', 'number'],
  date: ['date', 'moment'],
  'date-time': ['moment', 'date'],
  identifier: ['identifier'],
  'phone-number': ['phone'],
  name: ['provider', 'name'],
};

/** A bare yes or no answers the question only if nothing else was said in between. */
export function isBareWord({ act, tokens }: Move): boolean {
  return (act === 'yes' || act === 'no') && tokens.filter(({ kind }) => kind === 'word').length <= 4;
}

interface Binding {
  /** The label of the claim, when the clause itself names the topic. */
  readonly topicLabel: string | null;
  readonly sureness: number;
}

export function evidenceFor(item: PlanItem, move: Move, heard: Heard, binding: Binding): ClauseValue | null {
  const base = { key: item.key, quote: move.text, turn: heard.turn, isConditional: false };
  const [, label] = binding.topicLabel?.split('=') ?? [];
  switch (item.kind) {
    case 'yes-no':
      return label === undefined
        ? polarityOf(item, move, base)
        : agreed(item, move, ofLabel(base, label, binding.sureness));
    case 'claim-status':
      return label === undefined
        ? null
        : {
            ...base,
            value: label.replaceAll('-', ' '),
            answer: label.replaceAll('-', ' '),
            confidence: binding.sureness,
          };
    case 'text':
      return textEvidence(base, move, label, binding.sureness);
    default:
      return valueEvidence(item, move, base, binding.sureness);
  }
}

type Base = Pick<ClauseValue, 'key' | 'quote' | 'turn' | 'isConditional'>;

function ofLabel(base: Base, label: string, confidence: number): ClauseValue {
  switch (label) {
    case 'yes':
      return { ...base, value: true, answer: 'Yes', confidence };
    case 'no':
      return { ...base, value: false, answer: 'No', confidence };
    default:
      return { ...base, value: null, answer: base.quote, confidence, isConditional: true };
  }
}

/**
 * Two readings of a clause, by its topic and as an answer to the question: when they contradict each other,
 * neither holds.
 */
function agreed(item: PlanItem, move: Move, byTopic: ClauseValue): ClauseValue {
  const word = plainWordOf(move);
  if (word !== null) return ofLabel(byTopic, word, 0.9);
  const [best] = guess(modelOf('polarity'), polarityFeatures(item.question, move.tokens));
  const other = best?.label === 'yes' ? true : best?.label === 'no' ? false : null;
  if (best === undefined || other === null || byTopic.value === null || best.confidence < leastContradicting)
    return byTopic;
  return other === byTopic.value ? byTopic : { ...byTopic, confidence: Math.min(byTopic.confidence, 0.35) };
}

const leastContradicting = 0.6;

/** "Referral, no.": a few words with one plain yes or no among them mean just that. */
function plainWordOf({ tokens }: Move): 'yes' | 'no' | null {
  const said = tokens.filter(({ kind }) => kind === 'word').map(({ norm }) => norm);
  const isNo = said.some((word) => noWords.has(word));
  const isYes = said.some((word) => yesWords.has(word));
  if (said.length > 4 || isNo === isYes) return null;
  return isNo ? 'no' : 'yes';
}

const noWords = new Set(words.no.split(' '));
const yesWords = new Set(words.yes.split(' '));

/** Yes or no to the question of the item, by the plain word or by what the clause means beside the question. */
function polarityOf(item: PlanItem, move: Move, base: Base): ClauseValue | null {
  const word = plainWordOf(move);
  if (word !== null) return ofLabel(base, word, 0.9);
  const yes = move.acts.get('yes') ?? 0;
  const no = move.acts.get('no') ?? 0;
  if (Math.max(yes, no) >= 0.6 && isBareWord(move))
    return ofLabel(base, yes > no ? 'yes' : 'no', Math.max(yes, no));
  const [best] = guess(modelOf('polarity'), polarityFeatures(item.question, move.tokens));
  if (best === undefined || best.label === 'none' || best.label === 'unknown') return null;
  return ofLabel(base, best.label, best.confidence);
}

/**
 * "Two days for the lipids", asked for a date: an answer in its own words, and a guess where nothing of the
 * kind is said.
 */
function inOtherForm({ kind }: PlanItem, move: Move, base: Base): ClauseValue | null {
  const isTime = move.entities.some(({ type }) =>
    ['quantity', 'time', 'time-range', 'date', 'moment'].includes(type),
  );
  const isWhen = kind === 'date' || kind === 'date-time';
  const states = move.acts.get('states') ?? 0;
  if (isWhen && isTime) return { ...base, value: null, answer: base.quote, confidence: 0.7 };
  return states >= 0.5 ? { ...base, value: null, answer: base.quote, confidence: 0.35 } : null;
}

const freeWords = new Set(words.free.split(' '));

/** "No copay", "that's waived": a short clause that names the price of nothing. */
function isFree({ tokens }: Move): boolean {
  const said = tokens.filter(({ kind }) => kind === 'word');
  return said.length <= 7 && said.some(({ norm }) => freeWords.has(norm));
}

function valueEvidence(item: PlanItem, move: Move, base: Base, sureness: number): ClauseValue | null {
  const wanted = entityTypes[item.kind] ?? [];
  const candidates = move.entities.filter(
    (entity) => wanted.includes(entity.type) && !isOfOtherTier(entity, move, item),
  );
  const [entity] = candidates;
  if (entity === undefined) {
    if (item.kind === 'money' && isFree(move))
      return { ...base, value: 0, answer: '$0', confidence: sureness * 0.8 };
    return inOtherForm(item, move, base);
  }
  const chosen = candidates.length === 1 ? entity : meantOf(candidates, move);
  const isOne = new Set(candidates.map(({ value }) => JSON.stringify(value))).size === 1 || chosen !== entity;
  const { value, answer } = spokenValue(chosen, item.kind);
  return { ...base, value, answer, confidence: sureness * chosen.certainty * (isOne ? 1 : 0.7) };
}

const otherTiers: readonly string[] = words.other_tier;

/** "…, three thousand for a family": a value for another tier than the question is about. */
function isOfOtherTier({ start, end }: Entity, { tokens, entities }: Move, { question }: PlanItem): boolean {
  const next = entities.find((entity) => entity.start >= end)?.start ?? Number.POSITIVE_INFINITY;
  const previous = entities.findLast((entity) => entity.end <= start)?.end ?? 0;
  const behind = plain(tokens.filter((token) => token.start >= end && token.end <= next));
  const ahead =
    previous === 0 || behind === ''
      ? plain(tokens.filter((token) => token.start >= previous && token.end <= start))
      : '';
  return otherTiers.some(
    (tier) => ` ${behind} ${ahead} `.includes(` ${tier} `) && !question.toLowerCase().includes(tier),
  );
}

export function plain(tokens: readonly Token[]): string {
  return tokens
    .filter(({ kind }) => kind === 'word')
    .map(({ norm }) => norm)
    .join(' ');
}

/** Of several values in one clause the one that stands: not a denied one, and after a correction the last. */
function meantOf(candidates: readonly Entity[], { tokens }: Move): Entity {
  const [first, ...others] = candidates.filter((entity) => !isDenied(entity, tokens));
  if (first === undefined) return candidates[0] as Entity;
  return (
    others.findLast((entity) =>
      tokens.some(
        (token) => token.start >= first.end && token.end <= entity.start && correctionWords.has(token.norm),
      ),
    ) ?? first
  );
}

export const correctionWords = new Set(words.correction.split(' '));

/** "eighteen fifty, not the two fourteen" */
function isDenied({ start }: Entity, tokens: readonly Token[]): boolean {
  const before = tokens.filter((token) => token.end <= start && token.kind === 'word').slice(-2);
  return before.some(({ norm }) => norm === 'not');
}

function spokenValue(entity: Entity, kind: ItemKind): { value: string | number | null; answer: string } {
  switch (entity.type) {
    case 'money':
      return { value: entity.value, answer: `$${entity.value.toFixed(2).replace(/\.00$/, '')}` };
    case 'percent':
      return { value: entity.value, answer: `${entity.value}%` };
    case 'number':
      return { value: entity.value, answer: String(entity.value) };
    case 'quantity':
      return {
        value: entity.value.value,
        answer: `${entity.value.value} ${entity.value.unit}${entity.value.value === 1 ? '' : 's'}`,
      };
    case 'date':
      return { value: entity.value.precision === 'day' ? entity.value.day : null, answer: entity.text };
    case 'moment': {
      const time = `${String(Math.floor(entity.value.minutes / 60)).padStart(2, '0')}:${String(entity.value.minutes % 60).padStart(2, '0')}`;
      return {
        value: kind === 'date' ? entity.value.day : `${entity.value.day}T${time}`,
        answer: entity.text,
      };
    }
    case 'identifier':
    case 'phone':
    case 'name':
    case 'provider':
      return { value: entity.value, answer: entity.value };
    case 'time':
    case 'time-range':
      return { value: null, answer: entity.text };
  }
}

function textEvidence(
  base: Base,
  move: Move,
  label: string | undefined,
  sureness: number,
): ClauseValue | null {
  if (label === 'yes' || label === 'no') {
    return { ...base, value: label === 'yes', answer: base.quote, confidence: sureness };
  }
  const no = move.acts.get('no') ?? 0;
  if (no >= 0.7) return { ...base, value: false, answer: base.quote, confidence: no };
  const isPlainYes = (move.acts.get('yes') ?? 0) >= 0.6;
  return isPlainYes ? null : { ...base, value: null, answer: base.quote, confidence: sureness };
}
