import type { Sentence } from './text.ts';

/*
 * Whether words agree or deny, and how sure the person sounds.
 */

const fillers =
  "(?:(?:well|um+|uh+|er|ah|oh|so|okay|ok|hmm+|right|let me see|let's see|let me check|one moment|just a moment|one second|alright|all right|now|and|looks like|it looks like|i see|sure|thank you|thanks|actually|honestly|great|perfect|good question|for that|for this|as far as i know|as far as i can see|according to (?:my|the) (?:system|screen)|i believe|i think|that would be|the answer is|i'd say|i would say|in general|generally)\\b[\\s,.:;!-]*)*";
const yesWords =
  "(?:yes|yeah|yep|yup|ya|yea|sure|of course|absolutely|definitely|certainly|correct|affirmative|exactly|indeed|right|uh-?huh|mm-?hmm|mhm|(?:that|this|it)(?:'s| is| sounds| would be| will be)? (?:right|correct|fine|good|great|perfect|true|it|works?|all right|okay|ok)|you got it|(?:it|that|he|she|we|they|you|i) (?:(?:sure|certainly|definitely|absolutely|always|still|most certainly) )?(?:is|does|has|do|are|have|can|will|should|would)(?= ?(?:[,.;!]|$)| (?:indeed|actually|in fact|currently|still|now|yes|so|too)\\b))";
const noWords =
  "(?:no\\b(?! (?:problem|worries|trouble|wait|longer than|later than|more than|less than|earlier))|nope|nah|negative|never|none|not (?:really|at this time|currently|yet|that|as|for|any|at all|necessarily|needed|required|really)\\b|unfortunately|i'm afraid (?:not|we|it|that|he|she|they)|(?:it|that|this|he|she) (?:is not|isn't|does not|doesn't|has not|hasn't|won't|will not|cannot|can't|wouldn't)|(?:we|they|you|i) (?:do not|don't|are not|aren't|have not|haven't|can't|cannot|won't|will not|wouldn't))";

