import { cardinalWords, digitsForWords, ordinalWords } from './number-words.ts';

const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;
const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** A calendar day of the person's own time zone, without one. `month` and `day` count from 1. */
export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

function utcDay(instant: Date): Day {
  return { year: instant.getUTCFullYear(), month: instant.getUTCMonth() + 1, day: instant.getUTCDate() };
}

function dayNumber({ year, month, day }: Day): number {
  return Math.round(Date.UTC(year, month - 1, day) / 86_400_000);
}

export function addDays(day: Day, days: number): Day {
  return utcDay(new Date((dayNumber(day) + days) * 86_400_000));
}

/** 0 is Sunday. */
export function weekdayOf(day: Day): number {
  return new Date(dayNumber(day) * 86_400_000).getUTCDay();
}

/** The n-th working day (Monday to Friday) after the given day. */
export function addWorkingDays(day: Day, count: number): Day {
  let result = day;
  for (let left = count; left > 0; ) {
    result = addDays(result, 1);
    if (weekdayOf(result) !== 0 && weekdayOf(result) !== 6) left -= 1;
  }
  return result;
}

/** @param date `YYYY-MM-DD` */
export function dayFromIso(date: string): Day {
  const [year = 1970, month = 1, day = 1] = date.split('-').map(Number);
  return { year, month, day };
}

