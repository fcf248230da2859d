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
 * What people say in place of the words that the patterns below know, by meaning. In order: what is denied comes first,
 * so that "nobody's paid or denied it" leaves neither word behind.
 */
const nobody = "(?:not|nobody|no ?one|never|nothing|neither|[a-z]+n't)";
const between = "(?:'s| has| have| was| is| actually| really| even| ever| been| yet| anything| it| that)*";
const decision =
  '(?:paid|denied|approved|rejected|declined|decided|turned (?:it |that )?down|okayed)(?: it| that| on it)?';
const wordings: readonly { pattern: RegExp; means: string }[] = [
  // Slips of speech recognition.
  { pattern: /\bthrew\b(?! (?:it|that|out|the|up|away))/g, means: 'through' },
  { pattern: /\bpayed\b/g, means: 'paid' },
  { pattern: /\bcheque\b/g, means: 'check' },
  // Not decided yet.
  {
    pattern: new RegExp(`\\b${nobody}${between} ${decision},? (?:n?or|and) (?:been |not )?${decision}`, 'g'),
    means: 'no decision',
  },
  {
    pattern: new RegExp(
      `\\b${nobody}${between} (?:decided|finished|gotten to|got to|touched|looked at|made (?:up their minds?|a (?:decision|call|determination)))\\b|\\bundecided\\b|\\bnothing to appeal\\b|\\bup in the air\\b|\\bin limbo\\b`,
      'g',
    ),
    means: 'no decision',
  },
  {
    pattern: new RegExp(`\\b${nobody}${between} (?:gone|went|go|made it) through yet\\b`, 'g'),
    means: 'no decision',
  },
  {
    pattern: /\b(?:has not|hasn't|have not|haven't|not) (?:yet )?(?:gone|made it) through\b/g,
    means: 'no decision',
  },
  {
    pattern:
      /\b(?:(?:sitting|sits|stuck|waiting|still) (?:there |over there )?(?:in|with|on) (?:\w+ )?(?:review|desk|examiners?|nurses?|adjusters?|auditors?|queue|pile|line)|with (?:the|an|our) (?:\w+ )?(?:examiners?|adjusters?|nurses?|reviewers?|auditors?)|(?:still|being|they're|we're|are|is|currently) (?:being |just |still )?(?:looking|looked|worked|working) (?:at|on|over|into)(?: it| that)?|in the (?:works|pipeline|review pile))\b/g,
    means: 'in review',
  },
  // "Nobody's denied it", "we're not waiting on a thing": says only what is not.
  {
    pattern: new RegExp(
      `\\b${nobody}${between} (?:denied|denying|rejected|declined|turned (?:it |that )?down|kicked (?:it )?back|bounced|pending|waiting (?:on|for)|on hold)\\b`,
      'g',
    ),
    means: '·',
  },
  // Denied.
  {
    pattern:
      /\b(?:(?:got|was|were|been|is|they|we|and|it) (?:kicked|sent|thrown|tossed|spit) (?:it |that )?(?:right )?(?:back|out)(?! (?:the|a|an|your|her|his|payment|check|to (?:her|him|you))\b)|(?:got |was |were |been |is )?(?:turned|shot|struck|knocked) (?:it |that |this |the claim )?down(?! the\b)|(?<!\bcheck )(?:bounced|bounced back)|(?:they|the plan|it|we|the reviewer|medical review) (?:said|say|says|came back) (?:a )?no\b|(?:didn't|did not) (?:\w+ )?(?:pay|go through|get paid|make it through|pass|qualify)\b(?! yet)(?: out)?(?: on)?)\b/g,
    means: 'denied',
  },
  // Approved, and not paid.
  {
    pattern:
      /\b(?:(?:gave|given|give|got|gets|has) (?:it |that |that one |this one )?(?:the|a|an|its) (?:okay|ok|o\.k\.?|go-?ahead|green light|thumbs up|nod|all clear)|(?:been |was |got |is |it's )?(?:okay'?ed|ok'?d|o\.k\.'?d|green-?lit|greenlighted)|signed off on(?: it| that)?)/g,
    means: 'it was approved',
  },
  {
    pattern:
      /\b(?:money|check|payment|funds?|deposit|it)(?: itself| just)? (?:hasn't|has not|haven't|have not|isn't|is not|didn't|did not)(?: yet| even| actually)?(?: been)? (?:gone out|go out|left|been cut|cut|mailed|sent|issued|released|out)\b(?: yet| though)?/g,
    means: 'payment is scheduled',
  },
  // Paid.
  {
    pattern:
      /\b(?:(?:it|that|this|one|claim|and|which|already|all|just|payment|money|deposit)(?:'s| has| had)?(?: all| already| just)? (?:went|gone|got|made it|sailed|come|came) (?:right |straight |all )?through\b(?! (?:my|the|your|her|his|to|a)\b)|^(?:went|gone) through\b)/g,
    means: 'it was paid',
  },
  {
    pattern:
      /\b(?:(?:we|they|i|somebody)(?:'ve| have|'d)?(?: already| just)? (?:cut|mailed|sent|issued|wrote|released|put)(?: out)? (?:the|a|that|her|his|their|you|them|out)(?: \w+)? ?(?:checks?|payments?|money|deposit|funds?)|(?:check|payment|money|deposit|funds?)(?: \w+)? (?:got|was|were|has been|have been|is|are|been) (?:cut|mailed|sent|issued|released|put out|wired|deposited|direct deposited)|(?:check|payment|money|deposit|funds?)(?:'s| has| is)? (?:already )?(?:gone out|went out|in the mail|on its way))\b/g,
    means: 'payment was sent',
  },
  // Not here, or just here.
  {
    pattern:
      /\b(?:nothing(?:'s| is)?(?: even)? (?:coming|came|comes|pulling|showing|popping) up|(?:(?:it|that|claim|number)(?:'s| is)?|is|are) not (?:coming|pulling|showing|popping) up|(?:got|have|found|find|see|seeing|show|showing|getting) (?:nothing|zero|nada) (?:under|for|with|on|by)\b|(?:we )?never (?:got|received|saw) it\b|(?:we )?never (?:got|received|saw) (?:that|the|a|any|such a)(?: \w+)? ?claim)\b/g,
    means: 'not on file',
  },
  {
    pattern:
      /\b(?:it|that|claim|one)(?:'s| has| is)?(?: only| just)? (?:came in|come in|got here|arrived|landed|here)(?: the door)?\b(?! (?:and|as|on) (?:paid|denied))/g,
    means: 'it was received',
  },
  {
    pattern: /\b(?:it|that|that one|check|payment|money|deposit)(?:'s| has| have| already)* cleared\b/g,
    means: 'it was paid',
  },
  {
    // "That one paid."
    pattern:
      /\b(?:it|that|that one|this one|one|claim) (?:did |already |has )?paid\b(?! (?:zero|nothing|at zero|\$?0\b|some|part|half|most|a p))/g,
    means: 'it was paid',
  },
  {
    pattern: /\bpaid (?:some|a part|a portion|only part|half|most) of (?:it|that|the)\b/g,
    means: 'partially paid',
  },
];

/** Whether words say that nothing has been decided, or not against the patient. */
export function saysUndecided(plain: string): boolean {
  return /\bno decision\b|·/.test(inPlainWords(plain));
}

/** The words of a sentence with everyday wordings as the words that the patterns know. */
function inPlainWords(plain: string): string {
  return wordings.reduce((words, { pattern, means }) => words.replaceAll(pattern, means), plain);
}

/*
 * In order of weight: the first pattern that holds decides. "Received on the 3rd and pending" is pending, "denied, then
 * reprocessed and paid" is paid.
 */
const patterns: readonly { status: ClaimStatus; pattern: RegExp; unless?: RegExp }[] = [
  {
    status: 'not on file',
    pattern:
      /\b(?:no record of|not on file|nothing on file|(?:can't|cannot|couldn't|could not|not able to|don't|do not|unable to) (?:find|locate|see|have)(?: (?:a|an|any|the|that|this|such))*(?: (?!itemi[sz]ed|hospital|final)\w+)? (?:claim|bill|record of)|(?:claim|it|that)(?: \w+)? (?:was|has|is) (?:never|not|n't) (?:been )?received|never (?:been )?received(?: (?:a|the|that|this|any))? ?(?:claim)?|(?:have|has)(?:n't| not) (?:yet )?received (?:a|the|that|this|any) claim|not in (?:our|the) system|(?:don't|do not) (?:see|show|have) (?:that|it|one|any claim|a claim))\b/,
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
    // Received, and that is all.
    status: 'received',
    pattern: /\breceived\b.*\bno decision\b/,
    unless: /\b(?:pending|pended|in (?:process|progress|review)|processing|under review|on hold|waiting)\b/,
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
    // "No auth on file" is said of the authorization.
    unless:
      /\b(?:no|without|auth\w*|referrals?|records?|notes?|documents?|consent|release)\b[^,.;]{0,30}\bon file\b/,
  },
];

/** What a reply says about the claim. Whole sentences count together, so that one about the denial outweighs one about receipt. */
export function findClaimStatus(
  sentences: readonly Sentence[],
  isAsked: boolean,
): { status: ClaimStatus; sentence: Sentence } | null {
  const statements = sinceTurn(
    sentences
      .filter(({ isQuestion, plain }) => !isQuestion && !isAboutLater(plain))
      .map((sentence) => ({ sentence, plain: inPlainWords(sentence.plain) })),
  );
  for (const { status, pattern, unless } of patterns) {
    for (const { sentence, plain } of statements) {
      if (!pattern.test(plain) || unless?.test(plain) === true) continue;
      if (isOfSomethingElse(plain) || (!isAsked && !isAboutClaim(plain))) continue;
      return { status, sentence };
    }
  }
  if (!isAsked) return null;
  const processed = statements.find(
    ({ plain }) =>
      /\b(?:processed|finali[sz]ed|completed|adjudicated)\b/.test(plain) && !isOfSomethingElse(plain),
  );
  return processed === undefined ? null : { status: 'processed', sentence: processed.sentence };
}

interface Worded {
  readonly sentence: Sentence;
  readonly plain: string;
}

/** "It was denied. Then they reversed it and paid.": from where the story turns, if a status follows. */
function sinceTurn(statements: readonly Worded[]): readonly Worded[] {
  const turn = statements.findLastIndex(
    ({ plain }) =>
      /^(?:(?:and|but|so|well)[, ]+)*(?:then\b|since then|later|after that|afterwards|in the end|finally|on appeal|now\b)/.test(
        plain,
      ) && patterns.some(({ pattern, unless }) => pattern.test(plain) && unless?.test(plain) !== true),
  );
  return turn === -1 ? statements : statements.slice(turn);
}

/** What will or would happen is no status: "once it is approved you will receive …". */
function isAboutLater(plain: string): boolean {
  return (
    /^(?:once|when|after|if|as soon as|until)\b/.test(plain) ||
    /\b(?:let me|i'll) (?:check|see|look)\b|\bi can (?:check|look|see (?:if|whether|what|how|about|the status))\b/.test(
      plain,
    )
  );
}

function isAboutClaim(plain: string): boolean {
  return (
    /\b(?:claim|it|that|this|one|line|status|case|payment|we|check|bill|reimbursement|they (?:have |just |already )?(?:paid|denied|approved|rejected))\b/.test(
      plain,
    ) ||
    // "Turned down on the ninth."
    /^(?:(?:yeah|yes|yep|so|okay|looks like|looks|says|shows?|and|well|oh|just|still)[, ]+)*(?:was |got |been )?(?:denied|paid|pending|approved|closed|received|in (?:process|progress|review)|no decision|not on file|partially)\b/.test(
      plain,
    )
  );
}

const namesClaim = /\b(?:claim|check|payment|reimbursement|bill|line|it|that one|this one)\b/;
const otherThings =
  /\b(?:fax(?:es)?|e-?mails?|messages?|calls?|radio|systems?|computers?|screens?|network|member|patient|she(?:'s)?|he(?:'s)?|her|him|provider|password|(?:logged|logging|signed|kicked|locked) (?:me|us|her|him))\b/;

/** "She's in the system", "it has logged me out", "we received your fax": said of something else. */
function isOfSomethingElse(plain: string): boolean {
  return (
    /\b(?:logged|logging|signed|kicked|locked|booted) (?:me|us)\b|\b(?:she|he|patient|member|you)(?:'s| has| have)?(?: already)? paid\b/.test(
      plain,
    ) ||
    (otherThings.test(plain) && !namesClaim.test(plain))
  );
}
