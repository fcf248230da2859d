import type { Coverage, OverviewDays } from '#shared/admin/project-overview.ts';
import { Moment } from '../layout/moment.tsx';
import { numberText } from '../layout/number.ts';

/** Chooses the number of days. */
export function PeriodChoice({
  address,
  days,
}: {
  readonly address: (days: OverviewDays) => string;
  readonly days: OverviewDays;
}) {
  const choices: readonly OverviewDays[] = [7, 30];
  return (
    <nav class="filters" aria-label="Period">
      <ul>
        {choices.map((choice) => (
          <li>
            <a href={address(choice)} {...(choice === days ? { 'aria-current': 'true' } : {})}>
              {`${choice} days`}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Says from when tasks or calls are counted if that is not the whole period. */
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
      {`Only the newest ${numberText(count)} ${things} are counted, from `}
      <Moment at={onlySince} />
      {` on. Older ${things} are left out.`}
    </p>
  );
}
