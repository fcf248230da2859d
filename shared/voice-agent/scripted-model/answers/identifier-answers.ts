import { findDays } from '../../language/day-mentions.ts';
import { introducedName, nameInReply } from '../../language/names.ts';
import type { Sentence } from '../../language/text.ts';
import { findTimes } from '../../language/time-mentions.ts';
import { findIdentifiers, findMoney, findPercentages } from '../../language/values.ts';
import type { PlanItem } from '../../plan/call-plan.ts';
import { answerFrom, type FoundAnswer, type Reply } from './reply.ts';

export type IdentifierKey = 'reference_number' | 'confirmation_number' | 'payment_number';

const identifierCues: Record<IdentifierKey, RegExp> = {
  reference_number:
    /\b(?:(?:call |inquiry |case |ticket )?(?:reference|ref)|tracking|call id|ticket|inquiry|interaction|case number for this call|confirmation)\b/,
  confirmation_number:
    /\b(?:confirmation|booking|reference|appointment (?:number|id|code)|(?:the|your|her|his) number(?: is|'s)|, number|is yours|yours is)\b/,
  payment_number:
    /\b(?:check|eft|payment|trace|transaction|remittance|draft) (?:number|no\.?|id|#|reference|trace)/,
};

export function identifierAnswer(
  reply: Reply,
  item: PlanItem,
  key: IdentifierKey,
  isAsked: boolean,
): FoundAnswer | null {
  const { sentences } = reply;
  const cue = identifierCues[key];
  for (const [index, sentence] of sentences.entries()) {
    if (sentence.isQuestion && !cue.test(sentence.plain)) continue;
    const cueMatch = cue.exec(sentence.plain);
    // "The number is. R C 4 8": the pause of somebody who reads it out.
    const previousCued = cue.test(sentences[index - 1]?.plain ?? '') && cueMatch === null;
    if (cueMatch === null && !previousCued && !isAsked) continue;
    if ((cueMatch !== null || isAsked) && nameAsReference.test(sentence.plain)) {
      // Some insurers keep calls by the representative's name and the day.
      return answerFrom(item, sentence, sentence.text, null);
    }
    if (key !== 'payment_number' && identifierCues.payment_number.test(sentence.plain) && cueMatch === null)
      continue;
    const candidates = findIdentifiers(sentence.plain, sentence.text).filter((mention) =>
      isCode(sentence, mention, reply.today, isAsked || cueMatch !== null),
    );
    const chosen =
      candidates.find(({ start }) => cueMatch === null || start > cueMatch.index) ??
      candidates.findLast(() => true);
    if (chosen !== undefined) return answerFrom(item, sentence, chosen.identifier, chosen.identifier);
  }
  return null;
}

const nameAsReference =
  /\b(?:my|your|his|her|the rep(?:resentative)?'s) (?:first |last |full )?names?\b.*\b(?:date|today|day|initial)\b|\bname and (?:today's )?date\b/;

/** Numbers of other things: "P.O. Box 4410", "EFT 90336". */
const otherNumber =
  /\b(?:phone|fax|call us|toll|box|suite|room|zip|ext(?:ension)?|npi|policy|group)\b[^.;]*$/;

/** Not every number beside the word "reference" is one: dates, times, amounts and telephone numbers are not. */
function isCode(
  sentence: Sentence,
  { identifier, start, end }: { identifier: string; start: number; end: number },
  today: string,
  isExpected: boolean,
): boolean {
  const { plain } = sentence;
  const days = findDays(plain, today);
  const others = [...days, ...findTimes(plain, days), ...findMoney(plain), ...findPercentages(plain)].filter(
    (place) => place.end - place.start >= end - start,
  );
  if (others.some((place) => place.start < end && start < place.end)) return false;
  const digits = identifier.replaceAll(/\D/g, '');
  if (
    /^\d{3}-\d{3}-\d{4}$/.test(plain.slice(start, end)) ||
    otherNumber.test(plain.slice(Math.max(0, start - 25), start))
  )
    return false;
  if (digits.length === 10 && identifier === digits && /\b(?:fax|phone|telephone|call|dial)\b/.test(plain))
    return false;
  return isExpected ? identifier.length >= 3 : digits.length >= 4;
}

export function personAnswer(reply: Reply, item: PlanItem, isAsked: boolean): FoundAnswer | null {
  const name = isAsked ? (introducedName(reply.said) ?? nameInFirst(reply)) : introducedName(reply.said);
  if (name === null) return null;
  const sentence =
    reply.sentences.find(({ text }) => text.toLowerCase().includes(name.toLowerCase())) ?? reply.sentences[0];
  return sentence === undefined ? null : answerFrom(item, sentence, name, name);
}

function nameInFirst(reply: Reply): string | null {
  for (const { text } of reply.sentences) {
    const name = nameInReply(text);
    if (name !== null) return name;
  }
  return null;
}
