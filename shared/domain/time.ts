export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** The UTC day of an instant, as `YYYY-MM-DD`. */
export function utcDay(instant: Date): string {
  return instant.toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** The calendar day that many days after another, both as `YYYY-MM-DD`. */
export function addDays(day: string, days: number): string {
  return utcDay(new Date(Date.parse(day) + days * dayMs));
}

/** An instant some time after another, before it if negative, as stored. */
export function timestampAfter(instant: Date, ms: number): string {
  return new Date(instant.getTime() + ms).toISOString();
}
