import {
  addDays,
  addMonths,
  dayOf,
  daysBetween,
  monthNames,
  partsOf,
  startOfWeek,
  weekdayNames,
  weekdayOf,
} from './calendar.ts';
import { findMentions, type Placed, type Rule } from './mentions.ts';

/** A day that was named, or a span of days such as "next week". `exact` tells that month and day were said. */
export type DayMention = Placed & { readonly first: string; readonly last: string; readonly exact: boolean };

/** Where days lie that are named without a year: appointments in the future, payments in the past. */
export type Tense = 'future' | 'past';

const month =
  '(?<month>january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)\\b\\.?';
const weekdayWord =
  '(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tues|tue|wed|thurs|thur|thu|fri|(?<=(?:on|or|and|next|this|every|,) )(?:sat|sun))\\b(?!-)\\.?';
const weekday = `(?<weekday>${weekdayWord})`;
const year = '(?<year>(?:19|20)\\d\\d|20 \\d\\d|19 \\d\\d)';
// A number after a month is no day when it goes on as a time or an amount.
const notMore = '(?![\\d:/%]|\\.\\d| ?[ap]\\.?m\\b)';
// "the 2nd visit" is no day.
const notCounting =
  '(?! (?:floor|street|avenue|st\\b|ave\\b|time|visit|grade|appointment|opening|option|one\\b|slot|request|level|party|call|line|street|page|attempt|digit|letter|appeal|claim|submission))';

/** All days and spans of days in a plain text, in order. `today` is the day at the place that is called. */
export function findDays(plain: string, today: string, tense: Tense = 'future'): DayMention[] {
  return findMentions(plain, dayRules(today, tense));
}

