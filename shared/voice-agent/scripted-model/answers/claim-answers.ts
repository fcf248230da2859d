import { spokenDate } from '../../language/calendar.ts';
import { findDays } from '../../language/day-mentions.ts';
import { isGuess, isHedged } from '../../language/polarity.ts';
import type { PlanItem } from '../../plan/call-plan.ts';
import { clauseWith, contentWords, statementsOf } from '../statements.ts';
import { findClaimStatus } from './claim-status.ts';
import { answerFrom, type FoundAnswer, type Reply } from './reply.ts';
import { isGuessed, yesNoReply } from './yes-no-answers.ts';

export type DateKey = 'effective_date' | 'received_date' | 'processed_date' | 'payment_date';

const dateCues: readonly { key: DateKey | 'other'; pattern: RegExp }[] = [
  { key: 'effective_date', pattern: /\b(?:effective|since|active|began|in effect|start(?:ed|s)?)\b/g },
  {
    key: 'received_date',
    pattern: /\b(?:received|came in|got (?:it|the claim)|on file (?:since|as of)|arrived)\b/g,
  },
  {
    key: 'processed_date',
    pattern:
      /\b(?:processed|finali[sz]ed|adjudicated|completed|closed|decided|denied|approved|reviewed|as of)\b/g,
  },
  {
    key: 'payment_date',
    pattern:
      /\b(?:paid|payment(?: date)?|check|eft|issued|mailed|sent|deposited|released|went out|disbursed|cleared)\b/g,
  },
  {
    key: 'other',
    pattern:
      /\b(?:(?:check|payment|payout|pay) (?:runs?|cycles?|dates?)|services?|born|birth|expected|will be|by|until|through|before|within|deadline|appeal|seen|visit|terminat\w+|ended|expires?)\b/g,
  },
];

export function dateAnswer(reply: Reply, item: PlanItem, key: DateKey, isAsked: boolean): FoundAnswer | null {
  for (const sentence of reply.sentences) {
    if (sentence.isQuestion) continue;
    const { plain } = sentence;
    const days = findDays(plain, reply.today, 'past').filter((day) => day.first === day.last);
    for (const day of days) {
      const named = nearestCue(plain, day.start, day.end);
      // "Processed and paid on the 9th" may date the processing only; the payment is asked for by itself.
      const isDouble =
        named === 'payment_date' &&
        /\b(?:processed|finali[sz]ed|adjudicated) and (?:\w+ )?paid\b/.test(plain);
      const isStatus =
        named === 'payment_date' && /\bclaim (?:was|has been|is|shows?)(?: \w+){0,3} paid on\b/.test(plain);
      const owner = (isDouble || isStatus) && !isAsked ? 'processed_date' : named;
      const fits =
        owner === key ||
        (isAsked && (owner === null || (key === 'payment_date' && owner === 'processed_date')));
      if (fits) return answerFrom(item, sentence, spokenDate(day.first), day.first, isGuess(plain));
    }
    if (!isAsked) continue;
    const [first] = days;
    if (first !== undefined && days.length === 1) {
      return answerFrom(item, sentence, spokenDate(first.first), first.first, isGuess(plain));
    }
  }
  return null;
}

function nearestCue(plain: string, start: number, end: number): DateKey | 'other' | null {
  let best: { key: DateKey | 'other'; distance: number } | null = null;
  for (const { key, pattern } of dateCues) {
    for (const match of plain.matchAll(pattern)) {
      const cueEnd = match.index + match[0].length;
      const isBefore = cueEnd <= start;
      const gap = isBefore ? plain.slice(cueEnd, start) : plain.slice(end, match.index);
      if (!isBefore && match.index < end) continue;
      // A word after the day belongs to it only when nothing stands between.
      const distance = gap.length + (isBefore ? 0 : 12) + (/,|;|\band\b/.test(gap) ? 25 : 0);
      if (distance < 60 && (best === null || distance < best.distance)) best = { key, distance };
    }
  }
  return best?.key ?? null;
}

export function claimStatusAnswer(reply: Reply, item: PlanItem, isAsked: boolean): FoundAnswer | null {
  const found = findClaimStatus(reply.sentences, isAsked);
  if (found === null) return null;
  // "I see it here" finds the claim and says nothing of it yet.
  const isSaid =
    isAsked ||
    found.status !== 'received' ||
    /\b(?:received|came in|arrived|got (?:it|the claim))\b/.test(found.sentence.plain);
  if (!isSaid) return null;
  const isVague = found.status === 'processed' || isGuessed(found.sentence.plain);
  return answerFrom(item, found.sentence, found.status, found.status, isVague);
}

const unnamedDocuments =
  /\b(?:for|on|need|needs|missing|awaiting|requested) (?:some |more |additional |further |other |a few |the )*(?:records|information|info|documents?|documentation|paperwork|something|items?|things?|authorization|a signed)\b/;

