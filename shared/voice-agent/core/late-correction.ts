import type { CallPlan, PlanItem } from '../call-plan/call-plan.ts';
import { valueTypesOf } from '../call-plan/item-values.ts';
import { contentWords } from '../call-plan/words.ts';
import type { Entity } from '../entities/entity.ts';
import { findEntities } from '../entities/find-entities.ts';
import { isBareNumber, isSameValue, plainValue } from '../entities/same-value.ts';
import { tokenize } from '../entities/tokens.ts';
import { correctionFeatures } from '../understanding/correction-features.ts';
import { negations } from '../understanding/features.ts';
import { guess } from '../understanding/linear-model.ts';
import { isAkin } from '../understanding/polarity-features.ts';
import { networkTiersIn } from '../understanding/tiers.ts';
import { type Heard, type Move, modelOf } from '../understanding/understand.ts';
import { type Evidence, spokenValue } from './clause-value.ts';
import type { Known } from './corrections.ts';
import { isOfOtherMember } from './other-tier.ts';

/*
 * "They raised it in January, it's $61 now. And yes, we do": a reply to the next question that corrects the answer to
 * an earlier one, in whatever words.
 */

export interface LateCorrection {
  readonly item: PlanItem;
  /** The answer so far. */
  readonly earlier: string;
  readonly entity: Entity;
  readonly move: Move;
  /** 0 to 1 */
  readonly confidence: number;
}

const leastCertain = 0.65;
/** What may as well answer what was asked, and "Standard 400", a number that names no kind of value. */
const leastUnclear = 0.85;

/** The earlier answer that a reply most likely corrects, and where; null if none. */
export function lateCorrectionIn(
  heard: Heard,
  asked: PlanItem | null,
  { items }: CallPlan,
  known: readonly Known[],
): LateCorrection | null {
  const isOutside = known.some(({ key, value }) => key === 'in_network' && value === false);
  const isKnown = (value: Entity): boolean => known.some((one) => isSameValue(value, String(one.value)));
  const all = known.flatMap((answer): LateCorrection[] => {
    const item = items.find(({ key }) => key === answer.key);
    const types = item === undefined || item === asked ? [] : typesOf(item, answer, heard.today);
    if (item === undefined || types.length === 0) return [];
    const context = { today: heard.today, expecting: types };
    const old = answer.value ?? valueIn(answer.answer ?? '', context);
    if (old === null || typeof old === 'boolean') return [];
    // The prompt as it was heard knows which way a day without a year lies.
    const values = findEntities(heard.tokens, context)
      .map((value) => heard.entities.find((one) => isSamePlace(one, value)) ?? value)
      .filter((value) => types.includes(value.type) && !isVagueDay(value, heard.today))
      .filter((value) => !isOfOtherMember(moveOf(value, heard)));
    // "It's $800, and she's met $225", known before: said again, it stands.
    if (values.some((value) => isSameValue(value, String(old)) && confirms(moveOf(value, heard), item)))
      return [];
    return values.flatMap((value) => {
      const move = moveOf(value, heard);
      // Another answer is repeated: "the forty is the copay".
      if (move === undefined || isKnown(value)) return [];
      // "Out of network the deductible is $4,500"
      const tiers = networkTiersIn(move.tokens, { question: item.question, isOutside });
      if (tiers.length > 0 && tiers.every(({ mask }) => mask === '<theirs>')) return [];
      const fitsAsked = asked !== null && valueTypesOf(asked).includes(value.type);
      // "A $50 deposit. No, sorry, $75": puts right what was just said in reply to our question.
      const isOfAsked = fitsAsked && values.some((one) => one.start < value.start && !isKnown(one));
      if (isOfAsked && !namesEarlier(move, item, asked)) return [];
      const features = correctionFeatures({
        earlier: { question: item.question, value: old },
        asked: asked?.question ?? null,
        fitsAsked,
        tokens: heard.tokens,
        values,
        value,
      });
      const confidence =
        guess(modelOf('corrections'), features).find(({ label }) => label === 'corrects')?.confidence ?? 0;
      const isLast = value === values.at(-1);
      const isUnclear =
        isBareAmount(value) ||
        isOfOther(value, item, answer) ||
        (fitsAsked && isLast && !namesEarlier(move, item, asked));
      const isCertain = confidence >= (isUnclear ? leastUnclear : leastCertain);
      // "In town, free": what costs nothing must be named, and not reply to our question: "Nothing, they paid".
      const isNamed = value.value !== 0 || (namesEarlier(move, item, asked) && !repliesWith(value, move));
      const earlier = answer.answer ?? '';
      return isCertain && isNamed ? [{ item, earlier, entity: value, move, confidence }] : [];
    });
  });
  // Of equals, the last answer is meant.
  return all.reduce<LateCorrection | null>(
    (one, other) => (one !== null && one.confidence > other.confidence ? one : other),
    null,
  );
}

