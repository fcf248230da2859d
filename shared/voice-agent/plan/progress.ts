import type { RecordedAnswer } from '../dialogue/dialogue-record.ts';
import type { CallPlan, PlanItem } from './call-plan.ts';

/** What has been found out, by the item's key. */
export type Answers = ReadonlyMap<string, RecordedAnswer>;

/** Whether an item is of interest, given what is known so far. */
export function isRelevant(
  item: PlanItem,
  answers: ReadonlyMap<string, Pick<RecordedAnswer, 'value'>>,
): boolean {
  if (item.only_if === null) return true;
  const { key, values, while_open: whileOpen } = item.only_if;
  const answer = answers.get(key);
  return answer === undefined ? whileOpen : values.some((wanted) => wanted === answer.value);
}

/** Every required item that is of interest was answered, and an appointment is booked and not only spoken of. */
export function isGoalReached(plan: CallPlan, answers: Answers): boolean {
  return plan.items
    .filter((item) => item.required && isRelevant(item, answers))
    .every((item) => {
      const answer = answers.get(item.key);
      return answer !== undefined && (item.key !== 'booking_confirmed' || answer.value === true);
    });
}
