import { type ItemKind, isClientsOwn, type PlanItem } from '../call-plan/call-plan.ts';
import { entityTypes } from '../call-plan/item-values.ts';
import { contentWords, plainWords } from '../call-plan/words.ts';
import type { Entity } from '../entities/entity.ts';
import { plain } from '../entities/tokens.ts';
import words from '../language/en-US/cue-words.json' with { type: 'json' };
import { deniesOutside } from '../understanding/tiers.ts';
import type { Heard, Move } from '../understanding/understand.ts';
import { namesOtherStatus, statusIn } from './claim-status.ts';
import { leansToAsked } from './clause-topic.ts';
import { isOfOtherUnit, likelyValues } from './meant-value.ts';
import { mayAnswerOpenQuestion, openAnswerLikelihood } from './open-answer.ts';
import { isBound, isDenied, isGone } from './standing-value.ts';
import type { ClauseValue } from './told-value.ts';
import { saidByOnePart } from './topic-beside.ts';
import {
  agreed,
  type Base,
  denialOf,
  namesBothCases,
  ofLabel,
  polarityOf,
  unlessFormContradicts,
  withWhatFollows,
} from './yes-no-value.ts';

/* What one clause says about one item, by the kind of value that answers it. */

/** What words say about an item beside what else was said and asked. */
export interface Evidence extends ClauseValue {
  /** The words answer the question that we had just asked. */
  readonly isAsked: boolean;
  /** The speaker takes back what was said before. */
  readonly corrects: boolean;
}

interface Binding {
  /** The label of the claim, when the clause itself names the topic. */
  readonly topicLabel: string | null;
  readonly sureness: number;
  /** The provider is known to be out of network: the values outside are the patient's. */
  readonly isOutside: boolean;
  /** The known whole of which the item is a part: the deductible of what was met. */
  readonly whole?: Evidence['value'];
  /** Values of other items: of several in one clause these are the ones that are not meant. */
  readonly taken?: ReadonlySet<Evidence['value']>;
}

export function evidenceFor(item: PlanItem, move: Move, heard: Heard, binding: Binding): ClauseValue | null {
  const base = { key: item.key, quote: move.text, turn: heard.turn, isConditional: false };
  const [, label] = binding.topicLabel?.split('=') ?? [];
  switch (item.kind) {
    case 'yes-no': {
      if (namesBothCases(move)) return null;
      if (item.key === 'in_network' && deniesOutside(move.tokens))
        return ofLabel(base, 'yes', binding.sureness);
      const whole = label === undefined ? withWhatFollows(item, move, heard) : move;
      const read =
        label === undefined
          ? polarityOf(item, whole, { ...base, quote: whole.text }, heard.today)
          : agreed(item, move, ofLabel(base, label, binding.sureness));
      const said = read && unlessFormContradicts(item, whole, read);
      const word = said === null || said.confidence > unclear ? null : saidByOnePart(item, move);
      return said === null || word === null ? said : ofLabel(base, word, said.confidence);
    }
    case 'claim-status': {
      const status = statusIn(move, label);
      if (status === null) {
        const isTold = tells(move) && mayAnswerOpenQuestion(item.question, move.tokens);
        return isTold || leansToAsked(move, item) ? inWords(base) : null;
      }
      const isDoubtful = namesOtherStatus(status, heard);
      const answer = status.replaceAll('-', ' ');
      return { ...base, value: answer, answer, confidence: binding.sureness * (isDoubtful ? 0.5 : 1) };
    }
    case 'text':
      return textEvidence(item, base, move, label, binding.sureness);
    default:
      return valueEvidence(item, move, heard, { base, ...binding });
  }
}

/** Read back at most. */
const unclear = 0.5;
const leastNone = 0.6;

/**
 * "Two days for the lipids", asked for a date: an answer in its own words, and a guess where nothing of the
 * kind is said.
 */
function inOtherForm(item: PlanItem, move: Move, base: Base): ClauseValue | null {
  const { kind, question } = item;
  const time = move.entities.findLast(({ type }) =>
    ['quantity', 'time', 'time-range', 'date', 'moment'].includes(type),
  );
  if (whens.has(kind) && (time !== undefined || speaksOfHours(move) || comesAgain(move))) {
    const isOver = time !== undefined && isGone(time, move.tokens);
    // "I've told you three times now"
    const confidence = openAnswerLikelihood(question, move.tokens) >= leastLikely ? 0.7 : 0.35;
    return { ...base, value: null, answer: base.quote, confidence, isGone: isOver };
  }
  // "Twelve percent off", asked for an amount by a client who could not know.
  const isShare =
    isClientsOwn(item) &&
    shares.has(kind) &&
    move.entities.some(({ type }) => shares.has(type === 'percent' ? 'percentage' : type));
  if (isShare) return { ...base, value: null, answer: base.quote, confidence: 0.7 };
  // "That would be the night nurse", asked who.
  const names = kind === 'name' && mayAnswerOpenQuestion(question, move.tokens);
  if (names) return { ...base, value: null, answer: base.quote, confidence: 0.6 };
  return tells(move) ? inWords(base) : null;
}