const startsWithYes = new RegExp(`^${fillers}${yesWords}`);
const startsWithNo = new RegExp(`^${fillers}${noWords}`);
const negation =
  /\b(?:not|n't|no|never|none|neither|nor|without|nothing|cannot|unable|unavailable|inactive|ineligible)\b|n't\b/;

/** Whether a sentence begins by agreeing or denying, or is agreement through and through. */
export function openingPolarity(plain: string): 'yes' | 'no' | null {
  const text = plain.replace(/^["'(\s]+/, '');
  if (/^(?:no problem|no worries|not a problem|no trouble)\b/.test(text)) return 'yes';
  if (/^(?:yes and no|yes or no|yes, but no)\b/.test(text)) return null;
  if (startsWithNo.test(text)) return 'no';
  return startsWithYes.test(text) ? 'yes' : null;
}

/** Whether a statement denies something anywhere. */
export function denies(plain: string): boolean {
  return negation.test(
    plain.replaceAll(
      /\b(?:no problem|not a problem|no later than|no more than|not only|no doubt|no worries|don't worry|no need to worry|why not|if not)\b/g,
      '',
    ),
  );
}

/** The first clear yes or no among the sentences. */
export function polarityOf(
  sentences: readonly Sentence[],
): { polarity: 'yes' | 'no'; sentence: Sentence } | null {
  for (const sentence of sentences) {
    if (sentence.isQuestion) continue;
    const polarity = openingPolarity(sentence.plain);
    if (polarity !== null) return { polarity, sentence };
  }
  return null;
}

const hedges =
  /\b(?:i think|i guess|i suppose|maybe|perhaps|probably|possibly|it depends|that depends|depends on|depending|it varies|varies|not (?:a hundred|100) ?(?:percent|%)? ?sure|not (?:quite |entirely |really |totally |completely )?(?:sure|certain)|should be|might be|could be|may be|i'd guess|somewhere|something like|roughly|approximately|around|about|more or less|or so|ish|usually|sometimes|typically|normally|generally|hard to say|if i remember|if i recall|off the top of my head|i'd have to|a bit|a little|some(?:thing)?|kind of|sort of|or something|likely|presumably|ballpark|let me think|it all depends|a few|several|pretty|the usual)\b/;

const strongHedges =
  /\b(?:i guess|maybe|perhaps|possibly|it depends|that depends|it all depends|not (?:a hundred|100) ?(?:percent|%)? ?sure|not (?:quite |entirely |really |totally |completely )?(?:sure|certain)|might be|could be|i'd guess|somewhere|something like|or something|roughly|hard to say|if i remember|if i recall|off the top of my head|more or less|or so|kind of|sort of|ballpark|it varies|let me think|the usual)\b/;

/** Whether the words leave open what exactly holds. */
export function isHedged(plain: string): boolean {
  return hedges.test(plain);
}

/** Whether even a concrete value in these words is only a guess. */
export function isGuess(plain: string): boolean {
  return (
    strongHedges.test(plain) ||
    /\b(?:i think|i believe|probably|should be|around|approximately|about \$?\d)/.test(plain)
  );
}

/** "I don't have that", "I'd have to check": the person does not know. */
export function isUnknownToThem(plain: string): boolean {
  return /\bonly (?:the )?\w+(?: \w+)? (?:has|have|knows?|can see) (?:that|it|this)\b|\b(?:(?:i|we) (?:really |honestly |actually |just )?(?:don't|do not|can't|cannot|couldn't|wouldn't) (?:really |actually |currently |even )?(?:know|have (?:that|it|this|what|how much|any (?:information|info|details|record|idea)|access|the (?:answer|information|info|details))|see (?:that|it|any(?:thing)?|this)(?! (?:claim|member|patient))|tell you|say for sure|find (?:that|it) (?:here|in)|show (?:that|it)|answer that|speak to that|look that up|pull that up|access)|(?:i'm|i am|we're|we are) (?:not able|unable) to (?:see|tell|find|access|give|provide|verify|confirm|pull)|no idea|(?:i'm|i am) not sure|i am unsure|not something (?:i|we) (?:have|know|can)|i wouldn't know|(?:that|it) (?:isn't|is not|doesn't) (?:something (?:i|we)|show|listed|available|in (?:my|our|the) system|on (?:my|our|the) (?:screen|end|side))|(?:don't|do not) have (?:access|that|visibility)|(?:you'd|you would|you'll|you will) (?:have|need) to (?:ask|check|call|contact|speak)|i'd have to (?:check|ask|look)|not available to me|above my pay|your guess is as good)\b/.test(
    plain,
  );
}

/** "I can't share that": the person knows and will not tell. */
export function isWithheld(plain: string): boolean {
  return /\b(?:(?:i|we)(?:'m| am|'re| are)? (?:not (?:allowed|able|permitted|authorized|supposed)|can't|cannot|won't|don't|unable) (?:to )?(?:share|disclose|release|give (?:out|that|you|any)|provide|discuss|tell you|say)|not (?:at liberty|something (?:i|we) (?:can )?(?:share|give|disclose))|(?:privacy|hipaa|policy) (?:reasons|prevents|doesn't allow|does not allow)|against (?:our )?policy|confidential)\b/.test(
    plain,
  );
}

/** That something said before was wrong, in a sentence that need not say what is right. */
const misstatement =
  /\b(?:(?:read|reading|looking at|looked at|on|that's|that was) (?:the |that |an? |my )?(?:\w+ )?(?:row|line|one|number|entry|column) (?:above|below|before|over|under|up|down|too)|(?:one|a) (?:row|line|column) (?:too|off|above|below)|mis-?(?:read|spoke|said|stated)|mixed (?:that|it|them|those|this)? ?up|flipped|transposed|(?:gave|told|read) you the wrong|(?:the )?wrong (?:number|amount|line|figure|date|one|way|column|row|screen|person|patient|member|plan|page)|i was (?:looking|on|reading|in) (?:at )?(?:the|an?)\b|(?:the )?last (?:patient|caller|member)'s|correction\b|scratch that|strike that|let me correct|my mistake|my bad|that's not right|that was wrong|that isn't right|(?:said|read|had|got) (?:that|it) (?:backwards|wrong|the wrong way)|i need to correct|i have to correct)/;

/** "That's the guy before you", "that was last year's": what was said belongs to somebody or something else. */
const another =
  /\b(?:that's|that was|that is|this is|this was|it's|those are|those were) (?:for |from )?(?:the |an? |my |our )?(?:(?:\w+ ){0,2}(?:from (?:last|yesterday|earlier|before|this morning)\b|before (?:you|yours|hers|his|her|him|this)\b|ahead of (?:you|her|him)\b)|(?:last|previous|next|other|wrong|different|old) (?:guy|lady|gentleman|person|one|caller|patient|member|customer|client|claim|year|account|policy|order|price|rate|line|column|row|page|screen)\b|last (?:year|month)'s\b|(?:some(?:body|one) else|another \w+)'s\b)|\b(?:reading|read|looking at) (?:it|that|this|the) wrong\b|\bgot (?:the |my )?(?:lines|rows|columns|numbers|screens) crossed\b/;

/** "Oh no, that's the contrast one!" */
const notThatOne =
  /^(?:(?:oh|no|wait|hold on|hang on|oops|whoops|my (?:gosh|goodness)|gosh|sorry|actually|hm+|ah|shoot)[,.! ]+)+(?:that's|that was|that is|this is) (?:for )?(?:the|an?|our) [a-z-]+(?: [a-z-]+)? (?:one|price|rate|amount|number|line|figure|date|time)\b/;

/** Whether the words take back something said before, in this turn or an earlier one. */
export function takesBack(plain: string): boolean {
  return (
    misstatement.test(plain) ||
    another.test(plain) ||
    notThatOne.test(plain) ||
    /^(?:oh,? )?no,? wait\b/.test(plain)
  );
}

/** "Actually, sorry, it's …": what follows replaces what was said before. Gives where the correction begins. */
export function correctionStart(plain: string): number | null {
  const match =
    /\b(?:actually|correction|sorry|i misspoke|i mean|i meant|my mistake|scratch that|let me correct|wait|no wait|oops|whoops|uh-oh|(?:i was )?(?:one|a|1) (?:row|line|column) (?:too|off)|strike that|apologies|i apologize|excuse me|rather|i was wrong|that's not right|that was wrong|(?:hang on|hold on|wait)?[, ]*(?:i'm |i was |i am )?(?:reading|read|looking at) (?:it|that|this|the) wrong(?: \w+)?)\b[,:. -]*(?=.*\d|.*\b(?:not|instead|is|was|it's)\b)/.exec(
      plain,
    );
  return match === null ? null : match.index;
}
