import {
  addDays,
  addMonths,
  dayOf,
  daysBetween,
  partsOf,
  startOfWeek,
  weekdayOf,
} from '../language/calendar.ts';
import days from '../language/en-US/entities/days.json' with { type: 'json' };
import type { DateValue } from './entities.ts';
import { quantityAt } from './quantities.ts';
import {
  countAt,
  isBoundary,
  normAt,
  phraseAt,
  phrasesOf,
  type Reading,
  type Scan,
  touches,
} from './readings.ts';
import { wordSet } from './tokens.ts';

/** A date and the place behind it. */
interface Read {
  readonly value: DateValue;
  readonly to: number;
  readonly certainty: number;
}
/** What days refer to that are named without month and year. */
interface Frame {
  readonly today: string;
  readonly isPast: boolean;
  /** The day or span spoken of last. */
  readonly anchor: DateValue | null;
}
type Rule = (scan: Scan, at: number, frame: Frame) => Read | null;

const numbered = (names: readonly string[]): ReadonlyMap<string, number> =>
  new Map(names.flatMap((forms, index) => forms.split(' ').map((form) => [form, index] as const)));
const months = numbered(days.months);
const weekdays = numbered(days.weekdays);
const otherMeanings = wordSet(days.otherMeanings);
const beforeShortWeekdays = wordSet(days.beforeShortWeekdays);
const beforeMonths = wordSet(days.beforeMonths);
const beforeYears = wordSet(days.beforeYears);
const counted = wordSet(days.counted);
const afterSmallOrdinals = wordSet(days.afterSmallOrdinals);
const afterOrdinals = wordSet(`${days.afterSmallOrdinals} ${days.afterOrdinals}`);
const relativeDays = phrasesOf(Object.entries(days.relativeDays));
const spans = phrasesOf(Object.entries(days.spans));
const followingSpans = phrasesOf(Object.entries(days.followingSpans));
const wholes = phrasesOf(Object.entries(days.wholes));
const parts = phrasesOf(Object.entries(days.parts));
const whichs = phrasesOf([
  ...days.whichNext.split(',').map((word) => [word, 'next'] as const),
  ...days.whichLast.map((word) => [word, 'last'] as const),
  ...days.whichThis.map((word) => [word, 'this'] as const),
]);

export const isDayWord = (word: string): boolean =>
  weekdays.has(word) || word === 'tomorrow' || word === 'today';

