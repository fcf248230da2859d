const minuteMs = 60_000;

/** What the clock on the wall and the calendar next to it show in a time zone. */
export interface WallTime {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** 1 is Monday, 7 is Sunday. */
  readonly weekday: number;
  /** Since midnight by the clock, whole minutes and their fraction. */
  readonly minutes: number;
}

/** @throws RangeError for a time zone that the runtime does not know */
export function wallTime(zone: string, at: Date): WallTime {
  const local = new Date(at.getTime() + offsetMs(zone, at.getTime()));
  const date = local.toISOString().slice(0, 'YYYY-MM-DD'.length);
  return {
    date,
    weekday: local.getUTCDay() === 0 ? 7 : local.getUTCDay(),
    minutes: (local.getTime() - Date.parse(date)) / minuteMs,
  };
}

/**
 * The instant at which the clock of a time zone will have gone on by that many minutes, or the instant before that at
 * which it is put forward or back.
 */
export function laterOrClockChange(zone: string, at: Date, minutes: number): Date {
  const start = at.getTime();
  const end = start + minutes * minuteMs;
  const offset = offsetMs(zone, start);
  if (offsetMs(zone, end) === offset) return new Date(end);
  // No zone has two changes within the day that callers look ahead at most, so there is one to be found by halving.
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
 * The instant at which the clock of a time zone shows a local time; where the clock is put forward over it,
 * the same time before that.
 *
 * @param local `YYYY-MM-DDTHH:MM`
 */
export function instantOf(zone: string, local: string): Date {
  const shown = Date.parse(`${local}Z`);
  const guess = shown - offsetMs(zone, shown);
  return new Date(shown - offsetMs(zone, guess));
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** How far the clock of a zone is ahead of UTC; negative west of Greenwich. */
function offsetMs(zone: string, at: number): number {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    formats.set(zone, format);
  }
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  // "GMT", "GMT-03:30", and with seconds for the local mean times of the past.
  const parts = /^GMT(?:(?<sign>[+-])(?<hours>\d{2}):(?<minutes>\d{2})(?::(?<seconds>\d{2}))?)?$/.exec(name);
  if (parts === null) throw new Error(`unreadable offset of ${zone}: ${name}`);
  const { sign, hours = 0, minutes = 0, seconds = 0 } = parts.groups ?? {};
  const magnitude = (Number(hours) * 60 + Number(minutes)) * minuteMs + Number(seconds) * 1000;
  return sign === '-' ? -magnitude : magnitude;
}
