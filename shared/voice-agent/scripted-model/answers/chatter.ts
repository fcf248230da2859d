import type { Sentence } from '../../language/text.ts';

/*
 * What people say in a call that answers nothing, whatever was asked: hums and courtesies, talk to somebody beside them,
 * remarks about the call, the procedure or their day, and offers of things to buy.
 */

const fillers = new Set(
  "a about absolutely ah aha ahead all alright alrighty righty also am an and any anyway appreciate are as ask at away awesome back bear believe bet boy brilliant bye can catch certainly cheers come continue cool copy correct could course darn dear definitely delighted did do does doing done down either else enough er exactly excellent excuse fair fantastic fine first folks for forgive from gee get gimme give glad go goes going gonna good goodness gosh got gotcha great guess ha haha hang happened happy have hear heard heavens hello help here hey hi hm hmm hold hon honey how hu huh i i'd i'll i'm i've if in indeed interesting is it it's its jeez just keep kidding know let let's lemme like listening little look looking lot lovely ma'am made make matches match may me mean mhm mind minute mm mmhm moment more much my nah neat next nice no nope not noted now obliged of off oh ok okay okey dokey on one only oops or ouch our out over pardon perfect phew please pleasure point proceed question questions quick quite ready real really recorded right roger said same say saying sayin second see seems shoot should sir skip slow so some sorry sort sounds speak splendid spot still stuff super sure surely sweetie sweetheart take taken talk terrific thank thanks that that'd that'll that's the them then there there's these thing things think this tight time to today too totally true try type typing uh uh-huh mm-hmm mm-hm um understand understood unless up very verified verify wait was way we we'll we're welcome well were what whatever when where which while whoa whoops will with wonderful word worries worry would wow write writing yea yeah yep yes you you'll you're you've your yup".split(
    ' ',
  ),
);

/** "All of them" is short, and says all the same. */
const shortAnswer =
  /\b(?:all|any|both|none|either|each|every|some) of (?:them|those|us|it|the above)\b|\b(?:both|anyone|everyone|nobody|anytime|right away)\b/;

/** Nothing but words that carry no matter: "Yeah, totally, go for it." */
export function isFiller(plain: string): boolean {
  if (/\d/.test(plain) || shortAnswer.test(plain)) return false;
  return (plain.match(/[a-z][a-z'-]*/g) ?? []).every((word) => fillers.has(word.replace(/['-]+$/, '')));
}

const aboutTheCall =
  /\b(?:i(?:'ll| will)? (?:just )?skip (?:it|that|this|over)|know the drill|slow(?:er| down)\b|break(?:ing)? up\b|bad (?:line|connection|reception)|speak up|(?:leave|leaving) (?:it|that|this) (?:blank|empty|out|open)|(?:make|keep) it (?:quick|short|brief)|where (?:was i|were we)|(?:you|i) (?:were|was) say\w*|stay (?:with me|on the line)|(?:one|1) (?:thing|question|step) at a time|(?:that|it|everything|which) (?:all )?(?:matches|checks out|lines up)|see the match|(?:i've|i have|i|got) (?:\w+ )?(?:recorded|noted|written|typed|entered|put) (?:that|it|this)\b|(?:just kidding|only joking)|(?:writing|typing|jotting|noting|putting|entering) (?:that|it|this)\b|may proceed|is acceptable|one of those (?:robots?|computers?|machines?))/;

function isAboutTheCall(plain: string): boolean {
  return aboutTheCall.test(plain) && !/[$%]|\d/.test(plain) && plain.split(' ').length <= 12;
}

