import { allowedCountries } from './live-bounds.ts';
import type { Project } from './project.ts';

/**
 * Why the project may not call a number, as the predicate of a sentence; null if it may. A sandbox project without
 * countries may call every number: no real phone rings.
 *
 * @param phoneNumber E.164
 */
export async function findProjectNumberProblem(
  project: Pick<
    Project,
    'carrier' | 'live_grant' | 'allowed_countries' | 'caller_number' | 'call_policy' | 'agent'
  >,
  phoneNumber: string,
): Promise<string | null> {
  const countries = allowedCountries(project);
  if (countries === null) return null;
  const own = [project.caller_number, project.call_policy.callback_number, project.agent.callback_number];
  if (own.includes(phoneNumber)) return "must not be one of the project's own numbers";
  // The world's numbering plans are larger than the rest of a function, which can start without them.
  const { findNumberProblem } = await import('./callable-number.ts');
  return findNumberProblem(phoneNumber, countries);
}
