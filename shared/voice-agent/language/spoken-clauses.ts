/*
 * Speech recognition does not always write punctuation: "thank you one moment okay i found her what do you need". People
 * breathe between clauses, and clauses begin with few kinds of words, so the places can be found again.
 */

function oneOf(...groups: readonly string[]): string {
  return `(?:${groups
    .join(' ')
    .split(/\s+/)
    .map((word) => word.replaceAll('_', ' '))
    .join('|')})`;
}

/** Words after which what looks like the beginning of a clause belongs to the one before: "i see that she has …". */
const subordinating = oneOf(
  // conjunctions and question words
  'if that because since when whenever until till unless whether which who whom what where how why as once after before while for than like and or but so wherever whatever',
  // verbs that take a clause
  'think believe see know shows? showing says? saying said mean means guess hope afraid ask check wonder find depends understand looks seems tell_you tell_me show_you give_you send_you ask_you help_you let_you_know sure sorry',
  // prepositions, articles and the like, after which a clause has not ended
  'of to with on in at by from about out exactly just only not the a an my your our his her their this then also well even ever never always',
  // nouns that a relative clause follows: "the earliest we have"
  'much many long soon often everything anything something nothing all one thing things time times day days way ones else now anyone someone everyone earliest soonest latest first next best available openings? slots? appointments? options? morning afternoon',
  // auxiliaries: "can i", "does she"
  "can could would will should shall may might do does did is are was were has have had isn't aren't don't doesn't didn't",
);
/** Words after which an auxiliary and a pronoun ask nothing: "here it is it's 35", "there is one". */
const subjects = oneOf('i we you he she it they there here which who that what one ones this those these');

const lead = `(?:${oneOf('and so but okay ok or alright all_right now then well also great perfect thanks sorry hi hello hey oh yes yeah no sure excuse_me thank_you')} )*`;
const person = oneOf(
  'i we you he she it they that this there the_patient the_member either any those these anything anyone anybody somebody someone',
);
const auxiliary = oneOf(
  "is are was were do does did has have had will would could can should shall may might isn't aren't don't doesn't didn't hasn't haven't won't wouldn't couldn't can't shouldn't",
);

