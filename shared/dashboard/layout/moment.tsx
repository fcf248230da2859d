import { createContext, useContext } from 'hono/jsx';

/** IANA name of the time zone in which a page tells moments. */
export const ReadersTimeZone = createContext('UTC');

const noBreak = '\u00a0';

/** A moment as people read it, in their own time zone, which is said. */
export function Moment({ at }: { readonly at: string }) {
  // A line ends between the day and the time of day, if it must.
  const [day = '', time = ''] = momentFormat(useContext(ReadersTimeZone)).format(new Date(at)).split(', ');
  return <time datetime={at}>{`${day.replaceAll(' ', noBreak)}, ${time.replaceAll(' ', noBreak)}`}</time>;
}

function momentFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  });
}
