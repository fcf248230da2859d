import type { CallPlan, PlanItem } from './call-plan.ts';

/** What has been found out for an item. */
export interface KnownAnswer {
  readonly value: string | number | boolean | null;
  /** The words contradict each other, or their value is not certain. */
  readonly needs_review?: boolean | undefined;
}

/** What has been found out, by the item's key. */
export type Answers = ReadonlyMap<string, KnownAnswer>;

/** Whether an item is of interest, given what is known so far. */
export function isRelevant({ only_if }: PlanItem, answers: Answers): boolean {
  if (only_if === null) return true;
  const value = answers.get(only_if.key)?.value ?? null;
  // An answer that is kept for review decides as little as none.
  return value === null ? only_if.while_open : only_if.values.some((wanted) => wanted === value);
}

/** Every required item that is of interest has an answer, and an appointment is booked and not only spoken of. */
export function isGoalReached({ items }: CallPlan, answers: Answers): boolean {
  return items
    .filter((item) => item.required && isRelevant(item, answers))
    .every(({ key }) => {
      const answer = answers.get(key);
      // What is kept for review was asked and answered; the result says that somebody should listen.
      if (answer === undefined) return false;
      return key !== 'booking_confirmed' || answer.value === true;
    });
}
