import type { CallingHours, Project } from './project.ts';

/** Bounds of every live project, regardless of its owner's settings. */
export const liveHours = { opens: '08:00', closes: '21:00' } as const;

/** Maximum calls per task. */
export const mostAttempts = 10;

/** When real phones may ring: the project's hours, within the bounds of live calls. */
export function boundedHours({
  carrier,
  calling_hours,
}: Pick<Project, 'carrier' | 'calling_hours'>): CallingHours {
  if (carrier === 'sandbox') return calling_hours;
  // Two-digit times of day sort as text.
  const { opens, closes } = calling_hours;
  return {
    ...calling_hours,
    opens: opens.localeCompare(liveHours.opens) < 0 ? liveHours.opens : opens,
    closes: closes.localeCompare(liveHours.closes) > 0 ? liveHours.closes : closes,
  };
}

/** How many concurrent calls the project may have. */
export function boundedConcurrency({
  carrier,
  live_grant,
  max_concurrent_calls,
}: Pick<Project, 'carrier' | 'live_grant' | 'max_concurrent_calls'>): number {
  if (carrier === 'sandbox' || live_grant === null) return max_concurrent_calls;
  return Math.min(max_concurrent_calls, live_grant.max_concurrent_calls);
}

/** Countries that the project may call, ISO 3166-1; null for all numbers, in the sandbox only. */
export function allowedCountries({
  carrier,
  live_grant,
  allowed_countries,
}: Pick<Project, 'carrier' | 'live_grant' | 'allowed_countries'>): readonly string[] | null {
  if (carrier === 'sandbox') return allowed_countries;
  const granted = live_grant?.countries ?? [];
  return allowed_countries === null
    ? granted
    : granted.filter((country) => allowed_countries.includes(country));
}

/** Why the project makes no real calls at all, as a sentence; null if it does, or only calls simulated people. */
export function findGrantProblem({
  carrier,
  live_grant,
}: Pick<Project, 'carrier' | 'live_grant'>): string | null {
  if (carrier === 'sandbox') return null;
  if (live_grant === null)
    return 'The project may not make real calls until an operator of this service grants them.';
  return live_grant.withdrawn_at === null
    ? null
    : 'The project may no longer make real calls: an operator of this service has withdrawn the grant.';
}

/** Whether a task was created in the sandbox before its project went live. */
export function isLeftBehind(
  { carrier, live_grant }: Pick<Project, 'carrier' | 'live_grant'>,
  createdAt: string,
): boolean {
  return carrier === 'live' && live_grant !== null && createdAt < live_grant.since;
}
