import { addDays, addMonths, startOfWeek, weekdayOf } from '../language/calendar.ts';
import days from '../language/en-US/entities/days.json' with { type: 'json' };
import {
  dayOfWeek,
  type Frame,
  firstWeekdayAfter,
  monthOf,
  type Read,
  type Rule,
  readOf,
  single,
  skip,
  spanOf,
  spans,
  weekdayAt,
  weekOf,
} from './date-reading.ts';
import { monthOnly, partOnly, spanOnly, weekAround, wholeAt, yearOnly } from './named-spans.ts';
import { dayMonth, dayOnly, iso, monthDay, slashed, spokenNumbers } from './numbered-days.ts';
import { endOfGuess, quantityAt } from './quantities.ts';
import { isBoundary, normAt, phraseAt, phrasesOf, type Reading, type Scan } from './readings.ts';
import { wordSet } from './tokens.ts';

const relativeDays = phrasesOf(Object.entries(days.relativeDays));

const whichs = phrasesOf([
  ...days.whichNext.split(',').map((word) => [word, 'next'] as const),
  ...days.whichLast.map((word) => [word, 'last'] as const),
  ...days.whichThis.map((word) => [word, 'this'] as const),
]);

/** Days, weeks, months and years, each relative to the previous one. */
export function findDates(scan: Scan): Reading<'date'>[] {
  const found: Reading<'date'>[] = [];
  let frame = frameOf(scan);
  for (let at = 0; at < scan.tokens.length; ) {
    const read = dateAt(scan, at, frame.isPast && isComing(scan, at) ? { ...frame, isPast: false } : frame);
    if (read !== null) {
      found.push({ type: 'date', value: read.value, certainty: read.certainty, from: at, to: read.to });
      frame = { ...frame, anchor: read.value };
    }
    at = read?.to ?? at + 1;
  }
  return found;
}

function frameOf({ context: { today, direction, anchor = null } }: Scan): Frame {
  const named = anchor === null ? null : anchor.length === 7 ? monthOf(`${anchor}-01`) : single(anchor);
  const isRecent = direction === 'recent';
  return { today, isPast: direction === 'past' || isRecent, isRecent, anchor: named };
}

/** "It's set to go out December 5th": what is said before a day of payments. */
function isComing(scan: Scan, at: number): boolean {
  let isAhead = false;
  for (let before = at - 1; before >= at - nearby && !isBoundary(scan, before); before -= 1) {
    const word = normAt(scan, before);
    if (gone.has(word)) return false;
    isAhead ||= coming.has(word);
  }
  return isAhead;
}

const nearby = 8;
const coming = wordSet(days.coming);
const gone = wordSet(days.gone);

function dateAt(scan: Scan, at: number, frame: Frame): Read | null {
  let longest: Read | null = null;
  for (const rule of rules) {
    const read = rule(scan, at, frame);
    if (read !== null && read.to > (longest?.to ?? 0)) longest = read;
  }
  return longest;
}

/** "Thursday", "next Tuesday", "Thursday after next", "Friday week", "Tuesday of next week" */
const weekdayOnly: Rule = (scan, at, frame) => {
  const which = phraseAt(scan, at, whichs);
  const name = which?.to ?? at;
  const weekday = weekdayAt(scan, name);
  if (weekday === null) return null;
  const span = phraseAt(scan, skip(scan, name + 1, 'of', ','), spans) ?? null;
  if (span !== null && span.value[0] === 'week') {
    return readOf(
      dayOfWeek(spanOf(span.value, { ...frame, today: startOfWeek(frame.today) }).day, weekday),
      span.to,
      0.95,
    );
  }
  const day = namedWeekday(weekday, which?.value ?? null, frame);
  if (normAt(scan, name + 1) === 'after' && normAt(scan, name + 2) === 'next')
    return readOf(addDays(day, 7), name + 3);
  if (normAt(scan, name + 1) === 'week') return readOf(addDays(day, 7), name + 2, 0.8);
  if (leansOnOther(scan, name)) return null;
  return readOf(day, name + 1, which?.value === 'next' ? 0.7 : 0.9);
};

/** "The first Friday after the break", "every other Monday": relative to something other than today. */
function leansOnOther(scan: Scan, name: number): boolean {
  const before = normAt(scan, name - 1);
  const isRepeated = ['every', 'each'].includes(before === 'other' ? normAt(scan, name - 2) : before);
  const isCounted = scan.tokens[name - 1]?.number?.ordinal === true || isRepeated;
  const isTied = ['after', 'before', 'following', 'of'].includes(normAt(scan, name + 1));
  const other = scan.tokens[skip(scan, name + 2, 'the')];
  return isCounted || (isTied && other?.kind === 'word' && !partsOfDay.has(other.norm));
}

const partsOfDay = wordSet(days.partsOfDay);

/** "the first Monday in December", "the last Friday of next month" */
const weekdayInMonth: Rule = (scan, at, frame) => {
  const from = skip(scan, at, 'the');
  const isLast = normAt(scan, from) === 'last';
  const { number } = scan.tokens[from] ?? {};
  const weekday = weekdayAt(scan, from + 1);
  if (weekday === null || !['of', 'in'].includes(normAt(scan, from + 2))) return null;
  const month = wholeAt(scan, from + 3, frame);
  // "Of the month" means every month.
  if (month?.value.precision !== 'month' || month.isRelative || (!isLast && number?.ordinal !== true))
    return null;
  const { day, lastDay } = monthOf(month.value.day);
  const first = firstWeekdayAfter(addDays(day, -1), weekday);
  const last = firstWeekdayAfter(addDays(lastDay, -7), weekday);
  return readOf(isLast ? last : addDays(first, 7 * ((number?.value ?? 1) - 1)), month.to, 0.9);
};

