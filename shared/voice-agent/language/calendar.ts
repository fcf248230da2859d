/*
 * Days and clock times of the called place, without a time zone: days are `YYYY-MM-DD`, times are minutes
 * since midnight. Appointments are spoken and kept in the local time of the clinic.
 */

export const weekdayNames = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const;

export const monthNames = [
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

const dayMs = 24 * 60 * 60 * 1000;

/** The day with these numbers, or `null` if the calendar has no such day. `month` is 1 to 12. */
export function dayOf(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
    ? date.toISOString().slice(0, 10)
    : null;
}

export function partsOf(day: string): { year: number; month: number; day: number } {
  const [year = 0, month = 1, dayOfMonth = 1] = day.split('-').map(Number);
  return { year, month, day: dayOfMonth };
}

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * dayMs).toISOString().slice(0, 10);
}

/** The same day of a later month, or that month's last day if it is shorter. */
export function addMonths(day: string, count: number): string {
  const { year, month, day: dayOfMonth } = partsOf(day);
  const first = new Date(Date.UTC(year, month - 1 + count, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth(), Math.min(dayOfMonth, last)))
    .toISOString()
    .slice(0, 10);
}

/** 0 is Sunday. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs);
}

/** The Monday of the day's week. */
export function startOfWeek(day: string): string {
  return addDays(day, -((weekdayOf(day) + 6) % 7));
}

/** Today's date at a place. Unknown zones count as UTC. */
export function localDay(now: Date, timeZone: string): string {
  const formatted = formatterOf(timeZone).format(now);
  return /^\d{4}-\d{2}-\d{2}$/.test(formatted) ? formatted : now.toISOString().slice(0, 10);
}

// Creating a formatter takes milliseconds, using one microseconds.
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  // The Swedish locale writes dates as ISO 8601 does.
  const formatter = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  formatters.set(timeZone, formatter);
  return formatter;
}

/** `Tuesday, November 24`, with the year if it is not the current one. */
export function spokenDay(day: string, today: string): string {
  const { year, month, day: dayOfMonth } = partsOf(day);
  const name = `${weekdayNames[weekdayOf(day)]}, ${monthNames[month - 1]} ${dayOfMonth}`;
  return year === partsOf(today).year ? name : `${name}, ${year}`;
}

/** `March 14, 1985` */
export function spokenDate(day: string): string {
  const { year, month, day: dayOfMonth } = partsOf(day);
  return `${monthNames[month - 1]} ${dayOfMonth}, ${year}`;
}

/** `Tuesday, November 24, 2026` */
export function writtenDay(day: string): string {
  return `${weekdayNames[weekdayOf(day)]}, ${spokenDate(day)}`;
}

/** `10:30 AM`, `2 PM`, `noon` */
export function spokenTime(minutes: number): string {
  if (minutes === 12 * 60) return 'noon';
  const written = writtenTime(minutes);
  return written.replace(':00', '');
}

/** `10:30 AM`, `2:00 PM` */
export function writtenTime(minutes: number): string {
  const hour = Math.floor(minutes / 60);
  const minute = String(minutes % 60).padStart(2, '0');
  return `${((hour + 11) % 12) + 1}:${minute} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** `10:30` as on a 24-hour clock */
export function clockTime(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}
