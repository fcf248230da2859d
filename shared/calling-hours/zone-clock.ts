import { minuteMs, utcDay } from '#shared/domain/time.ts';

/** Local date and time in a time zone. */
export interface WallTime {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** 1 is Monday, 7 is Sunday. */
  readonly weekday: number;
  /** Minutes since midnight by the clock, with fraction. */
  readonly minutes: number;
}

/** @throws RangeError for a time zone unknown to the runtime */
export function wallTime(zone: string, at: Date): WallTime {
  const local = new Date(at.getTime() + offsetMs(zone, at.getTime()));
  const date = utcDay(local);
  return {
    date,
    weekday: local.getUTCDay() === 0 ? 7 : local.getUTCDay(),
    minutes: (local.getTime() - Date.parse(date)) / minuteMs,
  };
}

/**
 * The instant at which the clock of a time zone has advanced by that many minutes, or the instant before it changes
 * for daylight saving time.
 */
export function laterOrClockChange(zone: string, at: Date, minutes: number): Date {
  const start = at.getTime();
  const end = start + minutes * minuteMs;
  const offset = offsetMs(zone, start);
  if (offsetMs(zone, end) === offset) return new Date(end);
  // No zone changes twice within the day that callers look ahead at most, so bisection finds the change.
  let before = start;
  let after = end;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetMs(zone, middle) === offset) before = middle;
    else after = middle;
  }
  return new Date(after);
}

/**
 * The instant at which a time zone's clock shows a local time; where the clock skips it, the same time before
 * the change.
 *
 * @param local `YYYY-MM-DDTHH:MM`
 */
export function instantOf(zone: string, local: string): Date {
  const shown = Date.parse(`${local}Z`);
  const guess = shown - offsetMs(zone, shown);
  return new Date(shown - offsetMs(zone, guess));
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The zone's offset from UTC; negative west of Greenwich. */
function offsetMs(zone: string, at: number): number {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    formats.set(zone, format);
  }
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  // "GMT", "GMT-03:30", and with seconds for historical local mean times.
  const parts = /^GMT(?:(?<sign>[+-])(?<hours>\d{2}):(?<minutes>\d{2})(?::(?<seconds>\d{2}))?)?$/.exec(name);
  if (parts === null) throw new Error(`unreadable offset of ${zone}: ${name}`);
  const { sign, hours = 0, minutes = 0, seconds = 0 } = parts.groups ?? {};
  const magnitude = (Number(hours) * 60 + Number(minutes)) * minuteMs + Number(seconds) * 1000;
  return sign === '-' ? -magnitude : magnitude;
}
