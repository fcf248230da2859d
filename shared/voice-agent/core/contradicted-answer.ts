import type { CallPlan, PlanItem } from '../call-plan/call-plan.ts';
import { expectedTypes } from '../call-plan/item-values.ts';
import type { RecordedAnswer } from '../dialogue/dialogue-record.ts';
import { understand } from '../understanding/understand.ts';
import { directionOf } from './direction.ts';
import { evidenceIn } from './evidence.ts';

/* What a language model took from a quote, beside what the core is sure that the quote says. */

/**
 * The answer, or their words for review: "For out-of-network you need the auth", recorded as a no.
 *
 * @param said the whole prompt with the quote
 */
export function unlessContradicted(
  answer: RecordedAnswer,
  said: string,
  { plan, today }: { readonly plan: CallPlan; readonly today: string },
): RecordedAnswer {
  const { key, value, quote, turn } = answer;
  const item = plan.items.find((one) => one.key === key);
  if (item === undefined || value === null || !certain.has(item.kind)) return answer;
  const heard = understand(said, turn, {
    today,
    after: item.kind === 'yes-no' ? 'yes-no-question' : 'question',
    direction: directionOf(plan, item),
    expecting: expectedTypes(item.kind),
  });
  const sure = [item, null]
    .flatMap((asked) => evidenceIn(heard, plan, asked))
    .filter((found) => found.key === key && found.value !== null && found.confidence >= leastSure)
    .filter((found) => quote.includes(found.quote) || found.quote.includes(quote));
  const isContradicted = sure.length > 0 && !sure.some((found) => found.value === value);
  return isContradicted ? { ...answer, value: null, answer: quote, needs_review: true } : answer;
}

const leastSure = 0.8;
const certain: ReadonlySet<PlanItem['kind']> = new Set(['yes-no', 'claim-status', 'percentage']);
