import contexts from '../language/en-US/entities/contexts.json' with { type: 'json' };
import type { QuantityValue } from './entity.ts';
import {
  countAt,
  normAt,
  phraseAt,
  phrasesOf,
  type Reading,
  readAll,
  type Scan,
  touches,
} from './readings.ts';
import { wordSet } from './tokens.ts';

const units = new Map(
  Object.entries(contexts.units).flatMap(([unit, words]) =>
    words.split(' ').map((word) => [word, unit] as const),
  ),
);
const dayKinds = new Map(Object.entries(contexts.dayKinds));
const vagueCounts = phrasesOf(contexts.vagueCounts.map(([words, count]) => [String(words), Number(count)]));
const furtherWords = wordSet(contexts.furtherWords);
const spanWords = wordSet(contexts.spans);
const betweenWords = wordSet(contexts.between);
const countedThings = new Set(['visit', 'session', 'unit', 'treatment']);
const listJoints = new Set(['to', 'or', '-', 'of', 'out']);
const timeUnits = new Set(['day', 'week', 'month', 'year', 'hour', 'minute']);

/** Numbers with their units: "thirty visits", "three to five business days", "a couple of weeks". */
export function findQuantities(scan: Scan): Reading<'quantity'>[] {
  return readAll(scan, (_, at) => {
    const read = quantityAt(scan, at);
    if (read === null) return null;
    const certainty = read.isVague ? 0.5 : 0.9;
    return { type: 'quantity', value: read.value, certainty, from: at, to: read.to };
  });
}

interface Quantity {
  readonly value: QuantityValue;
  readonly to: number;
  readonly isVague: boolean;
}

/** The quantity that starts at a position. */
export function quantityAt(scan: Scan, at: number): Quantity | null {
  const count = amountAt(scan, at);
  if (count === null) return null;
  const unit = unitAt(scan, count.to) ?? sharedUnit(scan, count.to);
  if (unit === null) return null;
  // "Thirty visits a year" is a rate; "in a year" a time.
  const isSpan = spanWords.has(normAt(scan, at - 1)) || normAt(scan, at) === 'another';
  const end = endOfGuess(scan, unit.to);
  if (count.isArticle && !(timeUnits.has(unit.unit) && (isSpan || end !== null))) return null;
  const value = { value: count.value, unit: unit.unit };
  return { value, to: end ?? unit.to, isVague: count.isVague || end !== null };
}

/** "A day or two": a number with its unit before it is not a time of day. */
export function endOfGuess(scan: Scan, at: number): number | null {
  const isGuess = normAt(scan, at) === 'or' && countAt(scan, at + 1) !== null;
  return isGuess && unitAt(scan, at + 2) === null ? at + 2 : null;
}

function amountAt(scan: Scan, at: number) {
  const vague = phraseAt(scan, at, vagueCounts);
  if (vague !== null)
    return { value: vague.value, to: vague.to, isVague: vague.value < 10, isArticle: false };
  const isArticle = ['a', 'an', 'another'].includes(normAt(scan, at));
  const value = isArticle ? 1 : countAt(scan, at);
  return value === null ? null : { value, to: at + 1, isVague: false, isArticle };
}

function unitAt(scan: Scan, at: number): { unit: string; to: number } | null {
  const isSkipped = (normAt(scan, at) === '-' && touches(scan, at)) || furtherWords.has(normAt(scan, at));
  const first = isSkipped ? at + 1 : at;
  const kind = dayKinds.get(normAt(scan, first));
  const unit = units.get(normAt(scan, kind === undefined ? first : first + 1));
  if (kind !== undefined) return unit === 'day' ? { unit: kind, to: first + 2 } : null;
  return unit === undefined ? describedUnit(scan, first) : { unit, to: first + 1 };
}

/** "twenty outpatient visits", "thirty physical therapy visits" */
function describedUnit(scan: Scan, from: number): { unit: string; to: number } | null {
  for (let at = from; at < from + 3; at += 1) {
    const unit = units.get(normAt(scan, at));
    if (unit !== undefined) return countedThings.has(unit) ? { unit, to: at + 1 } : null;
    if (scan.tokens[at]?.kind !== 'word' || betweenWords.has(normAt(scan, at))) return null;
  }
  return null;
}

/** The first number of "three to five days", "30 or 45 days" and "three of her thirty visits" shares the unit. */
function sharedUnit(scan: Scan, at: number): { unit: string; to: number } | null {
  const isOf = normAt(scan, at) === 'of' && countAt(scan, at + 1) === null;
  const second = at + (normAt(scan, at) === 'out' ? 2 : isOf ? 2 : 1);
  if (!listJoints.has(normAt(scan, at)) || countAt(scan, second) === null) return null;
  const unit = unitAt(scan, second + 1);
  return unit === null ? null : { unit: unit.unit, to: at };
}
