import { createContext, useContext } from 'hono/jsx';

/** IANA name of the time zone of a page's times. */
export const ReadersTimeZone = createContext('UTC');

const noBreak = '\u00a0';

/**
 * A time in prose, in the reader's time zone, which it names.
 *
 * @param seconds for what happens within a minute
 * @param near the current time, for rows of a list: omits year and zone, and today's date
 */
export function Moment({
  at,
  seconds = false,
  near,
}: {
  readonly at: string;
  readonly seconds?: boolean;
  readonly near?: Date;
}) {
  const timeZone = useContext(ReadersTimeZone);
  const moment = new Date(at);
  const day = dayIn(timeZone, near !== undefined).format(moment);
  const time = timeIn(timeZone, seconds).format(moment);
  if (near !== undefined) {
    const isSameDay = dayIn(timeZone).format(near) === dayIn(timeZone).format(moment);
    return <time datetime={at}>{(isSameDay ? time : `${day}, ${time}`).replaceAll(/\s/g, noBreak)}</time>;
  }
  // The line may break only between date and time.
  const zoned = `${time.replaceAll(/\s/g, noBreak)}${noBreak}${zoneName(timeZone, moment)}`;
  return <time datetime={at}>{`${day.replaceAll(' ', noBreak)}, ${zoned}`}</time>;
}

function dayIn(timeZone: string, short = false): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    day: 'numeric',
    month: 'short',
    ...(short ? {} : { year: 'numeric' }),
    timeZone,
  });
}

function timeIn(timeZone: string, seconds: boolean): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    hour: 'numeric',
    minute: '2-digit',
    ...(seconds ? { second: '2-digit' } : {}),
    timeZone,
  });
}

function zoneName(timeZone: string, moment: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' }).formatToParts(moment);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}