/** How a question begins that has a question word. */
const asking = `(?:${[
  "(?:what|which|whose) (?:[a-z']+ ){1,3}?(?:do|does|did|is|are|was|would|can|could|should|will)(?= (?:i|you|we|he|she|they|it|that|this|the)\\b)",
  `what(?:'s| ${oneOf('is are was were time day days kind type sort insurance name else about did do does can would will may seems brings number date code codes service procedure plan')})?`,
  `when(?:'s| ${oneOf('is was were would does did do can will')})`,
  `where(?:'s| ${oneOf('is are do did should')})`,
  `who(?:'s| ${oneOf('is am are was would do does will should')})`,
  'whose',
  `which ${oneOf('one day doctor provider time plan of would claim location office appointment service')}`,
  `why ${oneOf('is are do does did was')}`,
  `how ${oneOf('can may could about do does did is are was would should will much many long soon old far else might')}`,
].join('|')})`;

/** Where a question begins. */
const questionStart = new RegExp(
  `(?<!\\b${subordinating} )\\b${lead}(?:${asking}\\b|(?<!\\b${subjects} )(?:${auxiliary} ${person}\\b(?! *$)|(?:can|could|may|would|will|do|did|are|have) (?:i|you|we)\\b))`,
  'g',
);

const subject = `(?:${[
  "(?:i|we|you|he|she|they|it|that|this|there)(?:'m|'ve|'ll|'d|'re|'s)?",
  'my name|your|the patient|the member',
  `the (?:${oneOf('individual family specialist annual remaining primary_care office_visit service insurance reference confirmation call claim policy check payment group in[-_]network out[-_]of[-_]network out[-_]of[-_]pocket next first earliest soonest only')} )*[a-z'-]+`,
].join('|')})`;
const verb = oneOf(
  "is are was were has have had do does did don't doesn't didn't can can't cannot could will won't would need needs still see show shows found got paid received take accept offer only also just think believe am require requires isn't aren't wasn't hasn't haven't sent mailed processed denied should must may might close open usually charge said read misread gave",
);

/** Where a statement begins. */
const statementStart = new RegExp(
  `(?<!\\b${subordinating} )\\b(?:and |so |but |then )?(?:(?:i|we|you|he|she|they|it|that|there)(?:'m|'ve|'ll|'re|'s|'d)\\b|${subject} ${verb}\\b)`,
  'g',
);

/** Words that are said for themselves, before or after the matter. */
const courtesyStart = new RegExp(
  `(?<!\\b(?:to|and|a|the|you|say|said|no|with|so|have a|as|i'll|i will|me|just) )\\b(?:${[
    "thank you|thanks (?:for|so)|you're welcome|no problem|bear with me|good (?:morning|afternoon|evening) ",
    'one moment|one second|just a (?:moment|second|minute|sec)|hold on|please hold',
    `let me ${oneOf('see check look pull get find transfer put connect read repeat verify confirm')}|let's see`,
    '(?:is|was) there anything|(?:anything|something) else (?:for|i|today|you|on)|anything else$|any (?:other|more|further) questions?|will that be all|(?:is|was) that (?:it|all)$',
  ].join('|')})\\b`,
  'g',
);

/** Where somebody takes back what they have just said. */
const correctionBreak =
  /(?<!\b(?:i'm|am|so|very|we're|feel|i|he|she|they|it's|is|was|are) )\b(?:(?:oh|um|uh|no|wait)[, ]+)*(?:sorry|i'm sorry|excuse me|correction|scratch that|strike that|no wait|i misread|i misspoke|i mean|my mistake|(?:hang on|hold on) (?:i'm |i was )?(?:reading|looking)|(?:i'm |i was )?reading (?:it|that) wrong)\b/g;

/** A yes or no that answers, after a courtesy: "yes of course | no we don't". */
const answerAfterCourtesy =
  /(?<=\b(?:of course|sure thing|certainly|go ahead|absolutely|no problem) )(?:yes|yeah|yep|no|nope|nah)\b/g;

/** What stands before a clause without being one. */
const onlyLead = new RegExp(
  `^(?:${oneOf('yes yeah yep no nope okay ok sure so and well um+ uh+ alright all_right great perfect actually but or sorry oh hi hello right now then ah mm hmm please also for to if')} *)+$`,
);

/** The beginnings of the clauses of words without punctuation, after the first. Positions are those of the text. */
const announcesReason =
  /\b(?:reason|problem|issue|trouble|cause)(?: (?:for|of) (?:the|that|this) (?:denial|rejection))?(?: (?:it|they|we|that) (?:got|was|were|is) \w+)?(?: (?:is|was)(?: that)?)? *$/;

export function clauseStarts(text: string): number[] {
  const lower = text.toLowerCase().replaceAll(/[’‘`]/g, "'");
  // Lower-casing keeps the length of all that speech recognition writes in English.
  if (lower.length !== text.length) return [];
  const found = [questionStart, statementStart, courtesyStart, correctionBreak, answerAfterCourtesy]
    .flatMap((pattern) => [...lower.matchAll(pattern)].map(({ index }) => index))
    .filter((index) => index > 0)
    .sort((a, b) => a - b);
  const starts: number[] = [];
  for (const start of found) {
    const before = lower.slice(starts.at(-1) ?? 0, start);
    // "yes it is" and "okay i found her" stay together, and so does "the reason is that …".
    if (before.trim() === '' || onlyLead.test(before) || announcesReason.test(before)) continue;
    starts.push(start);
  }
  return starts;
}

const opensLikeQuestion = new RegExp(
  `^${lead}(?:${[
    `${asking}\\b`,
    `${auxiliary} ${person}\\b`,
    `${oneOf('can could may would will do did are have is was has does')} ${oneOf('i you we he she it they that this there the any either those these his her their your')}\\b`,
    `${oneOf('would will is are was does did has')} (?:an?|doctor|dr|mr|mrs|ms|pre-?auth\\w*|prior) `,
  ].join('|')})`,
);

/** Openings that a question shares with what asks nothing: "what i have is …", "when she comes …". */
const noQuestionAfterAll = new RegExp(
  `^(?:${oneOf('and so but okay ok now then well')} )*(?:${[
    "what (?:i|we|you|she|he|they|it|that) (?:have|need|want|can|do|see|would)\\b|what (?:happened|i'm|we're|i'll|i've)|what(?:'s| is) [a-z]+(?: [a-z]+)? is\\b",
    'when (?:she|he|they|you|we|i|it|the)\\b|where (?:she|he|they|we)\\b|however\\b',
    'which (?:is|was|means|would(?! (?:you|she|he|they|the|work|be)))\\b|who (?:is|was) (?:our|my)\\b',
    '(?:has|have|had|does|did|do|is|was) (?:that|this|it|one)$',
    "do not\\b|don't\\b|have (?:her|him|them|the patient)\\b|have a\\b",
  ].join('|')})`,
);

/** Short questions that name no more than what is wanted, and tags at the end. */
const shortQuestion =
  /^(?:(?:and|so|was there|is there) )*(?:anything else|something else|any (?:other|more|further) questions?|will that be all)\b|^(?:name|date of birth|dob|member id|and you|(?:is|was) that (?:it|all))$| (?:(?<!\b(?:all|that's|is|you're|sounds|looks) )(?:right|correct)|okay with you|is that right|is that correct)$/;

/** Whether words without a question mark ask something. */
export function asksWithoutMark(plain: string): boolean {
  return (opensLikeQuestion.test(plain) && !noQuestionAfterAll.test(plain)) || shortQuestion.test(plain);
}