/** "We don't need a thing", "there's nothing missing" */
const needsNothing =
  /\b(?:(?:do|does|did|will|are|is|were|was)(?: not|n't)|won't|not|never|no longer) (?:\w+ )?(?:need(?:ed|ing)?|requir(?:e|ed|ing)|missing|waiting (?:for|on)|awaiting|asking for|lacking) (?:a (?:single )?thing|anything|any\b(?: \w+)?|nothing|a document|more)\b|\bnothing(?:'s| is| was)? (?:at all )?(?:missing|needed|outstanding|required|lacking)\b|\b(?:we|i)(?:'ve| have)? (?:got|have|received) (?:everything|it all|all of it|all we need)\b|\bfile(?:'s| is) complete\b|\b(?:not a|nary a) (?:single )?thing\b|\b(?:it's|it is|everything's|that's|you're|we're|she's|he's|they're) (?:all )?(?:complete|all (?:good|set|here|there|done)|good to go)\b|\bgot all of it\b|\b(?:not|nothing) (?:that i see )?(?:on|from) (?:our|my|this|your) (?:end|side)\b/g;

const givesDenialReason = /\b(?:denied|denial|rejected)\b.*\b(?:because|since|due to|for|as)\b/;

/** What claims departments ask for. */
const documents =
  /\b(?:records?|notes?|letters?|forms?|bills?|invoices?|receipts?|statements?|itemized|authorizations?|referrals?|eobs?|explanation|documents?|documentation|cop(?:y|ies)|proof|reports?|charts?|x-?rays?|signatures?|w-?9|prescriptions?|orders?|superbills?|information|paperwork|images?|photos?|evidence|history|results?|card|certificate|medical necessity|coordination of benefits|corrected (?:claim|one|copy)|claim form|modifier|codes?|signed)\b/;

/** "Sixty days from the letter" */
const isDeadline = /\b\d+ (?:business |working |calendar )?(?:days?|weeks?|months?)\b/;

export function missingDocumentsAnswer(reply: Reply, item: PlanItem, isAsked: boolean): FoundAnswer | null {
  const nothing =
    /\b(?:nothing(?: else| more| further)?(?: is| that's| we're| we are| you)?\b|no(?:t)? (?:additional|further|other|more|missing|new|any)?\s?(?:documents?|documentation|information|records|paperwork|items?)|(?:don't|do not|doesn't|does not|won't) (?:need|require) (?:anything|any|more)|not (?:missing|waiting (?:for|on)) any|everything (?:is|has been|we need|looks|was)|(?:we )?have everything|all (?:the )?(?:documents|documentation|paperwork)[^.]{0,20}(?:received|here|there|complete|in\b)|we're all set|nothing)\b/;
  const something =
    /\b(?:missing|(?:still )?waiting (?:for|on)|awaiting|(?:still |also |just )?need(?:ed|s)? (?:the|a|an|your|his|her|their|to see|copies|some|additional|more|to (?:receive|have|get))|require[sd]? (?:the|a|an|additional|more)|(?:have|has|had)(?:n't| not)(?: yet)? (?:received|gotten|got|been (?:received|submitted|provided))|(?:requested|request for)|until we (?:receive|get|have)|not (?:yet )?(?:received|submitted|provided)|outstanding|(?:please |should |must |have to |can )(?:send|submit|provide|fax|mail|upload))\b/;
  for (const sentence of reply.sentences) {
    const plain = sentence.plain.replaceAll(needsNothing, 'nothing needed');
    if (sentence.isQuestion) continue;
    if (
      something.test(plain) &&
      !(nothing.test(plain) && !/\bexcept|but|other than\b/.test(plain)) &&
      !(/\b(?:denied|denial|rejected)\b/.test(plain) && !isAsked) &&
      !/\bclaim (?:was|is|has) (?:not|never)|not (?:see|find) (?:the|a|that|any) claim|no record of/.test(
        plain,
      )
    ) {
      const clause = clauseWith(sentence, something);
      // "Waiting on records" names no document yet.
      const isVague = !isAsked && unnamedDocuments.test(plain);
      return { key: item.key, answer: clause, value: true, quote: clause, isVague };
    }
    if (
      nothing.test(plain) &&
      !givesDenialReason.test(plain) &&
      (isAsked || /\b(?:missing|need|document|information|from (?:you|the|your))/.test(plain))
    ) {
      return answerFrom(item, sentence, 'nothing', false);
    }
  }
  if (!isAsked) return null;
  const short = yesNoReply(reply, item);
  if (short !== null && short.value === false) return { ...short, answer: 'nothing' };
  const [statement] = statementsOf(reply.sentences);
  if (
    short !== null &&
    statement !== undefined &&
    documents.test(statement.plain) &&
    contentWords(statement.plain.replace(/^yes,?/, '')).length >= 1
  ) {
    return answerFrom(item, statement, statement.text, true);
  }
  if (short !== null) return { ...short, isVague: true };
  // A name, a number or a time is no document.
  if (
    statement === undefined ||
    isDeadline.test(statement.plain) ||
    !documents.test(statement.plain) ||
    givesDenialReason.test(statement.plain)
  )
    return null;
  return { ...answerFrom(item, statement, statement.text, true, isHedged(statement.plain)), isLoose: true };
}
