/*
 * Speech recognition does not always write punctuation: "thank you one moment okay i found her what do you need". People
 * breathe between clauses, and clauses begin with few kinds of words, so the places can be found again.
 */

/** Words after which what looks like the beginning of a clause belongs to the one before: "i see that she has …". */
const subordinating =
  '(?:if|that|because|tell you|show you|give you|send you|ask you|help you|let you know|since|when|whenever|until|till|unless|whether|which|who|whom|what|where|how|why|as|once|after|before|while|for|than|think|believe|see|know|sure|shows?|showing|says?|saying|said|mean|means|guess|hope|afraid|sorry|like|of|to|with|on|in|at|by|from|about|tell|me|ask|check|wonder|see|say|find|out|depends|exactly|just|only|not|the|a|an|my|your|our|his|her|their|this|and|or|but|so|much|many|long|soon|often|everything|anything|all|one|thing|time|day|way|ones|times|days|something|nothing|else|now|then|also|well|and then|whatever|wherever|something|anyone|someone|everyone|understand|looks|seems|earliest|soonest|latest|first|next|best|available|opening|openings|slot|slots|appointment|appointments|option|options|morning|afternoon|can|could|would|will|should|shall|may|might|do|does|did|is|are|was|were|has|have|had)';

const afterSubordinating = `(?<!\\b${subordinating} )`;
const lead =
  '(?:(?:and|so|but|okay|ok|or|alright|all right|now|then|well|also|great|perfect|thanks|sorry|hi|hello|hey|oh|yes|yeah|no|sure|excuse me|thank you) )*';

const person =
  '(?:i|we|you|he|she|they|it|that|this|there|the patient|the member|either|any|those|these|one)';
const auxiliary =
  "(?:is|are|was|were|do|does|did|has|have|had|will|would|could|can|should|shall|may|might|isn't|aren't|don't|doesn't|didn't|hasn't|haven't|won't|wouldn't|couldn't|can't|shouldn't)";
const asking =
  "(?:(?:what|which|whose) (?:[a-z']+ ){1,3}?(?:do|does|did|is|are|was|would|can|could|should|will)(?= (?:i|you|we|he|she|they|it|that|this|the)\\b)|what(?:'s| is| are| was| were| time| day| days| kind| type| sort| insurance| name| else| about| did| do| does| can| would| will| may| seems| brings| number| date| code| codes| service| procedure| plan)?|when(?:'s| is| was| were| would| does| did| do| can| will)|where(?:'s| is| are| do| did| should)|who(?:'s| is| am| are| was| would| do| does| will| should)|whose|which (?:one|day|doctor|provider|time|plan|of|would|claim|location|office|appointment|service)|why (?:is|are|do|does|did|was)|how (?:can|may|could|about|do|does|did|is|are|was|would|should|will|much|many|long|soon|old|far|else|might))";

/** Where a question begins. */
const questionStart = new RegExp(
  `${afterSubordinating}\\b${lead}(?:${asking}\\b|${auxiliary} ${person}\\b|(?:can|could|may|would|will|do|did|are|have) (?:i|you|we)\\b)`,
  'g',
);

const statementSubject =
  "(?:i(?:'m|'ve|'ll|'d)?|we(?:'re|'ve|'ll|'d)?|you(?:'re|'ve|'ll)?|he(?:'s)?|she(?:'s)?|they(?:'re|'ve|'ll)?|it(?:'s)?|that(?:'s)?|this|there(?:'s)?|my name|your|the patient|the member|the (?:individual |family |specialist |annual |remaining |primary care |office visit |service |insurance |reference |confirmation |call |claim |policy |check |payment |group |in[- ]network |out[- ]of[- ]network |out[- ]of[- ]pocket |next |first |earliest |soonest |only )*(?:co-?pay|deductible|coinsurance|plan|policy|coverage|claim|number|maximum|max|payment|check|amount|patient responsibility|authorization|referral|doctor|provider|appointment|opening|available|availability|one|thing|time|reason|date|office|limit|service|status|id|code|address|fax))";
