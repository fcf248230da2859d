import { addDays, addMonths, dayOf, partsOf } from '../language/calendar.ts';
import days from '../language/en-US/entities/days.json' with { type: 'json' };
import {
  beforeMonths,
  type Frame,
  monthAt,
  monthOf,
  otherMeanings,
  type Rule,
  readOf,
  type Span,
  single,
  skip,
  spanOf,
  spans,
  weekOf,
  yearAt,
  yearOf,
} from './date-reading.ts';
import type { DateValue } from './entity.ts';
import { dayMonth, dayOnly, monthDay } from './numbered-days.ts';
import { quantityAt } from './quantities.ts';
import { normAt, phraseAt, phrasesOf, type Scan } from './readings.ts';
import { wordSet } from './tokens.ts';

/* Weeks, months and years, and parts of them: "next week", "the end of March". */

const beforeYears = wordSet(days.beforeYears);
const followingSpans = phrasesOf(Object.entries(days.followingSpans));
const wholes = phrasesOf(Object.entries(days.wholes));
const parts = phrasesOf(Object.entries(days.parts));

/** "next week", "this month", "last year", "the following week" */
export const spanOnly: Rule = (scan, at, frame) => {
  const said = phraseAt(scan, at, spans);
  const isOf = ['of', 'from', 'after'].includes(normAt(scan, said?.to ?? at));
  if (said !== null && !(isOf && said.value[1] !== 2))
    return { value: spanOf(said.value, frame), to: said.to, certainty: 0.95 };
  const following = phraseAt(scan, at, followingSpans);
  if (following === null || normAt(scan, following.to) === 'next') return null;
  const isDay = following.value === 'day';
  if (isDay)
    return frame.anchor === null ? null : readOf(addDays(frame.anchor.lastDay, 1), following.to, 0.85);
  const today = frame.anchor?.day ?? frame.today;
  return { value: spanOf([following.value, 1], { ...frame, today }), to: following.to, certainty: 0.9 };
};

/** "the week of December 7th", "the week of the 7th" */
export const weekAround: Rule = (scan, at, frame) => {
  const from = skip(scan, at, 'the');
  if (normAt(scan, from) !== 'week' || !['of', 'beginning', 'starting'].includes(normAt(scan, from + 1)))
    return null;
  const read =
    monthDay(scan, from + 2, frame) ?? dayMonth(scan, from + 2, frame) ?? dayOnly(scan, from + 2, frame);
  return read === null ? null : { ...read, value: weekOf(read.value.day) };
};

/** "end of March", "early next month", "the first week of december", "the end of the year" */
export const partOnly: Rule = (scan, at, frame) => {
  const part = phraseAt(scan, at, parts);
  if (part === null) return null;
  const whole = wholeAt(scan, part.to, frame);
  if (whole === null || (whole.value.precision === 'week' && part.value !== 'late' && part.value !== 'early'))
    return null;
  const value = partOf(part.value, whole.value);
  // "The first of the year" is the next one unless the past is meant.
  const isGone = value.day === value.lastDay && value.day < frame.today && !frame.isPast && whole.isRelative;
  const step = whole.value.precision === 'year' ? 12 : 1;
  return { value: isGone ? single(addMonths(value.day, step)) : value, to: whole.to, certainty: 0.9 };
};

export function wholeAt(
  scan: Scan,
  at: number,
  frame: Frame,
): { value: DateValue; to: number; isRelative: boolean } | null {
  const shift = phraseAt(scan, skip(scan, at, 'the'), spans);
  if (shift !== null) return { value: fullSpan(shift.value, frame), to: shift.to, isRelative: false };
  const whole = phraseAt(scan, at, wholes);
  if (whole !== null) return { value: fullSpan([whole.value, 0], frame), to: whole.to, isRelative: true };
  const month = monthAt(scan, at);
  return month === null ? null : { ...monthInYear(scan, month, at + 1, frame), isRelative: false };
}

const fullSpan = (span: Span, frame: Frame): DateValue => {
  const value = spanOf(span, frame);
  if (value.precision === 'month') return monthOf(value.day);
  return value.precision === 'week' ? weekOf(value.day) : value;
};

function partOf(part: string, whole: DateValue): DateValue {
  const { day, lastDay } = whole;
  const step = whole.precision === 'year' ? 90 : whole.precision === 'week' ? 2 : 10;
  if (part === 'first-day') return single(day);
  if (part === 'last-day') return single(lastDay);
  if (part === 'first-week') return { day, lastDay: addDays(day, 6), precision: 'week' };
  if (part === 'last-week') return { day: addDays(lastDay, -6), lastDay, precision: 'week' };
  if (part === 'early') return { ...whole, lastDay: addDays(day, step - 1) };
  if (part === 'middle')
    return { ...whole, day: addDays(day, step - 1), lastDay: addDays(day, 2 * step - 1) };
  return { ...whole, day: addDays(lastDay, -step) };
}

/** "in December", "March of 2027", "sometime in may", "November or December" */
export const monthOnly: Rule = (scan, at, frame) => {
  const month = monthAt(scan, at);
  if (month === null) return null;
  const before = normAt(scan, at - 1);
  const read = monthInYear(scan, month, at + 1, frame);
  const isListed = ['or', 'and'].includes(before) || ['or', 'and'].includes(normAt(scan, at + 1));
  const isMeant =
    !otherMeanings.has(normAt(scan, at)) ||
    read.to > at + 1 ||
    (beforeMonths.has(before) && (!isListed || monthAt(scan, at - 2) !== null));
  return isMeant ? { ...read, certainty: beforeMonths.has(before) ? 0.95 : 0.75 } : null;
};

function monthInYear(
  scan: Scan,
  month: number,
  behind: number,
  frame: Frame,
): { value: DateValue; to: number } {
  const said = yearAt(scan, skip(scan, behind, ',', 'of'));
  const { year, month: thisMonth } = partsOf(frame.today);
  const shift = frame.isPast ? (month > thisMonth ? -1 : 0) : month < thisMonth ? 1 : 0;
  const first = dayOf(said?.year ?? year + shift, month, 1) ?? frame.today;
  return { value: monthOf(first), to: said?.to ?? behind };
}

/** "in 2025", "plan year twenty twenty-six" */
export const yearOnly: Rule = (scan, at, frame) => {
  const year = yearAt(scan, at);
  const latest = partsOf(frame.today).year + 20;
  const isMeant =
    beforeYears.has(normAt(scan, at - 1)) && year !== null && scan.tokens[year.to]?.kind !== 'number';
  if (
    !isMeant ||
    year.year > latest ||
    ['-', '/'].includes(normAt(scan, year.to)) ||
    quantityAt(scan, year.to - 1) !== null
  )
    return null;
  return { value: yearOf(year.year), to: year.to, certainty: 0.7 };
};