/** Days, weeks, months and years, each seen from what was named before it. */
export function findDates(scan: Scan): Reading<'date'>[] {
  const found: Reading<'date'>[] = [];
  let frame = frameOf(scan);
  for (let at = 0; at < scan.tokens.length; ) {
    const read = dateAt(scan, at, frame);
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
  return { today, isPast: direction === 'past', anchor: named };
}

function dateAt(scan: Scan, at: number, frame: Frame): Read | null {
  let longest: Read | null = null;
  for (const rule of rules) {
    const read = rule(scan, at, frame);
    if (read !== null && read.to > (longest?.to ?? 0)) longest = read;
  }
  return longest;
}

const single = (day: string): DateValue => ({ day, lastDay: day, precision: 'day' });
const weekOf = (day: string): DateValue => ({
  day: startOfWeek(day),
  lastDay: addDays(startOfWeek(day), 6),
  precision: 'week',
});
function monthOf(day: string): DateValue {
  const first = `${day.slice(0, 7)}-01`;
  return { day: first, lastDay: addDays(addMonths(first, 1), -1), precision: 'month' };
}
const yearOf = (year: number): DateValue => ({
  day: `${year}-01-01`,
  lastDay: `${year}-12-31`,
  precision: 'year',
});

function readOf(day: string | null, to: number, certainty = 0.95): Read | null {
  return day === null ? null : { value: single(day), to, certainty };
}

/** The number of a month, 1 to 12. */
const monthAt = (scan: Scan, at: number): number | null => {
  const index = months.get(normAt(scan, at));
  return index === undefined ? null : index + 1;
};

function weekdayAt(scan: Scan, at: number): number | null {
  const word = normAt(scan, at);
  const isClear =
    !otherMeanings.has(word) || beforeShortWeekdays.has(normAt(scan, at - 1)) || isDayNext(scan, at + 1);
  return isClear ? (weekdays.get(word) ?? null) : null;
}

const isDayNext = (scan: Scan, at: number): boolean =>
  scan.tokens[at]?.number?.ordinal === true ||
  monthAt(scan, at) !== null ||
  (normAt(scan, at) === 'the' && scan.tokens[at + 1]?.number?.ordinal === true);

const skip = (scan: Scan, at: number, ...wanted: readonly string[]): number =>
  wanted.includes(normAt(scan, at)) ? at + 1 : at;

/**
 * The number of a day of the month: an ordinal, or a cardinal that does not go on as a time, an amount or a
 * fraction.
 */
function dayNumberAt(scan: Scan, at: number): number | null {
  const number = scan.tokens[at]?.number;
  if (number == null || number.value < 1 || number.value > 31 || !Number.isInteger(number.value)) return null;
  if (number.ordinal) return number.value;
  const next = normAt(scan, at + 1);
  const goesOn = ['%', 'percent', 'am', 'pm', "o'clock"].includes(next) || quantityAt(scan, at) !== null;
  return goesOn || ([':', '/'].includes(next) && touches(scan, at + 1)) ? null : number.value;
}

/** "2026", "twenty twenty-six", "nineteen oh five"; two figures only where asked for. */
function yearAt(scan: Scan, at: number, isShort = false): { year: number; to: number } | null {
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

/** "Tuesday, November 24th, 2026", "november twenty four", "the week of december 7th" */
const monthDay: Rule = (scan, at, frame) => {
  const weekday = weekdayAt(scan, at);
  const first = skip(scan, weekday === null ? at : skip(scan, at + 1, ','), 'the');
  const month = monthAt(scan, first);
  if (month === null) return null;
  const number = skip(scan, first + 1, 'the');
  const day = dayNumberAt(scan, number);
  return day === null ? null : inYear(scan, { month, day, weekday }, number + 1, frame);
};

/** "the 24th of November", "twenty four november", "Tuesday the 3rd of December 2026" */
const dayMonth: Rule = (scan, at, frame) => {
  const weekday = weekdayAt(scan, at);
  const first = skip(scan, weekday === null ? at : skip(scan, at + 1, ','), 'the');
  const day = dayNumberAt(scan, first);
  const of = skip(scan, skip(scan, first + 1, 'day'), 'of');
  const month = monthAt(scan, of);
  if (day === null || month === null) return null;
  const isOrdinal = scan.tokens[first]?.number?.ordinal === true;
  // "At 10 November 3rd" and "all 3 may": the month begins something else.
  const isOther =
    otherMeanings.has(normAt(scan, of)) ||
    (dayNumberAt(scan, of + 1) !== null && yearAt(scan, of + 1) === null);
  if (!isOrdinal && of === first + 1 && isOther) return null;
  return inYear(scan, { month, day, weekday }, of + 1, frame);
};

interface DayInYear {
  readonly month: number;
  readonly day: number;
  readonly weekday: number | null;
}

function inYear(scan: Scan, named: DayInYear, behind: number, frame: Frame): Read | null {
  const year = yearAt(scan, skip(scan, behind, ',', 'of', 'in'), true) ?? namedYear(scan, behind, frame);
  const day = year === null ? nearestDay(named, frame) : dayOf(year.year, named.month, named.day);
  const isOff = day !== null && named.weekday !== null && weekdayOf(day) !== named.weekday;
  return readOf(day, year?.to ?? behind, isOff ? 0.5 : 0.95);
}

/** "August 1st of last year" */
function namedYear(scan: Scan, behind: number, frame: Frame): { year: number; to: number } | null {
  const said = phraseAt(scan, skip(scan, behind, ',', 'of'), spans);
  return said?.value[0] === 'year'
    ? { year: partsOf(spanOf(said.value, frame).lastDay).year, to: said.to }
    : null;
}

/** The next or the last day of a month and number. */
function nearestDay({ month, day }: DayInYear, { today, isPast }: Frame): string | null {
  const { year } = partsOf(today);
  const years = isPast ? [0, -1, -2, -3, -4] : [0, 1, 2, 3, 4];
  const candidates = years.map((shift) => dayOf(year + shift, month, day));
  return candidates.find((date) => date !== null && (isPast ? date <= today : date >= today)) ?? null;
}

/** "2026-11-24" */
const iso: Rule = (scan, at) => {
  const [year, month, day] = [countAt(scan, at), countAt(scan, at + 2), countAt(scan, at + 4)];
  const isDashed = [at + 1, at + 3].every((dash) => normAt(scan, dash) === '-' && touches(scan, dash));
  if (!isDashed || year === null || month === null || day === null || year < 1900 || year > 2100) return null;
  return readOf(dayOf(year, month, day), at + 5);
};

/** "11/24", "11/24/26", "11-24-2026"; without a year only a slash will do, and "24/7" and "80/20" are none. */
const slashed: Rule = (scan, at, frame) => {
  const sign = normAt(scan, at + 1);
  const [month, day, year] = [countAt(scan, at), countAt(scan, at + 2), countAt(scan, at + 4)];
  const isJoined = ['/', '-', '.'].includes(sign) && touches(scan, at + 1) && touches(scan, at + 2);
  if (!isJoined || month === null || day === null || month < 1 || month > 12) return null;
  if (touches(scan, at) && ['/', '-', '.', '$', '#'].includes(normAt(scan, at - 1))) return null;
  if (normAt(scan, at + 3) === sign && year !== null && touches(scan, at + 4)) {
    return readOf(dayOf(fullYear(year, frame), month, day), at + 5);
  }
  const isMore = ['/', '-', '%'].includes(normAt(scan, at + 3)) && touches(scan, at + 3);
  return sign !== '/' || isMore
    ? null
    : readOf(nearestDay({ month, day, weekday: null }, frame), at + 3, 0.9);
};

function fullYear(year: number, { today }: Frame): number {
  if (year >= 100) return year;
  return year > (partsOf(today).year % 100) + 10 ? 1900 + year : 2000 + year;
}

/** "three fourteen nineteen eighty-five", "oh three fourteen eighty five" where a date is asked for */
const spokenNumbers: Rule = (scan, at, frame) => {
  const first = ['oh', 'o', '0', 'zero'].includes(normAt(scan, at)) ? at + 1 : at;
  const [month, day] = [countAt(scan, first), countAt(scan, first + 1)];
  if (month === null || day === null || scan.tokens[at - 1]?.kind === 'number' || month < 1 || month > 12)
    return null;
  const [afterDay, dayNumber] = day === 0 ? [first + 3, countAt(scan, first + 2)] : [first + 2, day];
  const { expecting = [] } = scan.context;
  const isAsked = (expecting.includes('date') && !expecting.includes('time')) || scan.topics[at] === 'date';
  const behind = skip(scan, afterDay, 'of');
  const short = countAt(scan, behind);
  const isShort =
    isAsked && short !== null && short >= 10 && short < 100 && scan.tokens[behind + 1]?.kind !== 'number';
  const year = yearAt(scan, behind) ?? (isShort ? { year: fullYear(short, frame), to: behind + 1 } : null);
  if (dayNumber === null || scan.tokens[year?.to ?? behind]?.kind === 'number') return null;
  if (year === null) {
    const isPlain =
      isAsked && Number.isInteger(month) && dayNumber > 0 && quantityAt(scan, behind - 1) === null;
    return isPlain ? readOf(nearestDay({ month, day: dayNumber, weekday: null }, frame), behind, 0.6) : null;
  }

  return readOf(dayOf(year.year, month, dayNumber), year.to, isAsked ? 0.85 : 0.6);
};

/** "Tuesday the 24th", "the ninth", "the 9th of next month", "Friday the 3rd" */
const dayOnly: Rule = (scan, at, frame) => {
  const weekday = weekdayAt(scan, at);
  const first = weekday === null ? at : skip(scan, at + 1, ',');
  const number = skip(scan, first, 'the');
  const day = dayNumberAt(scan, number);
  const isOrdinal = scan.tokens[number]?.number?.ordinal === true;
  if (day === null || (!isOrdinal && (weekday === null || number === first))) return null;
  const span = phraseAt(scan, skip(scan, number + 1, 'of'), spans);
  if (span !== null && span.value[0] === 'month') return inMonth(spanOf(span.value, frame), day, span.to);
  if (weekday === null && !isDay(scan, number, number > first)) return null;
  const isEvery = normAt(scan, number + 1) === 'of' && ['each', 'every'].includes(normAt(scan, number + 2));
  if (isEvery || counted.has(normAt(scan, number + 1))) return null;
  const date = dayOfMonth(day, weekday, frame);
  const isOff = date !== null && weekday !== null && weekdayOf(date) !== weekday;
  return readOf(date, number + 1, isOff ? 0.5 : 0.9);
};

function inMonth(month: DateValue, day: number, to: number): Read | null {
  const { year, month: monthOfYear } = partsOf(month.day);
  return readOf(dayOf(year, monthOfYear, day), to, 0.9);
}

/** "The third at nine" is a day; "the first is on Tuesday" and "the first and last name" are not. */
function isDay(scan: Scan, at: number, hasArticle: boolean): boolean {
  const token = scan.tokens[at];
  const next = normAt(scan, at + 1);
  if (token?.number?.spoken !== true || token.number.value > 9)
    return hasArticle || token?.number?.spoken !== true;
  if (!hasArticle && !['or', 'and'].includes(normAt(scan, at - 1))) return false;
  // "Then the first?" asks for a name, "it went out on the first" tells a day.
  if (isBoundary(scan, at + 1)) return token.number.value > 3 || beforeMonths.has(normAt(scan, at - 2));
  if (next === 'or' || next === 'and') return isDayNext(scan, at + 2);
  return (token.number.value <= 3 ? afterSmallOrdinals : afterOrdinals).has(next.split(' ')[0] ?? '');
}

/** "The 24th": in the month spoken of, or else the nearest one; a weekday said with it picks the month. */
function dayOfMonth(day: number, weekday: number | null, { today, isPast, anchor }: Frame): string | null {
  if (anchor?.precision === 'month') {
    const { year, month } = partsOf(anchor.day);
    return dayOf(year, month, day);
  }
  const first = `${today.slice(0, 7)}-01`;
  const candidates: string[] = [];
  for (let shift = 0; shift <= 12 && candidates.length < 4; shift += 1) {
    const { year, month } = partsOf(addMonths(first, isPast ? -shift : shift));
    const date = dayOf(year, month, day);
    if (date !== null && (isPast ? date <= today : date >= today)) candidates.push(date);
  }
  const fitting = candidates.find((date) => weekday !== null && weekdayOf(date) === weekday);
  if (fitting !== undefined || anchor === null) return fitting ?? candidates[0] ?? null;
  const distance = (date: string): number => Math.abs(daysBetween(anchor.day, date));
  return candidates.toSorted((a, b) => distance(a) - distance(b))[0] ?? null;
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

/** "The first Friday after the break", "every second Monday": which one, something else tells than today. */
function leansOnOther(scan: Scan, name: number): boolean {
  const isCounted = scan.tokens[name - 1]?.number?.ordinal === true || normAt(scan, name - 1) === 'every';
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
  // "Of the month" tells of every month.
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

const dayOfWeek = (monday: string, weekday: number): string => addDays(monday, (weekday + 6) % 7);
const firstWeekdayAfter = (day: string, weekday: number): string =>
  addDays(day, (weekday - weekdayOf(day) + 7) % 7 || 7);

/** A weekday said alone means one that was spoken of, or the next one in the order and the weeks of the talk. */
function namedWeekday(weekday: number, which: string | null, { today, isPast, anchor }: Frame): string {
  if (which === 'last' || (which === null && isPast))
    return addDays(today, -((weekdayOf(today) - weekday + 7) % 7 || 7));
  const coming = firstWeekdayAfter(today, weekday);
  // "Next Tuesday" is the one of the next week, weeks beginning on Monday.
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
  if (count === null) return null;
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

type Span = readonly (string | number)[];

function spanOf([unit, shift]: Span, { today }: Frame): DateValue {
  const count = Number(shift);
  if (unit === 'year') return yearOf(partsOf(today).year + count);
  const span =
    unit === 'month'
      ? monthOf(addMonths(`${today.slice(0, 7)}-01`, count))
      : weekOf(addDays(today, 7 * count));
  return count === 0 && span.day < today ? { ...span, day: today } : span;
}

/** "next week", "this month", "last year", "the following week" */
const spanOnly: Rule = (scan, at, frame) => {
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
const weekAround: Rule = (scan, at, frame) => {
  const from = skip(scan, at, 'the');
  if (normAt(scan, from) !== 'week' || !['of', 'beginning', 'starting'].includes(normAt(scan, from + 1)))
    return null;
  const read =
    monthDay(scan, from + 2, frame) ?? dayMonth(scan, from + 2, frame) ?? dayOnly(scan, from + 2, frame);
  return read === null ? null : { ...read, value: weekOf(read.value.day) };
};

/** "end of March", "early next month", "the first week of december", "the end of the year" */
const partOnly: Rule = (scan, at, frame) => {
  const part = phraseAt(scan, at, parts);
  if (part === null) return null;
  const whole = wholeAt(scan, part.to, frame);
  if (whole === null || (whole.value.precision === 'week' && part.value !== 'late' && part.value !== 'early'))
    return null;
  const value = partOf(part.value, whole.value);
  // "The first of the year" is the next one unless the past is spoken of.
  const isGone = value.day === value.lastDay && value.day < frame.today && !frame.isPast && whole.isRelative;
  const step = whole.value.precision === 'year' ? 12 : 1;
  return { value: isGone ? single(addMonths(value.day, step)) : value, to: whole.to, certainty: 0.9 };
};

function wholeAt(
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
const monthOnly: Rule = (scan, at, frame) => {
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
const yearOnly: Rule = (scan, at, frame) => {
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