const statementVerb =
  "(?: (?:is|are|was|were|has|have|had|do|does|did|don't|doesn't|didn't|can|can't|cannot|could|will|won't|would|need|needs|still|see|show|shows|found|got|paid|received|take|accept|offer|only|also|just|think|believe|am|require|requires|isn't|aren't|wasn't|hasn't|haven't|sent|mailed|processed|denied|should|must|may|might|close|open|usually|charge|said))\\b";

/** Where a statement begins. */
const statementStart = new RegExp(
  `${afterSubordinating}\\b(?:and |so |but |then )?(?:(?:i'm|i've|i'll|we're|we've|we'll|it's|that's|there's|she's|he's|they're|you're|you've)\\b|${statementSubject}${statementVerb})`,
  'g',
);

/** Words that are said for themselves, before or after the matter. */
const courtesyStart =
  /(?<!\b(?:to|and|a|the|you|say|said|no|with|so|have a|as) )\b(?:thank you|thanks (?:for|so)|you're welcome|one moment|one second|just a (?:moment|second|minute|sec)|hold on|please hold|let me (?:see|check|look|pull|get|find|transfer|put|connect|read|repeat|verify|confirm)|let's see|good (?:morning|afternoon|evening) |how can i|bear with me|no problem|is there anything)\b/g;

/** What stands before a clause without being one. */
const onlyLead =
  /^(?:(?:yes|yeah|yep|no|nope|okay|ok|sure|so|and|well|um+|uh+|alright|all right|great|perfect|actually|but|or|sorry|oh|hi|hello|right|now|then|ah|mm|hmm|please|also|for|to|if)[ ]*)+$/;

/** The beginnings of the clauses of words without punctuation, after the first. Positions are those of the text. */
export function clauseStarts(text: string): number[] {
  const lower = text.toLowerCase().replaceAll(/[’‘`]/g, "'");
  // Lower-casing keeps the length of all that speech recognition writes in English.
  if (lower.length !== text.length) return [];
  const found = [questionStart, statementStart, courtesyStart]
    .flatMap((pattern) => [...lower.matchAll(pattern)].map(({ index }) => index))
    .filter((index) => index > 0)
    .sort((a, b) => a - b);
  const starts: number[] = [];
  for (const start of found) {
    const before = lower.slice(starts.at(-1) ?? 0, start);
    // "yes it is" and "okay i found her" stay together.
    if (before.trim() === '' || onlyLead.test(before)) continue;
    starts.push(start);
  }
  return starts;
}

const opensLikeQuestion = new RegExp(
  `^${lead}(?:${asking}\\b|${auxiliary} ${person}\\b|(?:can|could|may|would|will|do|did|are|have|is|was|has|does) (?:i|you|we|he|she|it|they|that|this|there|the|any|either|those|these|his|her|their|your|anyone|anybody|someone|somebody)\\b|(?:would|will|is|are|was|does|did|has) (?:an?|doctor|dr|mr|mrs|ms|pre-?auth\\w*|prior) )`,
);
const noQuestionAfterAll =
  /^(?:(?:and|so|but|okay|ok|now|then|well) )*(?:what (?:i|we|you|she|he|they|it|that) (?:have|need|want|can|do|see|would)\b|what (?:happened|i'm|we're|i'll|i've)|what(?:'s| is) [a-z]+(?: [a-z]+)? is\b|when (?:she|he|they|you|we|i|it|the)\b|where (?:she|he|they|we)\b|how(?:ever)\b|which (?:is|was|means|would)\b|who (?:is|was) (?:our|my)\b|do not\b|don't\b|have (?:her|him|them|the patient)\b|have a\b)/;

/** Whether words without a question mark ask something. */
export function asksWithoutMark(plain: string): boolean {
  return (
    (opensLikeQuestion.test(plain) && !noQuestionAfterAll.test(plain)) ||
    /^(?:anything else|any other questions|name|date of birth|dob|member id|and you)$/.test(plain) ||
    / (?:(?<!\b(?:all|that's|is|you're|sounds|looks) )(?:right|correct)|okay with you|is that right|is that correct)$/.test(
      plain,
    )
  );
}
