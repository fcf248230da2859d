import { openingPolarity } from '../../language/polarity.ts';
import type { PlanItem } from '../../plan/call-plan.ts';
import { statementsOf } from '../statements.ts';
import { answerFrom, type FoundAnswer, type Reply } from './reply.ts';

/** "I can check whether it is required" settles nothing. */
export const unsettled =
  /\b(?:whether|check if|see if|let me (?:check|see)|i can (?:check|tell)|if it(?:'s| is)? (?:required|needed|active|covered))\b/;

export const conditional =
  /\b(?:only (?:if|when|for|after)|depends|depending|unless|except|in some cases|sometimes|for some|not always|it varies|certain|may be|might|for the first|after (?:that|the first|\d)|up to \d+|beyond)\b/;

/** A "yes" or "no", alone or at the beginning of a sentence. */
export function yesNoReply(reply: Reply, item: PlanItem): FoundAnswer | null {
  const statements = statementsOf(reply.sentences);
  for (const sentence of reply.sentences) {
    if (sentence.isQuestion) continue;
    // "Yes, of course. We don't take that": the courtesy answers that we asked at all.
    const isCourtesy = courtesy.test(sentence.plain) && !statements.includes(sentence);
    if (isCourtesy && statements.length > 0) continue;
    if (isOnlyWillingness(sentence.plain) || unsettled.test(sentence.plain)) continue;
    const polarity = openingPolarity(sentence.plain);
    if (polarity === null) continue;
    const isVague = conditional.test(sentence.plain) || isGuessed(sentence.plain);
    return answerFrom(item, sentence, polarity === 'yes' ? 'Yes' : 'No', polarity === 'yes', isVague);
  }
  return null;
}

const courtesy = /\b(?:of course|sure|certainly|absolutely|no problem|definitely|happy to|glad to)\b/;

/** "Sure, I can help with that" agrees to talk, not to what was asked. */
function isOnlyWillingness(plain: string): boolean {
  if (givesLeave(plain)) return true;
  return (
    /\b(?:help|assist|go ahead|check(?!-)|look|hold|moment|second|what (?:is|would|do)|with that|ask|question|pull|see what)\b/.test(
      plain,
    ) &&
    !/\b(?:is|are|does|do|has|have|accept|take|offer|need|require|cover|active|in)\b.*\b(?:yes|no|required|active|covered|network)\b/.test(
      plain,
    ) &&
    plain.length < 90
  );
}

export function isGuessed(plain: string): boolean {
  return /\b(?:i think|i believe|i guess|maybe|probably|should be|i'm not sure|not (?:entirely|completely|100))\b/.test(
    plain,
  );
}

/** "Certainly you may": leave to ask is no answer. */
export function givesLeave(plain: string): boolean {
  return /^(?:yes,? )?(?:of course|sure|certainly|absolutely),? (?:i|we|you) (?:can|may|will|could|do)\b.{0,12}$/.test(
    plain,
  );
}
