import type { CallAnswer } from '#shared/domain/call-result.ts';
import type { PlanItem } from './call-plan.ts';

/** A number for one call is useless for the next. */
const perCallKeys: ReadonlySet<string> = new Set(['reference_number', 'person_name']);

type EarlierAnswer = Pick<CallAnswer, 'key' | 'answer'> & { readonly needs_review?: boolean | undefined };

/**
 * The items that earlier calls have left open, so no one is asked again for an answer they gave.
 * Items that others depend on are asked again: they decide which others are relevant. All
 * items if the earlier answers leave no required question, because then some of them
 * were not good enough.
 */
export function openItems(items: readonly PlanItem[], earlierAnswers: readonly EarlierAnswer[]): PlanItem[] {
  const sure = earlierAnswers.filter(({ answer, needs_review }) => answer !== null && needs_review !== true);
  const known = new Set(sure.map(({ key }) => key));
  const askedAgain = new Set([...perCallKeys, ...items.flatMap(({ only_if }) => only_if?.key ?? [])]);
  const open = items.filter(({ key }) => !known.has(key) || askedAgain.has(key));
  return open.some(({ required, key }) => required && !known.has(key)) ? open : [...items];
}
