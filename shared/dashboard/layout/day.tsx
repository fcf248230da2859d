import { onFirstUse } from '#shared/domain/on-first-use.ts';

const noBreak = '\u00a0';

/** A calendar date as people read it, which is the same day everywhere. @param on `YYYY-MM-DD` */
export function Day({ on }: { readonly on: string }) {
  return <time datetime={on}>{dayText(on).replaceAll(' ', noBreak)}</time>;
}

/** `Jul 12, 1984`, as plain text. @param on `YYYY-MM-DD` */
export function dayText(on: string): string {
  return dayFormat().format(new Date(`${on}T00:00:00Z`));
}

const dayFormat = onFirstUse(
  () =>
    new Intl.DateTimeFormat('en-US', {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      timeZone: 'UTC',
    }),
);
