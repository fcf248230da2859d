import type { Sentence } from '../../language/text.ts';

/** The statuses that a claim is reported with. */
export type ClaimStatus =
  | 'paid'
  | 'partially paid'
  | 'approved'
  | 'denied'
  | 'pending'
  | 'received'
  | 'not on file'
  | 'closed'
  /** Decided, and nobody said how. */
  | 'processed';

/*
 * In order of weight: the first pattern that holds decides. "Received on the 3rd and pending" is pending, "denied, then
 * reprocessed and paid" is paid.
 */
const patterns: readonly { status: ClaimStatus; pattern: RegExp; unless?: RegExp }[] = [
  {
    status: 'not on file',
    pattern:
      /\b(?:no record of|not on file|nothing on file|(?:can't|cannot|couldn't|could not|not able to|don't|do not|unable to) (?:find|locate|see|have)(?: (?:a|an|any|the|that|this|such))*(?: \w+)? (?:claim|bill|record of)|(?:claim|it|that)(?: \w+)? (?:was|has|is) (?:never|not|n't) (?:been )?received|never (?:been )?received(?: (?:a|the|that|this|any))? ?(?:claim)?|(?:have|has)(?:n't| not) (?:yet )?received (?:a|the|that|this|any) claim|not in (?:our|the) system|(?:don't|do not) (?:see|show|have) (?:that|it|one|any claim|a claim))\b/,
  },
  {
    status: 'partially paid',
    pattern:
      /\b(?:partial(?:ly)? (?:paid|payment|approved|reimburs\w+)|paid (?:in part|partially|partly)|partly paid|paid part|part of (?:it|the claim) (?:was|has been|is) paid)\b|\b(?:lines?|charges?|services?|items?|portion)\b.*\bpaid\b.*\b(?:denied|not covered|rejected)\b|\b(?:lines?|charges?|services?|items?|portion)\b.*\b(?:denied|rejected)\b.*\b(?<!not )paid\b/,
  },
  {
    status: 'paid',
    pattern: /\b(?:denied|rejected|declined)\b.*\b(?:then|later|but|after|since|now)\b.*\bpaid\b/,
  },
  {
    status: 'denied',
    pattern:
      /\b(?:denied|denial|rejected|declined|disallowed|(?:not|wasn't|isn't) (?:been )?approved|non-?payable)\b/,
    unless:
      /\b(?:(?:not|wasn't|hasn't been|n't) (?:been )?(?:denied|rejected|declined)|denied[^.]*\b(?:reprocess|overturned|under (?:review|appeal)|in (?:review|appeal)|reopened)|if (?:it|the claim) is denied|in case of (?:a )?denial)\b/,
  },
  {
    status: 'approved',
    pattern: /\b(?:claim|it|that|this|one)(?:'s| is| was| has)(?: now| already| just)?(?: been)? approved\b/,
    unless:
      /\b(?:not|n't|never) (?:yet )?(?:been )?approved|\bpaid (?:on|out on|\$)|\b(?:was|were|been) (?:paid|issued|mailed)\b(?! yet)/,
  },
  {
    status: 'pending',
    pattern:
      /\b(?:pending|pended|in (?:process|progress|review)|(?:still |currently )?(?:processing|under review|being (?:processed|reviewed|worked|looked)|open|outstanding)|(?:not|n't|hasn't|has not) (?:yet )?(?:been )?(?:processed|finali[sz]ed|paid|completed|decided|reviewed)(?: yet)?|awaiting|on hold|suspended|waiting (?:for|on)|under (?:review|appeal)|reprocess\w*|reopened|in the queue|no decision)\b/,
    unless:
      /\b(?:was pending|no longer (?:pending|on hold)|paid\b.*\b(?:on hold|remaining|rest)|open (?:monday|until|from))\b/,
  },
  {
    status: 'approved',
    pattern:
      /\b(?:approved|will be paid|is being paid|scheduled (?:for payment|to be paid)|payment (?:is|will be) (?:scheduled|issued|sent|released)|to be paid|going to be paid)\b/,
    unless:
      /\b(?:has been|was|been|and|already) paid\b|\bpaid (?:on|out|in full)\b|\bpayment (?:was|has been|went)\b|\bpreapproved|approved amount\b/,
  },
  {
    status: 'paid',
    pattern:
      /\b(?:(?:has been|was|is|been|got|already|and|we|fully|it's|finali[sz]ed and) (?:fully )?paid|paid (?:on|out|in full|at|to|the|by|for|\$?\d[\d,.]*|in the amount)|payment (?:was|has been|of|went|for|in the amount) ?(?:issued|sent|made|out|released|mailed|\$?\d)?|(?:check|eft|deposit|money|funds) (?:was|has been|went|were|for)|(?:was|has been|were) (?:reimbursed|issued|mailed|disbursed)|reimbursed|status (?:is|shows|as)(?: as)? paid|^paid\b|shows? (?:as )?paid|settled|processed and paid|\$[\d,.]+ (?:was paid|went out|was sent|was issued|was mailed))\b/,
    unless:
      /\b(?:no|not|never|nothing|n't|without|neither)\b(?: \w+){0,3} (?:payments?|paid|been paid|reimbursed)\b|\bno (?:check|payment|money)\b|\bn't (?:yet )?(?:been )?paid\b/,
  },
  {
    status: 'closed',
    pattern:
      /\b(?:claim|case|it|file|that|this|one)(?:'s| is| was| has)?(?: been)? (?:closed|cancell?ed|voided|withdrawn)\b/,
  },
  {
    status: 'received',
    pattern:
      /\b(?:(?:shows?|showing|listed|status is|marked)(?: just| only)?(?: as)? received|(?:has been|was|been|is|we|we've|just|have) (?:just )?received|on file|in (?:our|the) system|logged|acknowledged|registered)\b/,
  },
];

/** What a reply says about the claim. Whole sentences count together, so that one about the denial outweighs one about receipt. */
export function findClaimStatus(
  sentences: readonly Sentence[],
  isAsked: boolean,
): { status: ClaimStatus; sentence: Sentence } | null {
  const statements = sentences.filter(({ isQuestion, plain }) => !isQuestion && !isAboutLater(plain));
  for (const { status, pattern, unless } of patterns) {
    for (const sentence of statements) {
      const { plain } = sentence;
      if (!pattern.test(plain) || unless?.test(plain) === true) continue;
      if (!isAsked && !isAboutClaim(plain)) continue;
      return { status, sentence };
    }
  }
  if (!isAsked) return null;
  const processed = statements.find(({ plain }) =>
    /\b(?:processed|finali[sz]ed|completed|adjudicated)\b/.test(plain),
  );
  return processed === undefined ? null : { status: 'processed', sentence: processed };
}

/** What will or would happen is no status: "once it is approved you will receive …". */
function isAboutLater(plain: string): boolean {
  return (
    /^(?:once|when|after|if|as soon as|until)\b/.test(plain) ||
    /\b(?:i can|let me|i'll) (?:check|see|look)\b/.test(plain)
  );
}

function isAboutClaim(plain: string): boolean {
  return /\b(?:claim|it|that|this|one|line|status|case|payment|we|check|bill|reimbursement)\b/.test(plain);
}