const aboutTheirDay =
  /\bmy (?:cousin|mom|mama|mother|dad|father|sister|brother|husband|wife|kids?|son|daughter|dogs?|cats?|boyfriend|girlfriend|aunt|uncle|grand\w+|niece|nephew|roommate|neighbor|friend|coffee|lunch|break|shift|boss|back|feet|head|first (?:day|week)|last day|birthday)\b|\b(?:the weather|it's (?:raining|snowing|pouring|freezing|so hot|so cold)|traffic|are hiring|is hiring|(?:crazy|busy|long|slow|rough) (?:day|morning|afternoon|week|monday|friday)|(?:we're|we are|i'm|it's been) (?:slammed|swamped|crazy|busy|short[- ]staffed|understaffed))\b/;

const vocative =
  /^(?:(?:hang on|hold on|one sec(?:ond)?|wait|yes|yeah|no|okay|ok|hi|hey|sorry|now|excuse me|just|a|minute)[,. ]+)*(?:ma'am|sir|miss|mister|kids?|guys|folks|buddy|doc|boss)[,!]? (?:your (?!patient|claim|member|fax|reference|confirmation)|you're (?:next|up|all)|i'll be|we'll be|can you|could you|have a|sign|don't|stop|sit|wait|come)\b/;
const toOthers =
  /\b(?:(?:i'll|we'll|somebody will|be) (?:be )?right (?:with you|there|over)|be with you in|have a seat|take a seat|sign (?:here|in (?:on|at))|down the hall|next in line|your (?:total|change|receipt|turn|room|table|keys|prescription is ready)|i'm on the (?:phone|line)|on the other line|close the door|(?:phone|doorbell|bell)'s ringing)\b/;
const toSomebodyByName =
  /^(?:(?:Hang on|Hold on|Hey|Sorry)[,.] )?(?!(?:Sure|Okay|Yes|Yeah|No|Well|So|Then|Also|Now|Please|Sorry|Actually|And|But|Thanks)\b)\p{Lu}\p{Ll}+, (?:(?:can|could|would|will) you|get|grab|hand|come|where'?s?|did you|have you|stop|sit|tell)\b/u;

/** Thinking aloud while one looks something up: "lemme look on the wall", "let me scoot down the page". */
const stalling =
  /^(?:(?:okay|ok|so|well|oh|ooh|ah|um|uh|hm+|now|all right|alright|sure|yes|yeah|and|here|there)[,. ]+)*(?:(?:let me|lemme|let's)(?: just| go| quick| quickly| first)* (?:read|look|find|scoot|scroll|grab|type|click|flip|dig|turn|open|think|check|pull|peek|hunt|squint|switch|get (?:my|the|that|to|into)|go (?:to|find|look|get)|put (?:on|my)|see(?: (?:if|what|here|now|whether|where))?)|(?:i'll|i will|i gotta|gotta|i need to|i have to|i've got to|i'm going to|i'm gonna)(?: just| go| first)* (?:look (?:at|in|on|up|for|that|it)|find (?:my|the|it|that)|scroll|dig|hunt|peek|read (?:the|my|what|it|that)))\b(?!.*(?:[$%\d]|\b(?:morning|afternoon|\w+day|noon)\b)).{0,45}$/;

/** Says that one is looking or puts us through, and nothing yet of the matter. */
export function isStalling({ plain, isQuestion }: Sentence): boolean {
  return !isQuestion && (stalling.test(plain) || putsThrough.test(plain));
}

const putsThrough =
  /\b(?:sending|putting|passing|handing|switching|bumping|shooting) (?:you|the call|this) (?:\w+ )?(?:to|over|through|down|up)\b/;
/** "How can help you" as well: speech recognition loses small words. */
const offersHelp =
  /\bhow (?:can|may|could|might) (?:(?:i|we) )?(?:help|assist|direct)\b|\bwhat can (?:i|we) do for\b/;
/** "What you got for me?" */
const asksForMatter =
  /\bwhat(?:'ve| have| do| did| can| all)? (?:you|ya|y'all|i|we) (?:got|need|have|want|do for)\b(?! (?:to|me|the|a)\b)|\bwhatcha\b/;
const saysWho = /\bthis (?:is )?(?!(?:is|it|that|one|week|month|year|time|way|morning|afternoon)\b)[a-z'-]+$/;

/** Whether words ask for what we want, in the form of a greeting. */
export function isHelpOffered(plain: string): boolean {
  return offersHelp.test(plain) || asksForMatter.test(plain);
}

/** "Records room, this Ottilie, how can help you": whoever picks up says who they are, and answers nothing. */
export function greetingIn(sentences: readonly Sentence[]): Sentence[] {
  const offer = sentences.findIndex(({ plain }) => offersHelp.test(plain));
  return sentences.filter(
    ({ plain }, index) =>
      index === offer ||
      ((index < offer || saysWho.test(plain)) && plain.split(' ').length <= 6 && !/\d/.test(plain)),
  );
}

const notMeant =
  /^(?:(?:sorry|oh|no)[,. ]+)*(?:not you\b|(?:i )?(?:didn't|don't) mean you|(?:i was |i'm |just )?(?:not )?talking to (?:you|a customer|a patient|somebody|someone)|that (?:wasn't|was not) (?:for|to) you|(?:sorry|that was)[, ]+(?:a )?customer)/;

/** "That's eight fifteen, do you need a bag? Not you.": what was said to somebody at the counter. */
export function saidToOthers(sentences: readonly Sentence[]): Sentence[] {
  return sentences.slice(0, sentences.findLastIndex(({ plain }) => notMeant.test(plain)) + 1);
}

/** Words that neither say nor ask anything about the matter. */
export function isEmptyTalk(sentence: Sentence): boolean {
  const { plain, isQuestion } = sentence;
  return (
    !isQuestion &&
    (isFiller(plain) || isPreamble(plain) || isAboutTheCall(plain) || isToSomebodyElse(sentence))
  );
}

/** Said to somebody who stands by: "Sir, I'll be right with you." */
export function isToSomebodyElse({ plain, text }: Sentence): boolean {
  return vocative.test(plain) || toOthers.test(plain) || toSomebodyByName.test(text);
}

const turnsAway =
  /^(?:(?:oh|um|sorry|okay|wait)[, ]+)*(?:hang on|hold on|hold that thought|one sec(?:ond)?|just a (?:sec(?:ond)?|minute|moment)|excuse me|give me a (?:sec(?:ond)?|minute))\b/;
const turnsBack =
  /\byou were (?:say|ask)\w*|\bwhere were we\b|\bwhat were you (?:say|ask)\w*|\bwhat was (?:that|your question|the question)\b|\b(?:okay|ok|sorry|so),? go (?:on|ahead)\b/;

const preamble =
  /^(?:(?:so|okay|ok|now|well|certainly|sure|all right|alright|and|yes|great|perfect|then|first|thank you|thanks|of course)[,. ]+)*(?:let me (?:explain|begin|start|walk you through|tell you how|first)\b|(?:i|we)(?:'ll|'d|'m| will| would| am)? ?(?:just |first |also |going to |need to |have to |must |gotta |got to |'ve got to |begin by |start by )*(?:collect|gather|collecting|verify(?: you| a few| some)|verifying|ask(?: you)? (?:a few|some|a couple)|go(?:ing)? over a few|take down (?:a few|some))\b|gotta verify|(?:the )?verification (?:first|comes first)|(?:a few|some|a couple of|just a few) (?:quick |short )?(?:questions|details|things)\b(?! (?:like|such))|first things first|before (?:i|we) (?:begin|start|go on|proceed|get started|do anything)|this is how (?:it|this) works|here's how (?:it|this) works|how this works)/;
const disclaimer =
  /\b(?:not a guarantee|no guarantee|not guarantee\w*|(?:calls?|line|conversation)\b[^.]{0,30}\b(?:recorded|monitored)|not for emergencies|(?:we|this line) (?:do|does) not handle|(?:quality|training) purposes|subject to the terms)\b/;

/** Says how the call goes on, or what everybody must be told; answers nothing and asks nothing. */
export function isPreamble(plain: string): boolean {
  return (preamble.test(plain) && !/[$%]|\d{3}/.test(plain)) || disclaimer.test(plain);
}

const sells =
  /\b(?:have you (?:ever )?(?:heard|thought) (?:about|of)|did you know about our|(?:are|be|is|she|he|they|you) (?:be )?interested in (?:our|joining|adding|upgrading|signing)|(?:running|having|offering) an? [^.?!]{0,30}\b(?:special|promotion|promo|deal|sale)\b|special offer|(?:join|sign(?:ed)? up (?:for|with)|enroll(?:ed)? in|tell you about) our|(?:sign (?:you|her|him|them|the patient) (?:right |all )?up\b|get (?:you|her|him|them|the patient) (?:all |right )?signed up\b)|\b(?:wellness|savings|vip|loyalty|rewards?|membership|discount|protection) (?:club|program|package|bundle)|(?:discount|rewards?|loyalty) card\b|upgrade (?:you|her|him|them|the patient)\b|free trial|limited[- ]time|newsletter|quick survey|(?:half|percent|%) off)\b/;
const sellsOn =
  /(?:\$ ?[\d.,]+|dollars?|bucks)(?: and \d+ cents)? (?:a|per|each|every) (?:month|year|week)\b|\b(?:monthly|annual) fee|\bcancel any ?time|\bfirst month|\b(?:card number|credit card|debit card|card on file|pay(?:ment)? (?:by|with|over)|charge (?:it|the card))\b|\bbest (?:deal|value)\b|\bsave(?:s)? (?:you |her |him |them )?(?:up to|money|\d)/;
const bareOffer =
  /^(?:(?:so|and|okay|well|really)[, ]+)*(?:(?:do you )?want me to|want (?:it|that|in|to)|should i|shall i|would you like (?:that|to|me to)|do you want (?:that|to|it)|interested|how about it|what do you (?:say|think)|you in|sounds? good|(?:are )?you sure|no)\b.{0,25}\?$/;

/**
 * Offers of things to buy, with what is said about them.
 *
 * @param goesOn we have just declined one
 */
export function salesTalkIn(sentences: readonly Sentence[], goesOn: boolean): Sentence[] {
  const found: Sentence[] = [];
  let isSelling = goesOn;
  for (const sentence of sentences) {
    const { plain } = sentence;
    const starts = sells.test(plain);
    if (starts) isSelling = true;
    if (starts || (isSelling && (sellsOn.test(plain) || bareOffer.test(plain)))) found.push(sentence);
  }
  return found;
}

/** The sentences without those that answer nothing whatever was asked. A plain "yes" or "no" may answer, and stays. */
export function withoutChatter(sentences: readonly Sentence[]): Sentence[] {
  const away = asideRange(sentences);
  const sold = salesTalkIn(sentences, false);
  const others = saidToOthers(sentences);
  const greeting = greetingIn(sentences);
  return sentences.filter(
    (sentence, index) =>
      !(away !== null && away.from <= index && index <= away.to) &&
      !sold.includes(sentence) &&
      !others.includes(sentence) &&
      !greeting.includes(sentence) &&
      !isStalling(sentence) &&
      !isToSomebodyElse(sentence) &&
      !isAboutTheCall(sentence.plain) &&
      !(aboutTheirDay.test(sentence.plain) && !/[$%]|\d/.test(sentence.plain)) &&
      !isPreamble(sentence.plain),
  );
}

/** "Hang on. … Sorry, you were saying?": what stands between is meant for others. */
function asideRange(sentences: readonly Sentence[]): { from: number; to: number } | null {
  const from = sentences.findIndex(({ plain }) => turnsAway.test(plain));
  const to = sentences.findLastIndex(({ plain }) => turnsBack.test(plain));
  return from === -1 || to <= from ? null : { from, to };
}