/** "the Friday after", "the Tuesday after that" */
const weekdayAfter: Rule = (scan, at, frame) => {
  const name = skip(scan, at, 'the');
  const weekday = weekdayAt(scan, name);
  if (weekday === null || normAt(scan, name + 1) !== 'after' || frame.anchor === null) return null;
  const isThat = ['that', 'this'].includes(normAt(scan, name + 2));
  if (!isThat && (name === at || (!isBoundary(scan, name + 2) && scan.tokens[name + 2]?.kind !== 'word')))
    return null;
  const { lastDay, precision } = frame.anchor;
  const start = precision === 'day' ? lastDay : addDays(lastDay, 0);
  return normAt(scan, name + 2) === 'next'
    ? null
    : readOf(firstWeekdayAfter(start, weekday), name + (isThat ? 3 : 2), 0.85);
};

/** A weekday alone means one already mentioned, or the next one in the order and weeks of the conversation. */
function namedWeekday(weekday: number, which: string | null, { today, isPast, anchor }: Frame): string {
  if (which === 'last' || (which === null && isPast))
    return addDays(today, -((weekdayOf(today) - weekday + 7) % 7 || 7));
  const coming = firstWeekdayAfter(today, weekday);
  // "Next Tuesday" is in the next week; weeks begin on Monday.
  if (which === 'next')
    return [coming, dayOfWeek(addDays(startOfWeek(today), 7), weekday)].toSorted()[1] ?? coming;
  if (which !== null || anchor === null || anchor.precision === 'year' || anchor.day < today) return coming;
  if (anchor.precision !== 'day')
    return firstWeekdayAfter(addDays(anchor.day > today ? anchor.day : today, -1), weekday);
  return coming >= anchor.day ? coming : firstWeekdayAfter(addDays(anchor.day, -1), weekday);
}

/** "tomorrow", "the day after tomorrow", and the day of "this afternoon" */
const relativeDay: Rule = (scan, at, frame) => {
  const isThisPart =
    normAt(scan, at) === 'this' && ['morning', 'afternoon', 'evening'].includes(normAt(scan, at + 1));
  if (isThisPart) return readOf(frame.today, at + 1);
  const said = phraseAt(scan, at, relativeDays);
  return said === null ? null : readOf(addDays(frame.today, said.value), said.to, 0.98);
};

/** "in two weeks", "three days from now", "a week from Thursday", "ten days ago", "two weeks out" */
const shifted: Rule = (scan, at, frame) => {
  const isIn = normAt(scan, at) === 'in';
  const from = isIn ? skip(scan, at + 1, 'about', 'around', 'approximately', 'like') : at;
  const count = shiftAt(scan, from);
  // "In a day or two" names no day.
  if (count === null || endOfGuess(scan, count.to) !== null) return null;
  const isWeekday = weekdayAt(scan, skip(scan, from + 1, 'week')) !== null;
  if (normAt(scan, count.to) === 'from' || (isWeekday && normAt(scan, count.to) === 'after')) {
    const start = startAt(scan, count.to + 1, frame);
    return start === null ? null : readOf(moved(start.day, count), start.to, 0.9);
  }
  if (normAt(scan, count.to) === 'ago')
    return readOf(moved(frame.today, { ...count, value: -count.value }), count.to + 1, 0.8);
  const isOut = normAt(scan, count.to) === 'out';
  if (!isIn && !isOut) return null;
  const day = moved(frame.today, count);
  const span = count.unit === 'day' ? single(day) : count.unit === 'week' ? weekOf(day) : monthOf(day);
  const value = { ...span, offset: { value: count.value, unit: count.unit } };
  return { value, to: isOut ? count.to + 1 : count.to, certainty: 0.7 };
};

interface Shift {
  readonly value: number;
  readonly unit: string;
  readonly to: number;
}

function shiftAt(scan: Scan, at: number): Shift | null {
  const isArticle = ['a', 'an', 'one'].includes(normAt(scan, at));
  const unit = normAt(scan, at + 1);
  if (isArticle && ['day', 'week', 'month', 'year'].includes(unit)) return { value: 1, unit, to: at + 2 };
  const said = quantityAt(scan, at);
  if (said === null || !['day', 'week', 'month', 'year'].includes(said.value.unit)) return null;
  return Number.isInteger(said.value.value) &&
    said.value.value < 400 &&
    scan.tokens[said.to - 1]?.norm !== 'calendar'
    ? { ...said.value, to: said.to }
    : null;
}

function moved(day: string, { value, unit }: Omit<Shift, 'to'>): string {
  if (unit === 'month') return addMonths(day, value);
  if (unit === 'year') return addMonths(day, 12 * value);
  return addDays(day, unit === 'week' ? 7 * value : value);
}

/** The day from which "a week from …" counts. */
function startAt(scan: Scan, at: number, frame: Frame): { day: string; to: number } | null {
  if (normAt(scan, at) === 'now') return { day: frame.today, to: at + 1 };
  for (const rule of [monthDay, dayMonth, relativeDay, weekdayOnly, dayOnly]) {
    // "A week from Thursday" counts from today, whatever day was named before.
    const read = rule(scan, at, rule === weekdayOnly ? { ...frame, anchor: null } : frame);
    if (read !== null) return { day: read.value.day, to: read.to };
  }
  return null;
}

const rules: readonly Rule[] = [
  monthDay,
  dayMonth,
  iso,
  slashed,
  spokenNumbers,
  dayOnly,
  weekdayOnly,
  weekdayInMonth,
  weekdayAfter,
  relativeDay,
  shifted,
  spanOnly,
  weekAround,
  partOnly,
  monthOnly,
  yearOnly,
];
