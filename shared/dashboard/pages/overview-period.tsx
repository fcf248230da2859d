import type { Coverage, OverviewDays } from '#shared/admin/project-overview.ts';
import { Day } from '../layout/day.tsx';
import { Moment } from '../layout/moment.tsx';
import { numberText } from '../layout/number.ts';

export const overviewDays: readonly OverviewDays[] = [1, 7, 30];

/** `today`, or `in the last 7 days`. */
export function periodText(days: OverviewDays): string {
  return days === 1 ? 'today' : `in the last ${days} days`;
}

/** The same for a part of these days, when only the newest are counted. */
export function countedText(days: OverviewDays, { onlySince }: Coverage): string {
  if (onlySince === null) return periodText(days);
  return `in the counted part of ${days === 1 ? 'today' : `the last ${days} days`}`;
}

/** The page's subject. @param from its first day */
export function PeriodIntro({ days, from }: { readonly days: OverviewDays; readonly from: string }) {
  return (
    <>
      {`Tasks created and calls made ${periodText(days)}, ${days === 1 ? '' : 'since '}`}
      <Day on={from} />.
    </>
  );
}

/** Chooses the number of days. */
export function PeriodChoice({
  address,
  days,
}: {
  readonly address: (days: OverviewDays) => string;
  readonly days: OverviewDays;
}) {
  return (
    <nav class="filters" aria-label="Period">
      <ul>
        {overviewDays.map((choice) => (
          <li>
            <a href={address(choice)} {...(choice === days ? { 'aria-current': 'true' } : {})}>
              {choice === 1 ? 'Today' : `${choice} days`}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Says from when tasks or calls are counted, if not for the whole period. */
export function Gap({
  coverage: { onlySince },
  things,
  count,
}: {
  readonly coverage: Coverage;
  readonly things: string;
  readonly count: number;
}) {
  return onlySince === null ? null : (
    <p>
      {`Only the newest ${numberText(count)} ${things} are counted, since `}
      <Moment at={onlySince} />.
    </p>
  );
}
