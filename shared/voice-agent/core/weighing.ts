import type { CallPlan } from '../call-plan/call-plan.ts';
import { tokenize } from '../entities/tokens.ts';
import words from '../language/en-US/cue-words.json' with { type: 'json' };
import { plain } from './clause-value.ts';
import type { Evidence } from './evidence.ts';

/* Which of several pieces of evidence stands. */

/** One piece of evidence for each item: the correction, else the surest; two that contradict each other are unsure. */
export function perItem(found: readonly Evidence[], plan: CallPlan): Evidence[] {
  const groups = Map.groupBy(found, ({ key }) => key);
  return [...groups].flatMap(([key, group]) => {
    const kind = plan.items.find((item) => item.key === key)?.kind;
    if (kind === 'text' || group.length === 1) return group;
    const decided = group.filter((one) => !leavesOpen(one));
    if (decided.length > 0 && decided.length < group.length) return perItem(decided, plan);
    const share = kind === 'percentage' ? patientShare(group) : undefined;
    if (share !== undefined) return [share];
    const corrected = group.findLast(({ corrects, value }) => corrects && value !== null);
    if (corrected !== undefined) return [corrected];
    const concluding = group.findLast(({ quote, value }) => value !== null && concludes(quote));
    if (concluding !== undefined && kind !== 'yes-no') return [concluding];
    const surest = Math.max(...group.map(({ confidence }) => confidence));
    // Of values that are about as sure, the first is the one that was asked for.
    const best = group.find(({ confidence }) => confidence > surest - 0.15);
    if (best === undefined) return [];
    const isYesNo = typeof best.value === 'boolean';
    const hasRival = group.some(
      ({ value, confidence }) => value !== best.value && value !== null && confidence > surest - 0.2,
    );
    return [hasRival ? { ...best, confidence: best.confidence * (isYesNo ? 0.5 : 0.58) } : best];
  });
}

/** What is also said of a claim that was paid or denied: that it came in, was worked on, is closed. */
export function leavesOpen({ key, value }: Pick<Evidence, 'key' | 'value'>): boolean {
  return key === 'claim_status' && open.has(value);
}

const open: ReadonlySet<Evidence['value']> = new Set(['received', 'processed', 'closed']);

/** "…, so for hers it's fifty-five": of several values the one that is said to be the patient's. */
export function concludes(quote: string): boolean {
  const said = plain(tokenize(quote)).split(' ');
  return said.some((word) => conclusionWords.has(word));
}

const conclusionWords = new Set(words.conclusion.split(' '));

/** "We pay eighty, she pays twenty": two shares of one whole, of which the patient's is the smaller. */
function patientShare(group: readonly Evidence[]): Evidence | undefined {
  const [one, other] = group;
  const isWhole = group.length === 2 && Number(one?.value) + Number(other?.value) === 100;
  return isWhole ? group.toSorted((a, b) => Number(a.value) - Number(b.value))[0] : undefined;
}
