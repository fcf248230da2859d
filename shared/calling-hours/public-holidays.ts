import { addDays } from '#shared/domain/time.ts';
import { zonesOfCountry } from './country-zones.ts';

/** States, the district, and the territories that observe federal holidays. */
const federalCountries = ['US', 'PR', 'VI', 'GU', 'MP', 'AS'];

/**
 * Whether a day is a public holiday in a time zone. Knows only the federal holidays of the United States and the
 * weekdays on which they are observed (5 U.S.C. § 6103); elsewhere it assumes no holidays.
 *
 * @param date `YYYY-MM-DD`
 */
export function isPublicHoliday(zone: string, date: string): boolean {
  return federalZones.has(zone) && isFederalHoliday(date);
}

const federalZones: ReadonlySet<string> = new Set(federalCountries.flatMap(zonesOfCountry));

const days = { monday: 1, thursday: 4, saturday: 6 };

/** Holidays on a fixed date, `MM-DD`. */
const fixedHolidays = ['01-01', '06-19', '07-04', '11-11', '12-25'];

/** Holidays on the nth weekday of a month; -1 is the last one. */
const floatingHolidays = [
  { month: 1, weekday: days.monday, nth: 3 },
  { month: 2, weekday: days.monday, nth: 3 },
  { month: 5, weekday: days.monday, nth: -1 },
  { month: 9, weekday: days.monday, nth: 1 },
  { month: 10, weekday: days.monday, nth: 2 },
  { month: 11, weekday: days.thursday, nth: 4 },
];

function isFederalHoliday(date: string): boolean {
  return isFixedHoliday(date) || isFloatingHoliday(date) || isObservedHoliday(date);
}

function isFixedHoliday(date: string): boolean {
  return fixedHolidays.includes(date.slice('YYYY-'.length));
}

function isFloatingHoliday(date: string): boolean {
  const day = new Date(date);
  const nth = Math.ceil(day.getUTCDate() / 7);
  const isLast = addDays(date, 7).slice(0, 'YYYY-MM'.length) !== date.slice(0, 'YYYY-MM'.length);
  return floatingHolidays.some(
    (holiday) =>
      holiday.month === day.getUTCMonth() + 1 &&
      holiday.weekday === day.getUTCDay() &&
      (holiday.nth === nth || (holiday.nth === -1 && isLast)),
  );
}

/** A holiday on a Saturday is observed the Friday before, one on a Sunday the Monday after. */
function isObservedHoliday(date: string): boolean {
  switch (new Date(date).getUTCDay()) {
    case days.monday:
      return isFixedHoliday(addDays(date, -1));
    case days.saturday - 1:
      return isFixedHoliday(addDays(date, 1));
    default:
      return false;
  }
}
