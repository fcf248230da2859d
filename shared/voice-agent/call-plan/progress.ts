import type { CallPlan, PlanItem } from './call-plan.ts';

/** The findings for an item. */
export interface KnownAnswer {
  readonly value: string | number | boolean | null;
  /** The words contradict each other, or their value is uncertain. */
  readonly needs_review?: boolean | undefined;
}

/** The findings, by item key. */
export type Answers = ReadonlyMap<string, KnownAnswer>;

/** Whether an item is relevant, given the findings so far: a copay only if the service is covered by an active plan. */
export function isRelevant(
  { only_if }: PlanItem,
  answers: Answers,
  { items }: Pick<CallPlan, 'items'>,
): boolean {
  if (only_if === null) return true;
  const condition = items.find(({ key }) => key === only_if.key);
  if (condition !== undefined && !isRelevant(condition, answers, { items })) return false;
  const value = answers.get(only_if.key)?.value ?? null;
  // An answer kept for review decides no more than a missing one.
  return value === null ? only_if.while_open : only_if.values.some((wanted) => wanted === value);
}

/** Every relevant required item has an answer, and an appointment is booked, not just discussed. */
export function isGoalReached({ items }: CallPlan, answers: Answers): boolean {
  return items
    .filter((item) => item.required && isRelevant(item, answers, { items }))
    .every(({ key }) => {
      const answer = answers.get(key);
      // An answer kept for review was asked and answered; the result asks for a review.
      if (answer === undefined) return false;
      return key !== 'booking_confirmed' || answer.value === true;
    });
}
