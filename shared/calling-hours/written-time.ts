import { CalendarDate, GivenTime } from '#shared/domain/values.ts';
import { toIsoDate } from '#shared/domain/written-date.ts';
import { instantOf } from './zone-clock.ts';

const dateAndTime =
  /^(?<date>\S+?),?[ T]\s*(?<hour>\d{1,2}):(?<minute>\d{2})(?::\d{2}(?:\.\d+)?)?\s*(?<half>[ap]\.?m\.?)?$/i;

/**
 * Parses a date and time as spreadsheets and people write it, `11/25/2026 9:00 AM` or `2026-11-25 14:30`,
 * in a time zone, or one with a UTC offset in any zone.
 *
 * @param zone null when unknown: then only times with an offset are accepted
 * @param country that writes dates in this way
 * @returns in UTC; null for anything else
 */
export function toInstant(
  text: string,
  { zone, country }: { readonly zone: string | null; readonly country: string },
): string | null {
  const withOffset = GivenTime.safeParse(text);
  if (withOffset.success) return withOffset.data;
  const { date = '', hour, minute = '', half = '' } = dateAndTime.exec(text)?.groups ?? {};
  const day = CalendarDate.safeParse(toIsoDate(date, country));
  const hours = hourOf(Number(hour), half.charAt(0).toLowerCase());
  if (zone === null || !day.success || hours === null || Number(minute) > 59) return null;
  return instantOf(zone, `${day.data}T${String(hours).padStart(2, '0')}:${minute}`).toISOString();
}

/** @param half `a` or `p`; empty for the 24-hour clock */
function hourOf(hour: number, half: string): number | null {
  if (half === '') return hour <= 23 ? hour : null;
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half === 'p' ? 12 : 0);
}
