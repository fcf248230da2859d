import type { RecordedAnswer } from '../dialogue/dialogue-record.ts';
import { spokenDate } from '../language/calendar.ts';
import { spelledIdentifier, spokenPhoneNumber } from '../language/speech.ts';
import { plainOf } from '../language/text.ts';
import { writtenMoney } from '../language/values.ts';
import type { PlanItem } from '../plan/call-plan.ts';
import { answerQuestions } from './fact-answers.ts';
import { findAnswers } from './find-answers.ts';
import { recordAnswer } from './record-answer.ts';
import { repeatLast, sayWaiting, wantsRepetition } from './side-talk.ts';
import type { TurnDraft } from './turn-draft.ts';
import type { Heard } from './understanding.ts';

/**
 * The figure that came last is read back before the call ends: whoever misread it has no other occasion to put it right.
 */
export function readLastBack(draft: TurnDraft, heard: Heard | null): boolean {
  const { memory } = draft;
  const key = memory.last_answered;
  const item = key === null ? undefined : draft.item(key);
  const answer = key === null ? undefined : draft.answers.get(key);
  const isFresh = heard !== null && answer?.turn === heard.turn;
  if (item === undefined || answer === undefined || !isFresh || memory.read_back) return false;
  const spoken = readable(item, answer);
  if (spoken === null || heard.signals.has('goodbye')) return false;
  memory.read_back = true;
  memory.pending = readBackKey;
  draft.say(`Thank you. Let me read that back: ${spoken}. Is that right?`);
  return true;
}

/** Stands for the item that was read back while its confirmation is awaited. */
export const readBackKey = 'read-back';

/** After the read-back: right, or put right. */
export function settleReadBack(draft: TurnDraft, heard: Heard): void {
  const key = draft.memory.last_answered;
  const item = key === null ? null : (draft.item(key) ?? null);
  draft.memory.pending = null;
  if (heard.questions.length > 0) {
    answerQuestions(draft, heard.questions);
    draft.memory.pending = readBackKey;
    return;
  }
  const isRight = heard.polarity === 'yes' && !heard.isCorrection;
  const putsRight =
    heard.polarity === 'no' ||
    heard.isCorrection ||
    heard.sentences.some(({ plain }) => /^(?:it's|it is|that's|it should be|should be)\b/.test(plain));
  const corrected =
    item === null || isRight || !putsRight
      ? undefined
      : findAnswers(heard.reply, draft.plan, item).find(
          (found) => found.key === key && found.value !== null && /\d/.test(plainOf(found.quote)),
        );
  if (corrected !== undefined && corrected.value !== draft.answers.get(corrected.key)?.value) {
    recordAnswer(draft, corrected, heard.turn);
  } else if (
    heard.polarity === 'no' &&
    corrected === undefined &&
    item !== null &&
    !draft.memory.closed.includes(item.key)
  ) {
    draft.memory.closed.push(item.key);
    draft.memory.pending = item.key;
    draft.say(`I'm sorry. ${item.rephrase}`, item.discloses);
    return;
  } else if (heard.endsInHold || wantsRepetition(heard)) {
    draft.memory.pending = readBackKey;
    if (heard.endsInHold) sayWaiting(draft);
    else repeatLast(draft);
    return;
  }
  draft.end('finished', 'thanks');
}

/** A figure as it is read back; null for what is no figure. */
export function readable({ kind, question }: PlanItem, { value }: RecordedAnswer): string | null {
  switch (kind) {
    case 'identifier':
      return typeof value === 'string' ? spelledIdentifier(value) : null;
    case 'phone-number':
      return typeof value === 'string' ? spokenPhoneNumber(value) : null;
    case 'money':
      return typeof value === 'number' && value > 0 ? writtenMoney(value) : null;
    case 'number':
    case 'percentage':
      return typeof value === 'number'
        ? `${value}${kind === 'percentage' ? ' percent' : unitIn(question)}`
        : null;
    case 'date':
      return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? spokenDate(value) : null;
    case 'yes-no':
    case 'date-time':
    case 'name':
    case 'claim-status':
    case 'text':
      return null;
  }
}

/** What a "how many" question counts, to say the number with. */
function unitIn(question: string): string {
  const unit = /\bhow many ((?:\w+ )?(?:minutes|hours|days|weeks|months|years|visits|sessions))\b/i.exec(
    question,
  )?.[1];
  return unit === undefined ? '' : ` ${unit}`;
}
