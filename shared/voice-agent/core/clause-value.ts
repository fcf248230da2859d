import type { ItemKind, PlanItem } from '../call-plan/call-plan.ts';
import { contentWords } from '../call-plan/words.ts';
import type { Entity } from '../entities/entities.ts';
import { type Token, tokenize } from '../entities/tokens.ts';
import words from '../language/en-US/cue-words.json' with { type: 'json' };
import { relevanceOf } from '../understanding/answer-relevance.ts';
import { negations } from '../understanding/features.ts';
import { guess } from '../understanding/linear-model.ts';
import { hasPlainSign, isAkin, polarityFeatures, signOf } from '../understanding/polarity-features.ts';
import { type Heard, type Move, modelOf } from '../understanding/understand.ts';
import {
  beginsWithNo,
  beginsWithYes,
  deniesTrouble,
  noWords,
  yesWords,
} from '../understanding/yes-and-no.ts';
import { conclusionWords, isGone, meantOf } from './standing-value.ts';

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
  /** The value is denied, or said of what is over. */
  readonly isGone?: boolean;
}

/** What words say about an item beside what else was said and asked. */
export interface Evidence extends ClauseValue {
  /** The words answer the question that we had just asked. */
  readonly isAsked: boolean;
  /** The speaker takes back what was said before. */
  readonly corrects: boolean;
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

/** "Ah," says nothing, whatever follows. */
export function isInterjection({ tokens }: Move): boolean {
  return tokens.every(({ kind, norm }) => kind !== 'word' || interjections.has(norm));
}

const interjections = new Set(words.interjections.split(' '));

interface Binding {
  /** The label of the claim, when the clause itself names the topic. */
  readonly topicLabel: string | null;
  readonly sureness: number;
  /** The provider is known to be out of network: the values outside are the patient's. */
  readonly isOutside: boolean;
}

export function evidenceFor(item: PlanItem, move: Move, heard: Heard, binding: Binding): ClauseValue | null {
  const base = { key: item.key, quote: move.text, turn: heard.turn, isConditional: false };
  const [, label] = binding.topicLabel?.split('=') ?? [];
  switch (item.kind) {
    case 'yes-no': {
      if (label !== undefined)
        return unlessFormContradicts(item, move, agreed(item, move, ofLabel(base, label, binding.sureness)));
      const whole = withWhatFollows(item, move, heard);
      const said = polarityOf(item, whole, { ...base, quote: whole.text });
      return said === null ? null : unlessFormContradicts(item, whole, said);
    }
    case 'claim-status':
      return label === undefined
        ? null
        : {
            ...base,
            value: label.replaceAll('-', ' '),
            answer: label.replaceAll('-', ' '),
            confidence: binding.sureness * (isDeniedStatus(label, move) ? 0.5 : 1),
          };
    case 'text':
      return textEvidence(base, move, label, binding.sureness);
    default:
      return valueEvidence(item, move, base, binding);
  }
}

/** "Nobody has paid it": a status that came about is not told by denying one. */
function isDeniedStatus(label: string, { tokens }: Move): boolean {
  return (
    reachedStatuses.has(label) &&
    tokens.some(({ norm }) => norm.split(' ').some((word) => negations.has(word) && word !== 'no'))
  );
}

const reachedStatuses: ReadonlySet<string> = new Set(['paid', 'partially-paid', 'approved', 'received']);

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
  const word = plainWordOf(item, move);
  if (word !== null) return ofLabel(byTopic, word, 0.9);
  const [best] = guess(modelOf('polarity'), polarityFeatures(item.question, move.tokens));
  const other = best?.label === 'yes' ? true : best?.label === 'no' ? false : null;
  if (best === undefined || other === null || byTopic.value === null || best.confidence < leastContradicting)
    return byTopic;
  return other === byTopic.value
    ? byTopic
    : { ...byTopic, confidence: Math.min(byTopic.confidence, doubtful) };
}

const leastContradicting = 0.6;

/**
 * "Covered, only the massage is not covered", "it hasn't lapsed": the form disagrees with itself or with the
 * reading.
 */
function unlessFormContradicts({ question }: PlanItem, { tokens }: Move, said: ClauseValue): ClauseValue {
  const sign = signOf(question, tokens);
  const agrees = sign === null || said.value === null || sign === (said.value === true ? 'yes' : 'no');
  return agrees ? said : { ...said, confidence: Math.min(said.confidence, unsure) };
}

/**
 * "Referral, no.", "adjusting, no charge": a few words that begin or end with a plain yes or no, or deny a word of the
 * question, mean just that; "it's no trouble" does not.
 */
