import { addDays, addMonths, dayOf, daysBetween, partsOf, weekdayOf } from '../language/calendar.ts';
import days from '../language/en-US/entities/days.json' with { type: 'json' };
import {
  beforeMonths,
  dayNumberAt,
  type Frame,
  isDayNext,
  monthAt,
  otherMeanings,
  type Read,
  type Rule,
  readOf,
  skip,
  spanOf,
  spans,
  weekdayAt,
  yearAt,
} from './date-reading.ts';
import type { DateValue } from './entity.ts';
import { quantityAt } from './quantities.ts';
import { countAt, isBoundary, normAt, phraseAt, type Scan, touches } from './readings.ts';
import { wordSet } from './tokens.ts';

/* Days named by a number: "November 24th", "the ninth", "11/24". */

const counted = wordSet(days.counted);
const afterSmallOrdinals = wordSet(days.afterSmallOrdinals);
const afterOrdinals = wordSet(`${days.afterSmallOrdinals} ${days.afterOrdinals}`);

/** "Tuesday, November 24th, 2026", "november twenty four", "the week of december 7th" */
export const monthDay: Rule = (scan, at, frame) => {
  const weekday = weekdayAt(scan, at);
  const first = skip(scan, weekday === null ? at : skip(scan, at + 1, ','), 'the');
  const month = monthAt(scan, first);
  if (month === null) return null;
  const number = skip(scan, first + 1, 'the');
  const day = dayNumberAt(scan, number);
  return day === null ? null : inYear(scan, { month, day, weekday }, number + 1, frame);
};

/** "the 24th of November", "twenty four november", "Tuesday the 3rd of December 2026" */
export const dayMonth: Rule = (scan, at, frame) => {
  const weekday = weekdayAt(scan, at);
  const first = skip(scan, weekday === null ? at : skip(scan, at + 1, ','), 'the');
  const day = dayNumberAt(scan, first);
  const of = skip(scan, skip(scan, first + 1, 'day'), 'of');
  const month = monthAt(scan, of);
  if (day === null || month === null) return null;
  const isOrdinal = scan.tokens[first]?.number?.ordinal === true;
  // "At 10 November 3rd" and "all 3 may": the month starts something else.
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

/** The next or last day with this month and number. */
function nearestDay({ month, day }: DayInYear, { today, isPast, isRecent }: Frame): string | null {
  const { year } = partsOf(today);
  const years = isPast ? [0, -1, -2, -3, -4] : [0, 1, 2, 3, 4];
  const latest = isRecent ? addDays(today, soonDays) : today;
  const candidates = years.map((shift) => dayOf(year + (isRecent ? shift + 1 : shift), month, day));
  return candidates.find((date) => date !== null && (isPast ? date <= latest : date >= today)) ?? null;
}

/** How far ahead a day of a claim lies at most, such as the next check run. */
const soonDays = 60;

/** "2026-11-24" */
export const iso: Rule = (scan, at) => {
  const [year, month, day] = [countAt(scan, at), countAt(scan, at + 2), countAt(scan, at + 4)];
  const isDashed = [at + 1, at + 3].every((dash) => normAt(scan, dash) === '-' && touches(scan, dash));
  if (!isDashed || year === null || month === null || day === null || year < 1900 || year > 2100) return null;
  return readOf(dayOf(year, month, day), at + 5);
};

/** "11/24", "11/24/26", "11-24-2026"; without a year only with a slash, and "24/7" and "80/20" are excluded. */
export const slashed: Rule = (scan, at, frame) => {
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

/** "three fourteen nineteen eighty-five", "oh three fourteen eighty five" if a date was requested */
export const spokenNumbers: Rule = (scan, at, frame) => {
  const first = ['oh', 'o', '0', 'zero'].includes(normAt(scan, at)) ? at + 1 : at;
  const [month, day] = [countAt(scan, first), countAt(scan, first + 1)];
  if (month === null || day === null || scan.tokens[at - 1]?.kind === 'number' || month < 1 || month > 12)
    return null;
  const [afterDay, dayNumber] = day === 0 ? [first + 3, countAt(scan, first + 2)] : [first + 2, day];
  const { expecting = [] } = scan.context;
  // Asked for a day and its time, "five thirty" is the time, and so is "at nine fifteen" in any case.
  const mayBeTime = expecting.includes('time') || expecting.includes('moment');
  const isAsked =
    ((expecting.includes('date') && !mayBeTime) || scan.topics[at] === 'date') &&
    normAt(scan, at - 1) !== 'at';
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
export const dayOnly: Rule = (scan, at, frame) => {
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
  // "The twenty-fifth of the month before": a day of any month.
  if (normAt(scan, skip(scan, number + 1, 'of')) === 'the') return null;
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
export function isDay(scan: Scan, at: number, hasArticle: boolean): boolean {
  const token = scan.tokens[at];
  const next = normAt(scan, at + 1);
  if (token?.number?.spoken !== true || token.number.value > 9)
    return hasArticle || token?.number?.spoken !== true;
  if (!hasArticle && !['or', 'and'].includes(normAt(scan, at - 1))) return false;
  // "Then the first?" requests a name, "it went out on the first" gives a day.
  if (isBoundary(scan, at + 1)) return token.number.value > 3 || beforeMonths.has(normAt(scan, at - 2));
  if (next === 'or' || next === 'and') return isDayNext(scan, at + 2);
  return (token.number.value <= 3 ? afterSmallOrdinals : afterOrdinals).has(next.split(' ')[0] ?? '');
}

/** "The 24th": in the month mentioned, or the nearest one; its weekday picks the month. */
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
