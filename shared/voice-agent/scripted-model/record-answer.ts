import type { RecordedAnswer } from '../dialogue/dialogue-record.ts';
import { plainOf } from '../language/text.ts';
import type { PlanItem } from '../plan/call-plan.ts';
import { isRelevant } from '../plan/progress.ts';
import type { FoundAnswer } from './answers/reply.ts';
import type { TurnDraft } from './turn-draft.ts';

/** Writes the answer down, with what follows from it for the others. */
export function recordAnswer(draft: TurnDraft, found: FoundAnswer, turn: number): void {
  const answer = withoutMarks(found);
  // The patient's birthday, read back to us, is no date of theirs.
  const birth = draft.plan.facts.find(({ topic }) => topic === 'date-of-birth')?.value;
  if (answer.value !== null && answer.value === birth) return;
  draft.record({ ...answer, value: amountOf(draft, answer), turn });
  const met = draft.answers.get('deductible_met');
  if (answer.key === 'deductible' && met?.answer === 'fully met') {
    draft.record({ ...met, value: answer.value });
  }
  draft.memory.last_answered = answer.key;
  draft.memory.withheld = 0;
  draft.memory.held_back = false;
  draft.memory.stalled = 0;
  if (answer.key === 'person_name') draft.meet(answer.answer);
  dropIrrelevant(draft);
}

/** The answer without what only matters until it is written down. */
export function withoutMarks({
  isVague: _vague,
  isLoose: _loose,
  ...answer
}: FoundAnswer): Omit<RecordedAnswer, 'turn'> {
  return answer;
}

/** "All of it has been met" is as much as the deductible. */
function amountOf(
  draft: TurnDraft,
  { key, value }: Pick<FoundAnswer, 'key' | 'value'>,
): FoundAnswer['value'] {
  if (key !== 'deductible_met' || value !== true) return value;
  const deductible = draft.answers.get('deductible')?.value;
  return typeof deductible === 'number' ? deductible : null;
}

/** A corrected status can make an answer pointless that hung on the old one. */
function dropIrrelevant(draft: TurnDraft): void {
  for (const item of draft.plan.items) {
    if (item.only_if !== null && draft.answers.has(item.only_if.key) && !isRelevant(item, draft.answers)) {
      draft.retract(item.key);
    }
  }
}

/** Kinds of values by which a correction can be told from an answer. */
export const figureKinds: ReadonlySet<PlanItem['kind']> = new Set([
  'money',
  'percentage',
  'number',
  'phone-number',
  'identifier',
  'date',
]);

/** Words in place of a figure answer only when they say why there is none. */
export function isPlausible({ kind }: PlanItem, { value, quote }: RecordedAnswer): boolean {
  if (value !== null || !figureKinds.has(kind)) return true;
  const plain = plainOf(quote);
  if (kind === 'phone-number' || kind === 'identifier')
    return /\b(?:no|not|n't|none|same)\b|n't\b/.test(plain);
  return /\d|\b(?:depends?|varies|vary|free|none|no|not|nothing|waived|covered|insurance|between|about|around|few|several|couple|usually|up to)\b|n't\b/.test(
    plain,
  );
}
