const form = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** A moment as people read it, in UTC: the service does not know where its reader is. */
export function Moment({ at }: { readonly at: string }) {
  return <time datetime={at}>{`${form.format(new Date(at))} UTC`}</time>;
}
