import { createContext, useContext } from 'hono/jsx';

/** IANA name of the time zone in which a page tells moments. */
export const ReadersTimeZone = createContext('UTC');

const noBreak = '\u00a0';

/** A moment as people read it, in their own time zone, which is said. */
export function Moment({ at }: { readonly at: string }) {
  const timeZone = useContext(ReadersTimeZone);
  const moment = new Date(at);
  const [day = '', time = ''] = dayAndTime(timeZone).format(moment).split(', ');
  // A line ends between the day and the time of day, if it must.
  return (
    <time
      datetime={at}
    >{`${day.replaceAll(' ', noBreak)}, ${time}${noBreak}${zoneName(timeZone, moment)}`}</time>
  );
}

function dayAndTime(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  });
}

/** American English has names for American zones, such as `CST`; British English has none but `GMT-6`. */
function zoneName(timeZone: string, moment: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' }).formatToParts(moment);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}