function plainWordOf({ question }: PlanItem, { tokens }: Move): 'yes' | 'no' | null {
  const said = tokens.filter(({ kind }) => kind === 'word').map(({ norm }) => norm);
  const ends = [said[0] ?? '', said.at(-1) ?? ''];
  const asked = plain(tokenize(question)).split(' ');
  const denied = said[said.indexOf('no') + 1] ?? '';
  const deniesAsked = said.includes('no') && asked.some((word) => word.length > 2 && isAkin(word, denied));
  // "No appointment" is a yes to "without an appointment".
  if (said.length > 4 || deniesTrouble(tokens) || (deniesAsked && asked.includes('without'))) return null;
  const isNo = deniesAsked || ends.some((word) => noWords.has(word));
  const isYes = ends.some((word) => yesWords.has(word));
  return isNo === isYes ? null : isNo ? 'no' : 'yes';
}

/** "Walk-ins, we stopped those": words of the question alone say nothing of it; what follows does. */
function withWhatFollows({ question }: PlanItem, move: Move, { said, moves }: Heard): Move {
  const words = contentWords(move.text);
  const asked = contentWords(question);
  const isMention =
    words.length > 0 &&
    words.every((word) => asked.some((one) => isAkin(one, word))) &&
    !move.tokens.some(({ norm }) => yesWords.has(norm) || noWords.has(norm));
  const next = moves[moves.indexOf(move) + 1];
  if (!isMention || next === undefined || next.isQuestion) return move;
  const tokens = [...move.tokens, ...next.tokens];
  return { ...move, text: said.slice(move.start, next.end), end: next.end, tokens };
}

/** Yes or no to the question of the item, by the plain word or by what the clause means beside the question. */
function polarityOf(item: PlanItem, move: Move, base: Base): ClauseValue | null {
  const word = plainWordOf(item, move);
  if (word !== null) return ofLabel(base, word, 0.9);
  const yes = move.acts.get('yes') ?? 0;
  const no = move.acts.get('no') ?? 0;
  const sign = signOf(item.question, move.tokens);
  // What the model learned of "no appointment" is turned around.
  if (sign !== null && sign !== 'both' && plain(tokenize(item.question)).includes(' without '))
    return ofLabel(base, sign, leastSaid);
  const isBare = isBareWord(move) && !deniesTrouble(move.tokens) && sign === null;
  if (Math.max(yes, no) >= 0.6 && isBare) return ofLabel(base, yes > no ? 'yes' : 'no', Math.max(yes, no));
  const [best] = guess(modelOf('polarity'), polarityFeatures(item.question, move.tokens));
  if (best === undefined || best.label === 'none' || best.label === 'unknown') {
    if (beginsWithNo(move.tokens)) return ofLabel(base, 'no', leastPlain);
    return beginsWithYes(move.tokens) ? ofLabel(base, 'yes', leastPlain) : null;
  }
  const most = isDisputed(item, move, best.label) ? doubtful : isReply(item, move) ? 1 : unsure;
  const saysSo =
    best.label === 'no' ? beginsWithNo(move.tokens) && !deniesMore(move) : beginsWithYes(move.tokens);
  return ofLabel(base, best.label, Math.min(Math.max(best.confidence, saysSo ? leastSaid : 0), most));
}

/** "No, nobody here can tell you": what else is denied may be the answer itself. */
function deniesMore({ tokens }: Move): boolean {
  return tokens.slice(1).some(({ norm }) => norm.split(' ').some((word) => negations.has(word)));
}

/** The word and the model agree. */
const leastSaid = 0.85;
/** "No, it is by appointment": the first word counts though the rest tells nothing. */
const leastPlain = 0.75;
const danglingWords = new Set(words.dangling.split(' '));
const unsure = 0.5;
const leastRelevant = 0.3;

/**
 * Takes up the question, or replies by its form: "they do", "of course not". What is said of something else
 * does neither.
 */
function isReply({ question }: PlanItem, { tokens }: Move): boolean {
  const said = plain(tokens).split(' ');
  const isWord = [said[0] ?? '', said.at(-1) ?? ''].some((word) => noWords.has(word) || yesWords.has(word));
  // "Walk-ins for blood draws that": the piece that says something comes after it.
  if (danglingWords.has(said.at(-1) ?? '')) return false;
  return isWord || hasPlainSign(question, tokens) || relevanceOf(question, tokens) >= leastRelevant;
}

/** "Not terminated, no": what the clause says about the topic speaks against the sign that it bears. */
function isDisputed({ key }: PlanItem, { claims }: Move, label: string): boolean {
  const own = claims.find((claim) => claim.label.startsWith(`${key}=`));
  const opposite = label === 'yes' ? 'no' : 'yes';
  return own?.label === `${key}=${opposite}` && own.confidence >= leastDisputing;
}

const leastDisputing = 0.3;
/** Below what is taken for an answer, above what is not heard at all. */
const doubtful = 0.35;

/**
 * "Two days for the lipids", asked for a date: an answer in its own words, and a guess where nothing of the
 * kind is said.
 */