function dayRules(today: string, tense: Tense): Rule<Omit<DayMention, keyof Placed>>[] {
  const single = (day: string | null, exact = true): Omit<DayMention, keyof Placed> | null =>
    day === null ? null : { first: day, last: day, exact };
  const span = (first: string, last: string): Omit<DayMention, keyof Placed> => ({
    first,
    last,
    exact: false,
  });
  return [
    {
      pattern: /\b(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})\b/g,
      read: (g) => single(dayOf(Number(g.year), Number(g.month), Number(g.day))),
    },
    {
      pattern: new RegExp(
        `\\b(?:${weekday},? )?(?:the )?${month} (?:the )?(?<day>\\d{1,2})(?:st|nd|rd|th)?\\b${notMore}(?:,? (?:of )?${year}\\b)?`,
        'g',
      ),
      read: (g) => single(monthDay(g, today, tense)),
    },
    {
      pattern: new RegExp(
        `\\b(?:${weekday},? )?(?:the )?(?<day>\\d{1,2})(?:st|nd|rd|th)?(?: day)?(?: of)? ${month}(?:,? (?:of )?${year}\\b)?`,
        'g',
      ),
      read: (g) => single(monthDay(g, today, tense)),
    },
    {
      pattern: new RegExp(
        `(?<![\\d/$.])(?:\\b${weekday},? )?(?<month>\\d{1,2})[/-](?<day>\\d{1,2})(?:[/-](?<year>\\d{4}|\\d{2}))?(?![\\d/%-])`,
        'g',
      ),
      // "24-7", "80/20" and "9-5" are no days: without a year only a slash will do.
      read: (g, match) =>
        g.year === undefined && (!match[0].includes('/') || /^(?:24\/7|\d0\/\d0)$/.test(match[0]))
          ? null
          : single(monthDay(g, today, tense)),
    },
    {
      pattern: new RegExp(
        `\\b${weekday},? (?:the (?<day>\\d{1,2})(?:st|nd|rd|th)?|(?<bare>\\d{1,2})(?:st|nd|rd|th))\\b${notMore}(?! of\\b)${notCounting}`,
        'g',
      ),
      read: (g) => single(dayOfMonth(Number(g.day ?? g.bare), today, tense, weekdayNumber(g.weekday))),
    },
    {
      pattern: new RegExp(
        `(?<![\\d$])\\b(?:the )?(?<day>\\d{1,2})(?:st|nd|rd|th)\\b(?! of\\b)${notCounting}`,
        'g',
      ),
      read: (g) => single(dayOfMonth(Number(g.day), today, tense, null)),
    },
    {
      pattern: new RegExp(
        `\\b(?:(?<which>this coming|this past|this|next|last|the following|following|coming|upcoming) )?${weekday}(?<after> after next| week\\b)?`,
        'g',
      ),
      read: (g) => {
        const number = weekdayNumber(g.weekday);
        if (number === null) return null;
        const day = namedWeekday(number, g.which, today, tense);
        return single(g.after === undefined ? day : addDays(day, 7), false);
      },
    },
    {
      pattern: new RegExp(
        `\\b(?<count>\\d+|a|a couple of|couple of|a few) (?<unit>day|week|month)s? from (?:(?<from>now|today|tomorrow|this (?=\\w)|next (?=\\w))|)(?:${weekday})?`,
        'g',
      ),
      read: (g) => {
        const number = weekdayNumber(g.weekday);
        if (number === null && g.from === undefined) return null;
        const start =
          number === null
            ? addDays(today, g.from === 'tomorrow' ? 1 : 0)
            : namedWeekday(number, g.from?.trim(), today, 'future');
        return single(shifted(start, countOf(g.count), g.unit), number !== null);
      },
    },
    { pattern: /\b(?:the )?day after tomorrow\b/g, read: () => single(addDays(today, 2)) },
    { pattern: /\btomorrow\b/g, read: () => single(addDays(today, 1)) },
    { pattern: /\byesterday\b/g, read: () => single(addDays(today, -1)) },
    {
      pattern: /\b(?:today|tonight|later today|this (?=morning\b|afternoon\b|evening\b))/g,
      read: () => single(today),
    },
    {
      pattern:
        /\bin (?:about |around )?(?<count>\d+|a|a couple of|couple of|a few) (?<unit>day|week|month)s?\b/g,
      read: (g) => {
        const day = shifted(today, countOf(g.count), g.unit);
        if (g.unit === 'day') return single(day, false);
        return g.unit === 'week' ? span(startOfWeek(day), addDays(startOfWeek(day), 6)) : monthSpan(day);
      },
    },
    {
      pattern: /\b(?:the )?week after next\b/g,
      read: () => span(addDays(startOfWeek(today), 14), addDays(startOfWeek(today), 20)),
    },
    {
      pattern: /\b(?:the )?(?:next|following|coming) week\b(?!s)(?! (?:of|from)\b)/g,
      read: () => span(addDays(startOfWeek(today), 7), addDays(startOfWeek(today), 13)),
    },
    {
      // "next week or the week after"
      pattern: /\bthe week after(?: that)?\b(?! next)/g,
      read: () => span(addDays(startOfWeek(today), 14), addDays(startOfWeek(today), 20)),
    },
    { pattern: /\b(?:later )?this week\b/g, read: () => span(today, addDays(startOfWeek(today), 6)) },
    {
      pattern: new RegExp(
        `\\b(?:the )?week of (?:the )?(?:${month} )?(?<day>\\d{1,2})(?:st|nd|rd|th)?\\b${notMore}`,
        'g',
      ),
      read: (g) => {
        const day =
          g.month === undefined ? dayOfMonth(Number(g.day), today, tense, null) : monthDay(g, today, tense);
        return day === null ? null : span(startOfWeek(day), addDays(startOfWeek(day), 6));
      },
    },
    { pattern: /\bnext month\b/g, read: () => monthSpan(addMonths(today, 1)) },
    {
      pattern: /\b(?:later )?this month\b/g,
      read: () => span(today, monthSpan(today).last),
    },
    {
      pattern: new RegExp(
        `\\b(?:in|until|till|by|of|through|for|during) (?:(?:the )?(?<part>early|late|mid|middle of|beginning of|end of|first week of|last week of)[ -])?${month}(?:,? ${year}\\b)?(?! \\d)`,
        'g',
      ),
      read: (g) => monthOnly(g, today, tense),
    },
    {
      pattern: new RegExp(
        `\\b(?<part>early|late|mid|middle of|beginning of|end of|first week of|last week of)[ -]${month}(?:,? ${year}\\b)?(?! \\d)`,
        'g',
      ),
      read: (g) => monthOnly(g, today, tense),
    },
    {
      // "in November or December"
      pattern:
        /\b(?<=\b(?:january|february|march|april|may|june|july|august|september|october|november|december)(?:,| or| and) (?:in )?)(?<month>january|february|april|june|july|august|september|october|november|december)\b(?! \d)/g,
      read: (g) => monthOnly(g, today, tense),
    },
  ];
}

type Groups = Readonly<Record<string, string | undefined>>;

function monthNumber(name: string | undefined): number | null {
  if (name === undefined) return null;
  if (/^\d+$/.test(name)) return Number(name);
  const index = monthNames.findIndex((known) => known.toLowerCase().startsWith(name.slice(0, 3)));
  return index === -1 ? null : index + 1;
}

