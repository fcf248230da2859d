import { onFirstUse } from '#shared/domain/on-first-use.ts';

const noBreak = '\u00a0';

/**
 * A calendar date in prose, the same day everywhere.
 *
 * @param on `YYYY-MM-DD`
 * @param today `YYYY-MM-DD`, for rows of a list: omits the current year
 */
export function Day({ on, today = '' }: { readonly on: string; readonly today?: string }) {
  const yearLength = 'YYYY'.length;
  const isThisYear = on.slice(0, yearLength) === today.slice(0, yearLength);
  const text = isThisYear ? dayText(on).replace(/, \d+$/, '') : dayText(on);
  return <time datetime={on}>{text.replaceAll(' ', noBreak)}</time>;
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
