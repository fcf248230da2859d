import type { CallAnswer } from '#shared/domain/call-result.ts';
import type { PlanItem } from './call-plan.ts';

/** A number for one call is of no use for the next. */
const perCallKeys: ReadonlySet<string> = new Set(['reference_number', 'person_name']);

type EarlierAnswer = Pick<CallAnswer, 'key' | 'answer'> & { readonly needs_review?: boolean | undefined };

/**
 * The items that earlier calls of the task have left open, so that nobody is asked again for what they have
 * told. What other questions hang on is asked again all the same: it tells which of them are of interest. All
 * items when the earlier answers leave nothing to ask that the goal needs, because then something about them
 * was not good enough.
 */
export function openItems(items: readonly PlanItem[], earlierAnswers: readonly EarlierAnswer[]): PlanItem[] {
  const sure = earlierAnswers.filter(({ answer, needs_review }) => answer !== null && needs_review !== true);
  const known = new Set(sure.map(({ key }) => key));
  const askedAgain = new Set([...perCallKeys, ...items.flatMap(({ only_if }) => only_if?.key ?? [])]);
  const open = items.filter(({ key }) => !known.has(key) || askedAgain.has(key));
  return open.some(({ required, key }) => required && !known.has(key)) ? open : [...items];
}