/** The number of a weekday's name or abbreviation, 0 for Sunday. */
export function weekdayNumber(name: string | undefined): number | null {
  if (name === undefined) return null;
  const index = weekdayNames.findIndex((known) => known.toLowerCase().startsWith(name.slice(0, 3)));
  return index === -1 ? null : index;
}

function yearNumber(text: string): number {
  const digits = text.replace(' ', '');
  return digits.length === 2 ? 2000 + Number(digits) : Number(digits);
}

function monthDay(groups: Groups, today: string, tense: Tense): string | null {
  const monthOfYear = monthNumber(groups.month);
  const dayNumber = Number(groups.day);
  if (monthOfYear === null || monthOfYear < 1 || monthOfYear > 12) return null;
  if (groups.year !== undefined) return dayOf(yearNumber(groups.year), monthOfYear, dayNumber);
  const thisYear = partsOf(today).year;
  const candidate = dayOf(thisYear, monthOfYear, dayNumber) ?? dayOf(thisYear + 1, monthOfYear, dayNumber);
  if (candidate === null) return null;
  if (tense === 'future' && candidate < today)
    return dayOf(partsOf(candidate).year + 1, monthOfYear, dayNumber);
  if (tense === 'past' && candidate > today)
    return dayOf(partsOf(candidate).year - 1, monthOfYear, dayNumber);
  return candidate;
}

/** "the 24th": the nearest such day; a weekday said with it picks the month. */
function dayOfMonth(dayNumber: number, today: string, tense: Tense, weekday: number | null): string | null {
  const { year, month: monthOfYear } = partsOf(today);
  const candidates: string[] = [];
  for (let offset = 0; offset <= 12; offset += 1) {
    const shift = tense === 'future' ? offset : -offset;
    const first = new Date(Date.UTC(year, monthOfYear - 1 + shift, 1));
    const day = dayOf(first.getUTCFullYear(), first.getUTCMonth() + 1, dayNumber);
    if (day !== null && (tense === 'future' ? day >= today : day <= today)) candidates.push(day);
  }
  // Offers lie within weeks: a weekday that fits only months away was rather said wrongly.
  const near = candidates.slice(0, 4);
  return near.find((day) => weekdayOf(day) === weekday) ?? candidates[0] ?? null;
}

function namedWeekday(number: number, which: string | undefined, today: string, tense: Tense): string {
  if (which === 'last' || which === 'this past' || (which === undefined && tense === 'past')) {
    return addDays(today, -((weekdayOf(today) - number + 7) % 7 || 7));
  }
  const coming = addDays(today, (number - weekdayOf(today) + 7) % 7 || 7);
  if (which !== 'next') return coming;
  // "next Tuesday" is the one of the next week, weeks beginning on Monday.
  const ofNextWeek = addDays(startOfWeek(today), 7 + ((number + 6) % 7));
  return daysBetween(coming, ofNextWeek) >= 0 ? ofNextWeek : coming;
}

function countOf(text: string | undefined): number {
  if (text === undefined || text === 'a') return 1;
  if (/couple/.test(text)) return 2;
  if (/few/.test(text)) return 3;
  return Number(text);
}

function shifted(day: string, count: number, unit: string | undefined): string {
  if (unit === 'month') return addMonths(day, count);
  return addDays(day, unit === 'week' ? 7 * count : count);
}

function monthSpan(day: string): { first: string; last: string; exact: boolean } {
  const first = `${day.slice(0, 7)}-01`;
  return { first, last: addDays(addMonths(first, 1), -1), exact: false };
}

function monthOnly(
  groups: Groups,
  today: string,
  tense: Tense,
): { first: string; last: string; exact: boolean } | null {
  const monthOfYear = monthNumber(groups.month);
  if (monthOfYear === null) return null;
  const { year: thisYear, month: thisMonth } = partsOf(today);
  const passed = tense === 'future' && monthOfYear < thisMonth;
  const ahead = tense === 'past' && monthOfYear > thisMonth;
  const chosen =
    groups.year === undefined ? thisYear + (passed ? 1 : 0) - (ahead ? 1 : 0) : yearNumber(groups.year);
  const first = dayOf(chosen, monthOfYear, 1);
  if (first === null) return null;
  const whole = monthSpan(first);
  switch (groups.part) {
    case 'early':
    case 'beginning of':
      return { ...whole, last: addDays(first, 9) };
    case 'first week of':
      return { ...whole, last: addDays(first, 6) };
    case 'mid':
    case 'middle of':
      return { ...whole, first: addDays(first, 9), last: addDays(first, 19) };
    case 'late':
    case 'end of':
      return { ...whole, first: addDays(first, 19) };
    case 'last week of':
      return { ...whole, first: addDays(whole.last, -6) };
    default:
      return whole;
  }
}
