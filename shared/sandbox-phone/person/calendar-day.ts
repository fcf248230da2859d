import { zonesOfNumber } from '#shared/calling-hours/number-zones.ts';
import { wallTime } from '#shared/calling-hours/zone-clock.ts';
import { type Day, dayFromIso } from './moment.ts';

/** The calendar day where a number is answered: their "tomorrow" is counted from it. */
export function calendarDay(phoneNumber: string, at: Date): Day {
  const [zone = 'UTC'] = zonesOfNumber(phoneNumber);
  return dayFromIso(wallTime(zone, at).date);
}