function repliesWith({ end }: Entity, { tokens: [first, second] }: Move): boolean {
  return first?.end === end && second?.kind === 'comma';
}

function moveOf(value: Entity, { moves }: Heard): Move | undefined {
  return moves.find(({ start, end }) => start <= value.start && end >= value.end);
}

/** The clause gives its value for the item: "she's met $225", not "not $225". */
function confirms(move: Move | undefined, { key }: PlanItem): boolean {
  const [best] = move?.claims ?? [];
  const isOfItem = best?.label === key && best.confidence >= leastNamed;
  return isOfItem && move?.tokens.some(({ norm }) => negations.has(norm)) === false;
}

const leastNamed = 0.5;

/** What a correction says about the earlier answer; of one in many words, it corrects only the value. */
export function correctedEvidence(
  { item, earlier, entity, move }: LateCorrection,
  { turn }: Heard,
): Evidence {
  const inWords = isBrief(earlier) ? move.text : `${earlier} ${move.text}`;
  const { value, answer } =
    item.kind === 'text' ? { value: null, answer: inWords } : spokenValue(entity, item.kind);
  return {
    key: item.key,
    value,
    answer,
    quote: move.text,
    turn,
    confidence: sure,
    isConditional: false,
    isAsked: false,
    corrects: true,
  };
}

const sure = 0.9;

/** The prompt behind a correction, before it, and the clause beside its value. */
export function partsBeside({ move, entity }: LateCorrection, heard: Heard): Heard[] {
  const at = heard.moves.indexOf(move);
  const own = { ...move, entities: move.entities.filter(({ start }) => start !== entity.start) };
  return [heard.moves.slice(at + 1), heard.moves.slice(0, at), [own]].map((moves) => ({
    ...heard,
    moves,
    entities: moves.flatMap(({ entities }) => entities),
    tokens: moves.flatMap(({ tokens }) => tokens),
  }));
}

function isSamePlace(one: Entity, other: Entity): boolean {
  return one.type === other.type && one.start === other.start && one.end === other.end;
}

function valueIn(answer: string, context: Parameters<typeof findEntities>[1]): string | number | null {
  const [value] = findEntities(tokenize(answer), context).filter(({ type }) =>
    context.expecting?.includes(type),
  );
  return value === undefined ? null : plainValue(value.value);
}

/**
 * The kinds of values that may correct an answer: one in words by the only value in them, a yes or no and a name by
 * none.
 */
function typesOf(item: PlanItem, { answer = '' }: Known, today: string): readonly Entity['type'][] {
  const { kind } = item;
  if (kind === 'yes-no' || kind === 'name' || kind === 'claim-status') return [];
  const types = valueTypesOf(item);
  if (kind !== 'text' || types.length > 0) return types;
  const values = findEntities(tokenize(answer), { today }).filter(({ type }) => measures.has(type));
  const [value, ...others] = values;
  return value !== undefined && others.length === 0 ? [value.type] : [];
}

function isBrief(answer: string): boolean {
  return contentWords(answer).length <= mostBrief;
}

const measures: ReadonlySet<Entity['type']> = new Set([
  'money',
  'percent',
  'quantity',
  'phone',
  'date',
  'time',
]);
const mostBrief = 6;

/** "Ten minutes ahead", asked before how many people: a count of something else. */
function isOfOther(value: Entity, { question }: PlanItem, { answer = '' }: Known): boolean {
  const words = contentWords(`${question} ${answer}`);
  return value.type === 'quantity' && !words.some((word) => isAkin(word, value.value.unit));
}

/** "Last week", "I can't read tonight": no day that a file would tell. */
function isVagueDay(value: Entity, today: string): boolean {
  return value.type === 'date' && (value.value.precision !== 'day' || value.value.day === today);
}

/** "Standard 400", "the first twelve" */
function isBareAmount(value: Entity): boolean {
  const isAmount = value.type === 'money' || value.type === 'number' || value.type === 'percent';
  return isAmount && isBareNumber(value);
}

/** The clause names the earlier question, by a word that the new one has not. */
function namesEarlier({ text }: Move, { question }: PlanItem, asked: PlanItem | null): boolean {
  const others = contentWords(asked?.question ?? '');
  const own = contentWords(question).filter((word) => !others.includes(word));
  return contentWords(text).some((word) => own.includes(word));
}
