import { instantOf, wallTime } from '#shared/calling-hours/zone-clock.ts';
import type { AlertFrequency } from '#shared/domain/alert.ts';
import { addDays, hourMs } from '#shared/domain/time.ts';

/** When a daily digest is sent. */
const morning = '07:00';

/** When the next digest is due: at the next full hour, or at seven in the morning; null if off. */
export function nextDigestAt(frequency: AlertFrequency, timeZone: string, after: Date): Date | null {
  switch (frequency) {
    case 'off':
      return null;
    case 'hourly':
      return new Date((Math.floor(after.getTime() / hourMs) + 1) * hourMs);
    case 'daily': {
      const today = wallTime(timeZone, after).date;
      const due = instantOf(timeZone, `${today}T${morning}`);
      if (due > after) return due;
      return instantOf(timeZone, `${addDays(today, 1)}T${morning}`);
    }
  }
}
