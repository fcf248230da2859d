import { CalendarDate } from './values.ts';

/**
 * Converts a calendar date as written in a country to `YYYY-MM-DD`: `7/12/1984` in the United States, `12/7/1984` or
 * `12.7.1984` in Germany, `Jul 12, 1984` or `12-Jul-1984` anywhere. Returns anything else unchanged, and so what may
 * mean either of two days.
 *
 * @param country ISO 3166-1
 */
export function toIsoDate(text: string, country: string): string {
  const [day, another] = meantDays(text, country);
  return day === undefined || another !== undefined ? text.trim() : day;
}

/** The days, `YYYY-MM-DD`, that a written date may mean; empty for anything else. */
export function meantDays(text: string, country: string): string[] {
  const written = text.trim();
  const [, one = '', mark = '', other = '', year = ''] =
    /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})$/.exec(written) ?? [];
  const days =
    mark === ''
      ? [inWords(written) ?? written]
      : [
          ...(monthFirst.has(country) ? [isoDay(year, one, other)] : []),
          ...(isDayFirst(country, mark) ? [isoDay(year, other, one)] : []),
        ];
  return [...new Set(days)].filter((day) => CalendarDate.safeParse(day).success);
}

/** The United States with their territories, and countries that write either first. */
const monthFirst = new Set(['US', 'AS', 'GU', 'MP', 'PR', 'UM', 'VI', 'CA', 'PH']);

/** With dots, the day is first wherever they are used. */
function isDayFirst(country: string, mark: string): boolean {
  return mark === '.' || !monthFirst.has(country) || country === 'CA' || country === 'PH';
}

function isoDay(year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** `Jul 12, 1984` and `12 July 1984`; null for anything else. */
function inWords(text: string): string | null {
  const {
    month = '',
    day = '',
    year = '',
  } = /^(?<month>[a-z]{3,9})\.? (?<day>\d{1,2}),? (?<year>\d{4})$/i.exec(text)?.groups ??
  /^(?<day>\d{1,2})\.?[ -](?<month>[a-z]{3,9})\.?[ -](?<year>\d{4})$/i.exec(text)?.groups ??
  {};
  const number = monthNumber(month);
  return number === '' ? null : isoDay(year, number, day);
}

const months = 'january february march april may june july august september october november december'.split(
  ' ',
);

/** The number of a month's name or abbreviation; empty for anything else. */
function monthNumber(name: string): string {
  const index = name === '' ? -1 : months.findIndex((month) => month.startsWith(name.toLowerCase()));
  return index === -1 ? '' : String(index + 1);
}

/** A day in prose: `July 12, 1984`. @param date `YYYY-MM-DD` */
export function writtenDay(date: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date));
}