export function isoDate({ year, month, day }: Day): string {
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

function ordinal(count: number): string {
  const teen = count % 100 >= 11 && count % 100 <= 13;
  const ending = teen ? 'th' : (['th', 'st', 'nd', 'rd'][count % 10] ?? 'th');
  return `${count}${ending}`;
}

/** Ways to say an appointment: with month and part of the day, shorter, or all in words. */
export const momentStyles = ['long', 'short', 'words'] as const;
export type MomentStyle = (typeof momentStyles)[number];

/**
 * An appointment as a person says it: "Tuesday, November 24th at 10:30 in the morning", "Tuesday the 24th at 10:30 AM"
 * or "Tuesday, November twenty-fourth at ten thirty in the morning". `time` is `HH:MM`, 24 hours.
 */
export function sayMoment(day: Day, time: string, style: MomentStyle): string {
  const weekday = weekdayNames[weekdayOf(day)] ?? '';
  const month = monthNames[day.month - 1] ?? '';
  const { hours, minutes } = parseTime(time);
  const hour = hours % 12 === 0 ? 12 : hours % 12;
  const partOfDay = hours < 12 ? 'in the morning' : hours < 17 ? 'in the afternoon' : 'in the evening';
  switch (style) {
    case 'long':
      return `${weekday}, ${month} ${ordinal(day.day)} at ${hour}:${pad(minutes)} ${partOfDay}`;
    case 'short':
      return `${weekday} the ${ordinal(day.day)} at ${hour}:${pad(minutes)} ${hours < 12 ? 'AM' : 'PM'}`;
    case 'words': {
      const time = `${cardinalWords(hour)}${minuteWords(minutes)}`;
      return `${weekday}, ${month} ${ordinalWords(day.day)} at ${time} ${partOfDay}`;
    }
    default:
      return style satisfies never;
  }
}

/** "March 5th, 1980"; the year is left out when it is the given one. */
export function sayDay(day: Day, currentYear: number | null): string {
  const spoken = `${monthNames[day.month - 1] ?? ''} ${ordinal(day.day)}`;
  return day.year === currentYear ? spoken : `${spoken}, ${day.year}`;
}

function parseTime(time: string): { hours: number; minutes: number } {
  const [hours = '0', minutes = '0'] = time.split(':');
  return { hours: Number(hours), minutes: Number(minutes) };
}

function pad(minutes: number): string {
  return String(minutes).padStart(2, '0');
}

/** " oh five", " thirty" or " o'clock". */
export function minuteWords(minutes: number): string {
  if (minutes === 0) return " o'clock";
  return minutes < 10 ? ` oh ${cardinalWords(minutes)}` : ` ${cardinalWords(minutes)}`;
}

type PartOfDay = 'morning' | 'afternoon' | 'evening';

/** The days and times that a text mentions. Empty lists mention nothing, and so exclude nothing. */
export interface Mention {
  readonly weekdays: readonly number[];
  readonly days: readonly {
    readonly month: number | null;
    readonly day: number;
    readonly year: number | null;
  }[];
  /** `hours` as spoken, 1 to 12 unless `isExact`; without minutes the whole hour is meant. */
  readonly times: readonly {
    readonly hours: number;
    readonly minutes: number | null;
    readonly isExact: boolean;
  }[];
  readonly partsOfDay: readonly PartOfDay[];
  readonly week: 'this' | 'next' | null;
  /** Minutes of the day from or until which the speaker can: "after 3 pm", "before noon". */
  readonly notBeforeMinutes: number | null;
  readonly notAfterMinutes: number | null;
}

export function isEmptyMention(mention: Mention): boolean {
  return (
    mention.weekdays.length + mention.days.length + mention.times.length + mention.partsOfDay.length === 0 &&
    mention.week === null &&
    mention.notBeforeMinutes === null &&
    mention.notAfterMinutes === null
  );
}

const monthPattern =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|' +
  'aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const yearPattern = '(?:,?\\s+(?:of\\s+)?(\\d{4}|(?:19|20)\\s\\d{2})\\b)?';
const monthFirst = new RegExp(
  `\\b${monthPattern}\\s+(?:the\\s+)?(\\d{1,2})(?:st|nd|rd|th)?\\b(?!:)${yearPattern}`,
  'g',
);
const dayFirst = new RegExp(
  `\\b(\\d{1,2})(?:st|nd|rd|th)?\\s+(?:of\\s+|day\\s+of\\s+)?${monthPattern}${yearPattern}`,
  'g',
);
const dayOfMonth = new RegExp(
  `\\b(\\d{1,2})(?:st|nd|rd|th|(?=\\s+of))\\s+(?:of\\s+|day\\s+of\\s+)?${monthPattern}${yearPattern}`,
  'g',
);
const isoForm = /\b(\d{4})-(\d{1,2})-(\d{1,2})\b/g;
const slashForm = /\b(\d{1,2})[/-](\d{1,2})(?:[/-](\d{4}|\d{2}))?\b/g;
const dayAlone = /\b(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)\b/g;

export interface FoundDay {
  readonly month: number | null;
  readonly day: number;
  readonly year: number | null;
}

/** Every calendar day that the text names, and the text without them (so that their digits are not taken for times). */
export function findDays(text: string): { days: FoundDay[]; rest: string } {
  const days: FoundDay[] = [];
  const take = (month: number | null, day: number, year: number | null): string => {
    if (day >= 1 && day <= 31 && (month === null || (month >= 1 && month <= 12))) {
      days.push({ month, day, year });
      return ' # ';
    }
    return ' ';
  };
  const rest = digitsForWords(text.toLowerCase())
    // A year read digit by digit.
    .replace(/\b(1 9|2 0) (\d) (\d)\b(?! \d)/g, (year) => year.replaceAll(' ', ''))
    .replace(isoForm, (_, year: string, month: string, day: string) =>
      take(Number(month), Number(day), Number(year)),
    )
    .replace(slashForm, (_, month: string, day: string, year: string | undefined) =>
      take(Number(month), Number(day), fullYear(year)),
    )
    .replace(dayOfMonth, (_, day: string, month: string, year: string | undefined) =>
      take(monthNumber(month), Number(day), fullYear(year)),
    )
    .replace(monthFirst, (_, month: string, day: string, year: string | undefined) =>
      take(monthNumber(month), Number(day), fullYear(year)),
    )
    .replace(dayFirst, (_, day: string, month: string, year: string | undefined) =>
      take(monthNumber(month), Number(day), fullYear(year)),
    )
    .replace(dayAlone, (whole, day: string, offset: number, all: string) =>
      // "the 1st one", "the 2nd, please" count choices; "on the 1st" and "Tuesday the 2nd" are days.
      /^(the\s+)?[12](st|nd|th)$/.test(whole.trim()) && !/(day,?|\bon)\s+$/.test(all.slice(0, offset))
        ? whole
        : take(null, Number(day), null),
    );
  return { days, rest };
}

function monthNumber(name: string): number {
  return monthNames.findIndex((month) => month.toLowerCase().startsWith(name.slice(0, 3))) + 1;
}

function fullYear(year: string | undefined): number | null {
  if (year === undefined) return null;
  const digits = year.replace(/\s/, '');
  if (digits.length === 4) return Number(digits);
  return Number(digits) + (Number(digits) > 30 ? 1900 : 2000);
}

const timeForm = new RegExp(
  [
    /(?<![$\d.,:])\b(\d{1,2})(?:(?::|\s)([0-5]\d))?\s*(o'?clock\b)?/,
    /\s*(a\.?\s?m\b\.?|p\.?\s?m\b\.?|in the morning|in the afternoon|in the evening|at night)?/,
  ]
    .map(({ source }) => source)
    .join(''),
  'g',
);

/** What a text says about days and times. Days of other years (a date of birth) are left out. */
export function findMention(text: string, today: Day): Mention {
  const { days, rest } = findDays(text);
  const relevant = days.filter(({ year }) => year === null || year === today.year || year === today.year + 1);
  const words = ` ${rest.replace(/[,;!?]/g, ' ')} `
    .replace(/\bhalf past (\d{1,2})\b/g, '$1:30')
    .replace(/\b(?:a )?quarter past (\d{1,2})\b/g, '$1:15')
    .replace(
      /\b(?:a )?quarter to (\d{1,2})\b/g,
      (_, hour: string) => `${Number(hour) === 1 ? 12 : Number(hour) - 1}:45`,
    );
  const weekdays = weekdayNames.flatMap((name, index) =>
    new RegExp(`\\b${name.toLowerCase()}s?\\b`).test(words) ? [index] : [],
  );
  const partsOfDay: PartOfDay[] = (['morning', 'afternoon', 'evening'] as const).filter((part) =>
    new RegExp(`(?<!good )\\b${part}s?\\b`).test(words),
  );
  const times: Mention['times'][number][] = [];
  let notBeforeMinutes: number | null = null;
  let notAfterMinutes: number | null = null;
  for (const match of words.matchAll(timeForm)) {
    const [whole, hourText = '', minuteText, oclock, half] = match;
    const before = words.slice(0, match.index);
    const hours = Number(hourText);
    const isAfterAt = /\b(at|by|around|about|after|before|until|till|past)\s*$/.test(before);
    const isColon = whole.includes(':');
    if (hours < 1 || hours > 23) continue;
    // "Two fifteen", and not a piece of a longer number.
    const isSpoken =
      minuteText !== undefined &&
      hours <= 12 &&
      !/[\d#]\s*$/.test(before) &&
      !/^\s*\d/.test(words.slice(match.index + whole.length));
    if (half === undefined && oclock === undefined && !isColon && !isAfterAt && !isSpoken) continue;
    const isExact = half !== undefined || hours > 12;
    const isAfternoon = half !== undefined && !/^a|morning/.test(half);
    const exactHours = hours > 12 ? hours : isAfternoon ? (hours % 12) + 12 : isExact ? hours % 12 : hours;
    const minutes = minuteText === undefined ? (oclock === undefined ? null : 0) : Number(minuteText);
    const assumed = isExact || hours >= 7 ? exactHours : hours + 12;
    if (/\b(after|from|past)\s*$/.test(before)) notBeforeMinutes = assumed * 60 + (minutes ?? 0);
    else if (/\b(before|until|till)\s*$/.test(before)) notAfterMinutes = assumed * 60 + (minutes ?? 0);
    else times.push({ hours: exactHours, minutes, isExact });
  }
  if (/\bafter (noon|lunch)\b/.test(words)) notBeforeMinutes = 720;
  else if (/\bbefore (noon|lunch)\b/.test(words)) notAfterMinutes = 720;
  else if (/\bnoon\b/.test(words)) times.push({ hours: 12, minutes: 0, isExact: true });
  const near = /\bday after tomorrow\b/.test(words)
    ? 2
    : /\btomorrow\b/.test(words)
      ? 1
      : /\btoday\b/.test(words)
        ? 0
        : null;
  const week = /\b(next|following) week\b/.test(words)
    ? 'next'
    : /\bthis week\b|\bwithin the week\b/.test(words)
      ? 'this'
      : null;
  const named = near === null ? relevant : [...relevant, addDays(today, near)];
  return { weekdays, days: named, times, partsOfDay, week, notBeforeMinutes, notAfterMinutes };
}

/** Whether an appointment agrees with everything that was mentioned. */
export function fitsMention(day: Day, time: string, mention: Mention, today: Day): boolean {
  const { hours, minutes } = parseTime(time);
  const minuteOfDay = hours * 60 + minutes;
  const part: PartOfDay = hours < 12 ? 'morning' : hours < 17 ? 'afternoon' : 'evening';
  const weeksAhead = Math.floor((dayNumber(day) + 3) / 7) - Math.floor((dayNumber(today) + 3) / 7);
  return (
    allows(mention.weekdays, (weekday) => weekday === weekdayOf(day)) &&
    allows(mention.days, (named) => named.day === day.day && (named.month ?? day.month) === day.month) &&
    allows(
      mention.times,
      (named) =>
        (named.isExact ? named.hours === hours : named.hours % 12 === hours % 12) &&
        (named.minutes === null || named.minutes === minutes),
    ) &&
    allows(mention.partsOfDay, (named) => named === part) &&
    (mention.week === null || weeksAhead === (mention.week === 'next' ? 1 : 0)) &&
    (mention.notBeforeMinutes === null || minuteOfDay >= mention.notBeforeMinutes) &&
    (mention.notAfterMinutes === null || minuteOfDay <= mention.notAfterMinutes)
  );
}

function allows<Named>(named: readonly Named[], agrees: (name: Named) => boolean): boolean {
  return named.length === 0 || named.some(agrees);
}
