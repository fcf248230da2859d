const form = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

const noBreak = '\u00a0';

/** A moment as people read it, in UTC: the service does not know where its reader is. */
export function Moment({ at }: { readonly at: string }) {
  // A line ends between the day and the time of day, if it must.
  const [day = '', time = ''] = form.format(new Date(at)).split(', ');
  return <time datetime={at}>{`${day.replaceAll(' ', noBreak)}, ${time}${noBreak}UTC`}</time>;
}
