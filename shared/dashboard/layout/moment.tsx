import { createContext, useContext } from 'hono/jsx';

/** IANA name of the time zone in which a page tells moments. */
export const ReadersTimeZone = createContext('UTC');

const noBreak = '\u00a0';

/** A moment as people read it, in their own time zone, which is said. @param seconds for what happens within a minute */
export function Moment({ at, seconds = false }: { readonly at: string; readonly seconds?: boolean }) {
  const timeZone = useContext(ReadersTimeZone);
  const moment = new Date(at);
  const day = dayIn(timeZone).format(moment);
  const time = timeIn(timeZone, seconds).format(moment);
  // A line ends between the day and the time of day, if it must.
  return (
    <time
      datetime={at}
    >{`${day.replaceAll(' ', noBreak)}, ${time.replaceAll(/\s/g, noBreak)}${noBreak}${zoneName(timeZone, moment)}`}</time>
  );
}

function dayIn(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', year: 'numeric', timeZone });
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
