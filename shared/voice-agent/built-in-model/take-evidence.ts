import type { FactTopic, PlanItem } from '../call-plan/call-plan.ts';
import type { Evidence } from '../core/clause-value.ts';
import { evidenceIn } from '../core/evidence.ts';
import { isWithheld, withholds } from '../core/obstacles.ts';
import type { Heard } from '../understanding/understand.ts';
import { wantsUntold } from './facts-asked.ts';
import { bare, leastSureYesNo, settle } from './settle-answer.ts';
import type { TurnDraft } from './turn-draft.ts';
import { noteForReadBack } from './value-read-back.ts';

/* Which evidence counts: what somebody who withholds, repeats or has found nobody says is none. */

/** Records what the words say about the items, asked or not, and returns all of that evidence. */
export function takeEvidence(
  draft: TurnDraft,
  heard: Heard,
  asked: PlanItem | null,
  /** The words reply to a read-back, so a correction applies to that value only. */
  wasReadBack = false,
): readonly Evidence[] {
  const yesNo = asked?.kind === 'yes-no' ? asked.question : null;
  const isWanting = yesNo !== null && wantsUntold(draft, heard);
  const found = evidenceIn(heard, draft.plan, asked, [...draft.answers.values()]);
  const isUntold = asked?.kind === 'claim-status' && withholds(heard);
  for (const evidence of found) {
    if (isUntold && evidence.isAsked && evidence.value === null) continue;
    const isNone = isWanting || (yesNo !== null && isWithheld(heard, yesNo, evidence.quote));
    if (isNone && evidence.isAsked && evidence.confidence < leastSureYesNo) continue;
    if (evidence.value === false && isNotFound(draft)) continue;
    if ((evidence.isAsked && isOldNews(draft, asked, heard)) || (wasReadBack && evidence.corrects)) continue;
    const item = draft.item(evidence.key);
    const putsRight = evidence.corrects && draft.answers.has(evidence.key);
    if (item === undefined || !(evidence.isAsked || putsRight || mayBeKnown(draft, item))) continue;
    settle(draft, item, evidence, heard);
    const isTaken = draft.answers.get(item.key)?.turn === evidence.turn && evidence.value !== null;
    if (isTaken && evidence.isAsked) noteForReadBack(draft, item, evidence, heard);
  }
  return found;
}

/** "Like I said, after the first visit": their reply to another question does not answer a new one in words. */
function isOldNews({ memory, view }: TurnDraft, asked: PlanItem | null, { said }: Heard): boolean {
  if (asked?.kind !== 'text' || (memory.attempts[asked.key] ?? 0) > 1) return false;
  return view.earlier.some(
    (prompt) => prompt.split(' ').length >= leastRepeated && bare(said).includes(bare(prompt)),
  );
}

const leastRepeated = 4;

/** "She isn't with us": a person who cannot find a member, and says nothing of them since, denies nothing of them. */
function isNotFound({ memory, answers }: TurnDraft): boolean {
  const tellsOfThem = [...answers.values()].some(({ value }) => value !== null && value !== false);
  return (memory.obstacles.member_not_found ?? 0) > 0 && !tellsOfThem;
}

/** A person who keeps many records volunteers nothing before they know whose it is. */
function mayBeKnown({ plan, view }: TurnDraft, { required }: PlanItem): boolean {
  const keepsFiles = plan.callee === 'insurer' || plan.callee === 'claims-department';
  return !required || !keepsFiles || knowsPatient({ plan, view });
}

export function knowsPatient({ plan, view }: Pick<TurnDraft, 'plan' | 'view'>): boolean {
  return plan.facts.some(({ field, topic }) => identifying.has(topic) && view.told.includes(field));
}

const identifying: ReadonlySet<FactTopic> = new Set([
  'patient-name',
  'first-name',
  'last-name',
  'date-of-birth',
  'phone',
  'address',
  'member-id',
  'subscriber',
  'claim-number',
  'bill-number',
]);
