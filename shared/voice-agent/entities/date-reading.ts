import { addDays, addMonths, partsOf, startOfWeek, weekdayOf } from '../language/calendar.ts';
import days from '../language/en-US/entities/days.json' with { type: 'json' };
import type { DateValue } from './entity.ts';
import { quantityAt } from './quantities.ts';
import { countAt, normAt, phrasesOf, type Scan, touches } from './readings.ts';
import { isCapitalized, wordSet } from './tokens.ts';

/* Shared rules for dates: parsing names and numbers of days, months and years. */

/** A date and the position after it. */
export interface Read {
  readonly value: DateValue;
  readonly to: number;
  readonly certainty: number;
}

/** The reference for days without month and year. */
export interface Frame {
  readonly today: string;
  readonly isPast: boolean;
  /** Whether what lies behind us is no more than months ago. */
  readonly isRecent: boolean;
  /** The last day or span mentioned. */
  readonly anchor: DateValue | null;
}

export type Rule = (scan: Scan, at: number, frame: Frame) => Read | null;

const numbered = (names: readonly string[]): ReadonlyMap<string, number> =>
  new Map(names.flatMap((forms, index) => forms.split(' ').map((form) => [form, index] as const)));

const months = numbered(days.months);
const weekdays = numbered(days.weekdays);
export const beforeMonths = wordSet(days.beforeMonths);
export const otherMeanings = wordSet(days.otherMeanings);
const beforeShortWeekdays = wordSet(days.beforeShortWeekdays);
const joining: ReadonlySet<string> = new Set([',', 'and', 'or', '-']);
export const spans = phrasesOf(Object.entries(days.spans));

export const isDayWord = (word: string): boolean =>
  weekdays.has(word) || word === 'tomorrow' || word === 'today';

export const single = (day: string): DateValue => ({ day, lastDay: day, precision: 'day' });

export const weekOf = (day: string): DateValue => ({
  day: startOfWeek(day),
  lastDay: addDays(startOfWeek(day), 6),
  precision: 'week',
});

export function monthOf(day: string): DateValue {
  const first = `${day.slice(0, 7)}-01`;
  return { day: first, lastDay: addDays(addMonths(first, 1), -1), precision: 'month' };
}

export const yearOf = (year: number): DateValue => ({
  day: `${year}-01-01`,
  lastDay: `${year}-12-31`,
  precision: 'year',
});

export function readOf(day: string | null, to: number, certainty = 0.95): Read | null {
  return day === null ? null : { value: single(day), to, certainty };
}

/** The number of a month, 1 to 12. */
export const monthAt = (scan: Scan, at: number): number | null => {
  const index = months.get(normAt(scan, at));
  return index === undefined ? null : index + 1;
};

export function weekdayAt(scan: Scan, at: number): number | null {
  const word = normAt(scan, at);
  // "Went to a reviewer, sat on a desk": after a comma or "and", only beside another day or with a capital.
  const isList = joining.has(normAt(scan, at - 1));
  const isListed = weekdays.has(normAt(scan, at - 2)) || isCapitalized(scan.tokens[at]?.text ?? '');
  const isLed = beforeShortWeekdays.has(normAt(scan, at - 1)) && (!isList || isListed);
  const isClear = !otherMeanings.has(word) || isLed || isDayNext(scan, at + 1);
  return isClear ? (weekdays.get(word) ?? null) : null;
}

export const isDayNext = (scan: Scan, at: number): boolean =>
  scan.tokens[at]?.number?.ordinal === true ||
  monthAt(scan, at) !== null ||
  (normAt(scan, at) === 'the' && scan.tokens[at + 1]?.number?.ordinal === true);

export const skip = (scan: Scan, at: number, ...wanted: readonly string[]): number =>
  wanted.includes(normAt(scan, at)) ? at + 1 : at;

/**
 * The number of a day of the month: an ordinal, or a cardinal that does not continue as a time, an amount or a
 * fraction.
 */
export function dayNumberAt(scan: Scan, at: number): number | null {
  const number = scan.tokens[at]?.number;
  if (number == null || number.value < 1 || number.value > 31 || !Number.isInteger(number.value)) return null;
  if (number.ordinal) return number.value;
  const next = normAt(scan, at + 1);
  const goesOn = ['%', 'percent', 'am', 'pm', "o'clock"].includes(next) || quantityAt(scan, at) !== null;
  return goesOn || ([':', '/'].includes(next) && touches(scan, at + 1)) ? null : number.value;
}

/** "2026", "twenty twenty-six", "nineteen oh five"; two digits only if requested. */
export function yearAt(scan: Scan, at: number, isShort = false): { year: number; to: number } | null {
  const value = countAt(scan, at);
  if (value === null || !Number.isInteger(value)) return null;
  const [second, third] = [countAt(scan, at + 1), countAt(scan, at + 2)];
  if (value >= 1900 && value < 2100) return { year: value, to: at + 1 };
  if ((value === 19 || value === 20) && second !== null && touchesNoMark(scan, at + 2)) {
    if (second >= 10 && second < 100) return { year: value * 100 + second, to: at + 2 };
    if (second === 0 && third !== null && third < 10) return { year: value * 100 + third, to: at + 3 };
  }
  if (!isShort || value < 32 || value > 99) return null;
  return { year: 1900 + value, to: at + 1 };
}

const touchesNoMark = (scan: Scan, at: number): boolean =>
  !([':', '%', '/'].includes(normAt(scan, at)) && touches(scan, at));

export const dayOfWeek = (monday: string, weekday: number): string => addDays(monday, (weekday + 6) % 7);

export const firstWeekdayAfter = (day: string, weekday: number): string =>
  addDays(day, (weekday - weekdayOf(day) + 7) % 7 || 7);

export type Span = readonly (string | number)[];

export function spanOf([unit, shift]: Span, { today }: Frame): DateValue {
  const count = Number(shift);
  if (unit === 'year') return yearOf(partsOf(today).year + count);
  const span =
    unit === 'month'
      ? monthOf(addMonths(`${today.slice(0, 7)}-01`, count))
      : weekOf(addDays(today, 7 * count));
  return count === 0 && span.day < today ? { ...span, day: today } : span;
}