function tells({ acts }: Move): boolean {
  return (acts.get('states') ?? 0) >= leastStated;
}

const leastStated = 0.5;

/** Nothing of the requested kind: asked again, and kept for a person to read. */
function inWords(base: Base): ClauseValue {
  return { ...base, value: null, answer: base.quote, confidence: 0.35 };
}

/** "If I get the form before three, the next business day": the condition alone answers nothing. */
function withConsequence(base: Base, move: Move, { said, moves }: Heard): Base {
  const next = moves[moves.indexOf(move) + 1];
  return isCondition(move) && next !== undefined && !next.isQuestion
    ? { ...base, quote: said.slice(move.start, next.end) }
    : base;
}

/** "If you call today, …" */
function isCondition({ tokens }: Move): boolean {
  const first = tokens.find(({ kind }) => kind === 'word')?.norm ?? '';
  return conditional.has(first) && tokens.at(-1)?.kind === 'comma';
}

const conditional = new Set(words.conditional.split(' '));

/** Below this, words with a time in them answer nothing. */
const leastLikely = 0.1;
const whens: ReadonlySet<ItemKind> = new Set(['date', 'date-time']);
const shares: ReadonlySet<string> = new Set<ItemKind>(['money', 'percentage']);

function speaksOfHours({ claims: [best] }: Move): boolean {
  return best !== undefined && best.label === 'hours' && best.confidence >= leastHours;
}

/** "Monday and Thursday, nine to four": days that come again are no date. */
function isTimetable(days: readonly Entity[], move: Move): boolean {
  const isRepeated = days.length > 1 || comesAgain(move);
  return (
    (isRepeated && (speaksOfHours(move) || move.entities.some(({ type }) => type === 'time-range'))) ||
    days.some((day, at) => at > 0 && isJoined(days[at - 1], day, move))
  );
}

/** "Monday and Wednesday": both, unlike a day and its correction. */
function isJoined(before: Entity | undefined, day: Entity, { tokens }: Move): boolean {
  const between = tokens.filter(({ start, end }) => start >= (before?.end ?? 0) && end <= day.start);
  return between.length > 0 && between.every(({ kind, norm }) => kind === 'comma' || norm === 'and');
}

/** "The twelfth of each month" */
function comesAgain({ tokens }: Move): boolean {
  return tokens.some(({ norm }) => recurringWords.has(norm));
}

const recurringWords = new Set(words.recurring.split(' '));
const leastHours = 0.6;
const freeWords = new Set(words.free.split(' '));

/** "No copay", "that's waived": a short clause that names the price of nothing. */
function isFree({ tokens }: Move, { question }: PlanItem): boolean {
  const said = plainWords(plain(tokens));
  const prices = new Set([...contentWords(question), ...words.prices.split(' ')]);
  // "No, I thought I knew the voice": a no to something else.
  const isOfPrice = (word: string, at: number): boolean =>
    word !== 'no' || said.length === 1 || said.slice(at + 1, at + 4).some((next) => prices.has(next));
  return said.length <= 7 && said.some((word, at) => freeWords.has(word) && isOfPrice(word, at));
}