function inOtherForm({ kind }: PlanItem, move: Move, base: Base): ClauseValue | null {
  const isTime = move.entities.some(({ type }) =>
    ['quantity', 'time', 'time-range', 'date', 'moment'].includes(type),
  );
  const states = move.acts.get('states') ?? 0;
  if (whens.has(kind) && isTime) return { ...base, value: null, answer: base.quote, confidence: 0.7 };
  return states >= 0.5 ? { ...base, value: null, answer: base.quote, confidence: 0.35 } : null;
}

const whens: ReadonlySet<ItemKind> = new Set(['date', 'date-time']);

/** "Monday and Thursday, nine to four": days that come again are no date. */
function isTimetable(days: readonly Entity[], { claims: [best], entities, tokens }: Move): boolean {
  const isHours = best !== undefined && best.label === 'hours' && best.confidence >= leastHours;
  const comesAgain = days.length > 1 || tokens.some(({ norm }) => recurringWords.has(norm));
  return comesAgain && (isHours || entities.some(({ type }) => type === 'time-range'));
}

const recurringWords = new Set(words.recurring.split(' '));

const leastHours = 0.6;

const freeWords = new Set(words.free.split(' '));

/** "No copay", "that's waived": a short clause that names the price of nothing. */
function isFree({ tokens }: Move): boolean {
  const said = tokens.filter(({ kind }) => kind === 'word');
  return said.length <= 7 && said.some(({ norm }) => freeWords.has(norm));
}

function valueEvidence(
  item: PlanItem,
  move: Move,
  base: Base,
  { sureness, isOutside }: Binding,
): ClauseValue | null {
  const wanted = entityTypes[item.kind] ?? [];
  const candidates = move.entities.filter(
    (entity) => wanted.includes(entity.type) && !isOfOtherTier(entity, move, item, isOutside),
  );
  const [entity] = candidates;
  if (entity === undefined) {
    if (item.kind === 'money' && isFree(move) && !move.entities.some(({ type }) => type === 'money'))
      return { ...base, value: 0, answer: '$0', confidence: sureness * 0.8 };
    return inOtherForm(item, move, base);
  }
  if (whens.has(item.kind) && isTimetable(candidates, move)) return inOtherForm(item, move, base);
  const chosen = candidates.length === 1 ? entity : meantOf(candidates, move);
  const isOne = new Set(candidates.map(({ value }) => JSON.stringify(value))).size === 1 || chosen !== entity;
  const { value, answer } = spokenValue(
    item.key === 'coinsurance' ? patientPart(chosen, move) : chosen,
    item.kind,
  );
  // What a number means, which nothing else tells, the topic does.
  const same = candidates.filter((one) => JSON.stringify(one.value) === JSON.stringify(chosen.value));
  const surest = Math.max(...same.map(({ certainty }) => certainty));
  const certainty = chosen.type === 'number' ? numberOnTopic : surest;
  const confidence = sureness * certainty * (isOne ? 1 : 0.7);
  return { ...base, value, answer, confidence, isGone: value !== 0 && isGone(chosen, move.tokens) };
}

const numberOnTopic = 0.75;

/** "The plan pays eighty percent": the rest is the patient's. */
function patientPart(entity: Entity, { tokens }: Move): Entity {
  const before = plain(tokens.filter(({ end }) => end <= entity.start))
    .split(' ')
    .slice(-4)
    .join(' ');
  const isPayers = words.payer_pays.some((phrase) => ` ${before} `.includes(` ${phrase} `));
  return entity.type === 'percent' && isPayers ? { ...entity, value: 100 - entity.value } : entity;
}

/** "…, three thousand for a family": a value for another tier than the question is about. */
function isOfOtherTier(
  { type, start, end }: Entity,
  { tokens, entities }: Move,
  { question }: PlanItem,
  isOutside: boolean,
): boolean {
  // "That was last year, $28 now"
  const follower = tokens.find((token) => token.start >= end)?.norm ?? '';
  if (conclusionWords.has(follower)) return false;
  // "Last year" is itself a date: only another value like this one ends what belongs to it.
  const values = entities.filter((entity) => entity.type === type);
  const next = values.find((entity) => entity.start >= end)?.start ?? Number.POSITIVE_INFINITY;
  const previous = values.findLast((entity) => entity.end <= start)?.end ?? 0;
  const behind = plain(tokens.filter((token) => token.start >= end && token.end <= next));
  const ahead =
    previous === 0 || behind === ''
      ? plain(tokens.filter((token) => token.start >= previous && token.end <= start))
      : '';
  const beside = ` ${behind} ${ahead} `;
  const names = (tier: string): boolean =>
    beside.includes(` ${tier} `) && !question.toLowerCase().includes(tier);
  const isOfOutside = words.outside.some(names);
  const isOfInside = !isOfOutside && words.inside.some(names);
  return words.other_tier.some(names) || (isOutside ? isOfInside : isOfOutside);
}

export function plain(tokens: readonly Token[]): string {
  return tokens
    .filter(({ kind }) => kind === 'word')
    .map(({ norm }) => norm)
    .join(' ');
}

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

function spokenValue(entity: Entity, kind: ItemKind): { value: string | number | null; answer: string } {
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