function valueEvidence(
  item: PlanItem,
  move: Move,
  heard: Heard,
  {
    base,
    topicLabel,
    sureness,
    isOutside,
    whole = null,
    taken = new Set(),
  }: Binding & { readonly base: Base },
): ClauseValue | null {
  const values = likelyValues(item, heard, {
    isOutside,
    isTaken: (entity) => {
      const { value } = spokenValue(entity, item.kind);
      // "It's $3,000, and $1,500 behind her", asked what was met
      return taken.has(value) || value === whole;
    },
  });
  const likely = values.filter((one) => move.entities.includes(one.entity));
  const wanted = entityTypes[item.kind] ?? [];
  if (likely.length === 0 && values.length > 0 && move.entities.some(({ type }) => wanted.includes(type)))
    return null;
  const candidates = likely.map((one) => one.entity);
  const [entity] = candidates;
  if (entity === undefined) {
    if (item.kind === 'money' && isFree(move, item) && !move.entities.some(({ type }) => type === 'money'))
      return { ...base, value: 0, answer: '$0', confidence: sureness * 0.8 };
    // "There's none, it's a copay plan."
    if (item.kind === 'percentage' && denialOf(item, move) >= leastNone)
      return { ...base, value: 0, answer: '0%', confidence: unclear };
    return inOtherForm(item, move, withConsequence(base, move, heard));
  }
  if (whens.has(item.kind) && (isTimetable(candidates, move) || isCondition(move)))
    return inOtherForm(item, move, withConsequence(base, move, heard));
  const [best = { entity, likelihood: 0, limited: 0, rival: 0 }] = likely.toSorted(
    (a, b) => b.likelihood - a.likelihood,
  );
  const chosen = best.entity;
  if (best.likelihood < mostUnlikely && best.rival >= leastRival) return null;
  const spoken = spokenValue(item.key === 'coinsurance' ? patientPart(chosen, move) : chosen, item.kind);
  // "At eleven on a Saturday" tells a time by the clock, not a date; "Sunday everybody is home" tells none.
  const lacksTime = chosen.type === 'date' && plainWords(item.question).includes('time');
  const value = lacksTime || isOfOtherUnit(chosen, item.question) ? null : spoken.value;
  // "By the Friday before the break, else I'm chasing it in January": no day alone tells when.
  const isPart = value === null && isClientsOwn(item);
  const answer = isPart ? base.quote : chosen.type === 'date' ? withTime(chosen, move) : spoken.answer;
  // What a number means, which nothing else tells, the topic does.
  const same = candidates.filter((one) => JSON.stringify(one.value) === JSON.stringify(chosen.value));
  const surest = Math.max(...same.map(({ certainty }) => certainty));
  const certainty = chosen.type === 'number' ? numberOnTopic : surest;
  const isTold = !isDenied(chosen, move.tokens) && !isBound(chosen, move.tokens);
  const isOff = lacksTime && !move.entities.some(({ type }) => clockTypes.has(type));
  const confidence = sureness * certainty * (isTold && !isOff ? 1 : 0.55);
  const isOver = best.rival === 0 && value !== 0 && isGone(chosen, move.tokens);
  // "The deductible is $610. She has met $75": a clause that names its topic speaks of no other.
  const isNamed = topicLabel !== null && same.length === candidates.length;
  return {
    ...base,
    value,
    answer,
    confidence,
    isGone: isOver,
    likely: isNamed ? { ...best, rival: 0 } : best,
  };
}

const clockTypes: ReadonlySet<Entity['type']> = new Set(['time', 'time-range', 'moment', 'number']);

/** What is far less likely than another value is something else. */
const mostUnlikely = 0.3;
const leastRival = 0.6;

const numberOnTopic = 0.75;

/** "Wednesday between ten and two": the day alone would tell half of it. */
function withTime(day: Entity, { text, start, entities }: Move): string {
  const time = entities.find((entity) => entity.type === 'time-range' && entity.start >= day.end);
  const isBeside = time !== undefined && time.start - day.end <= mostBetween;
  return isBeside ? text.slice(day.start - start, time.end - start) : day.text;
}

/** Characters, for "Wednesday, sometime between". */
const mostBetween = 12;

/** "The plan pays eighty percent": the rest is the patient's. */
function patientPart(entity: Entity, { tokens }: Move): Entity {
  const before = plain(tokens.filter(({ end }) => end <= entity.start))
    .split(' ')
    .slice(-4)
    .join(' ');
  const isPayers = words.payer_pays.some((phrase) => ` ${before} `.includes(` ${phrase} `));
  return entity.type === 'percent' && isPayers ? { ...entity, value: 100 - entity.value } : entity;
}

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** The value of an entity for an item of a kind, and its words. */
export function spokenValue(
  entity: Entity,
  kind: ItemKind,
): { value: string | number | null; answer: string } {
  switch (entity.type) {
    case 'money':
      return { value: entity.value, answer: dollars.format(entity.value).replace('.00', '') };
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
      const { minutes } = entity.value;
      const time = [Math.floor(minutes / 60), minutes % 60]
        .map((part) => String(part).padStart(2, '0'))
        .join(':');
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

/** Words that may as well tell nothing of what was asked, and do not surely speak of it. */
function evades({ tokens, claims: [best] }: Move, { key, question }: PlanItem): boolean {
  // Of a name nobody can tell by its words whether it is one.
  if (key === 'plan_name') return false;
  if (best !== undefined && best.confidence >= leastOwn && best.label.split('=')[0] === key) return false;
  return !mayAnswerOpenQuestion(question, tokens);
}

const leastOwn = 0.6;

function textEvidence(
  item: PlanItem,
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
  // "Y."
  const isLetter = move.tokens.every(({ kind, text }) => kind !== 'word' || text.length === 1);
  const isPlainYes = isLetter || (move.acts.get('yes') ?? 0) >= 0.6;
  const confidence = sureness * (evades(move, item) ? 0.5 : 1);
  return isPlainYes ? null : { ...base, value: null, answer: base.quote, confidence };
}
