/*
 * What words do in a telephone call apart from their content: putting on hold, asking to repeat, ending the call.
 * Patterns look into plain text (lower case, plain quotes).
 */

export type LineSignal = keyof typeof signalPatterns;

const signalPatterns = {
  voicemail:
    /\b(?:leave|record) (?:us |me |him |her )?(?:a|your) (?:brief |detailed |short |quick |voice )?(?:message|name)|\b(?:after|at) the (?:tone|beep)\b|\b(?:not|n't|unable) (?:currently )?(?:available|able|here)? ?(?:to (?:take|answer|come to)) (?:your|the) (?:call|phone)|\bvoice ?mail\b|\bmailbox\b/,
  'wrong-number':
    /\bwrong (?:number|house|person|place)\b|\bno ?(?:one|body) (?:here )?(?:by|with) that name|\b(?:this|that|it) (?:is not|isn't|ain't) (?:a |an |the |any |your )?(?:clinic|doctor|medical|insurance|hospital|insurer|health|dental|dentist|business|office|company|pharmacy)|\b(?:we(?:'re| are)|i(?:'m| am)) (?:not (?:a |an |the |your )?(?:clinic|doctor|medical|insurance|hospital|health|office|business|company)|an? (?:pizz\w+|restaurant|barber|hair|nail|auto|car|law|hardware|bakery|flower|school|hotel|plumb\w*|private|grocery|tire|body shop|caf[eé]|salon|florist|garage))|\b(?:this|it)(?:'s| is) (?:just )?(?:a |an |my |our |the )?(?:own )?(?:private|home|house|residence|personal|cell|mobile|pizz\w+|restaurant|flower|bakery|hardware|barber|landline|apartment|family home|hair|nail|salon|auto (?:shop|repair|body)|car wash|hotel|bar\b|grocery|school\b|law (?:firm|office)|wrong)|\bprivate (?:residence|home|house|number|line|person|phone)\b|\byou(?:'ve| have|'re)? (?:must have |must be |probably |likely )?(?:(?:got |have |dial(?:l)?ed |called )?the wrong|misdial(?:l)?ed|dial(?:l)?ed (?:wrong|incorrectly))|\bmis-?dial|\b(?:no|not any|isn't (?:a|any)|is no) (?:such )?(?:clinic|doctor|doctor's office|medical office|insurance company|office|company|hospital|business|pharmacy)(?: like that| by that name)? (?:here|at this)|\bnot (?:a |your )?(?:clinic|doctor's office|medical office|insurance company|business)\b|\b(?:i|we) (?:don't|do not) (?:work|have) (?:at|for|in|any|a|an) (?:a |an |any )?(?:clinic|doctor|hospital|insurance|medical|patients|office|appointments?)/,
  'opt-out':
    /\b(?:don't|do not|never|stop|quit|no more) (?:you )?(?:dare )?(?:ever )?(?:call(?:ing|s)?|phon(?:e|ing)|contact(?:ing)?|bother(?:ing)?|ring(?:ing)?) (?:here|us|me|this|again|back|any ?more|to this)|\bnever (?:ever )?call\b|\b(?:take|remove|get|delete|drop) (?:us|me|this number|our number|my number|this line|the number)\b(?: \w+)? ?(?:off|from|out)?|\b(?:off|from) (?:of )?(?:your|the|this|that) (?:calling |call |phone )?list\b|\bdo[- ]not[- ]call\b|\bcease and desist|\blose (?:this|my|our) number|\bno (?:more|further) calls\b|\bopt (?:me |us )?out\b|\bunsubscribe\b|\bblock(?:ing)? (?:this|your) number/,
  'wants-human':
    /\b(?:can|could|may|might) (?:i|we) (?:please )?(?:speak|talk) (?:to|with) (?:an? )?(?:real |actual |live )?(?:human|person|somebody|someone)\b|\b(?:i|we)(?:'d| would)? ?(?:want|like|need|prefer|rather) (?:to )?(?:speak|talk|deal)(?:ing)? (?:to|with) (?:an? )?(?:real |actual |live )?(?:human|person|somebody|someone)\b(?! else)|\b(?:put|get|give) (?:me )?(?:an? |your )?(?:real |actual |live )?(?:human|person|supervisor)(?: being)? (?:on|to)|\bget me an? (?:real |actual |live )?(?:human|person)|\b(?:is there|do you have|isn't there) (?:an? )?(?:real |actual |live )?(?:human|person|somebody|someone) (?:i|we|that i|there|on)|\b(?:let me|transfer me to|connect me (?:to|with)) (?:talk|speak)?(?: to| with)? ?(?:an? )?(?:real |actual |live )?(?:human|person)\b/,
  refusal:
    /\b(?:don't|do not|won't|will not|not going to|refuse to|never|rather not|not (?:comfortable|willing)(?: to)?|can't|cannot|not allowed to|not able to|no longer) (?:want to |wish to |like to )?(?:speak|talk|deal|work|interact|communicate|speaking|talking|dealing|accept|take|do)(?: to| with)? (?:(?:an?|any|to|with|calls? from|these|your|calls?|automated|ai) )*(?:robots?|machines?|bots?|a\.?i\.?\b|automated|computers?|recordings?|assistants?|robo ?calls?)|\bnot interested\b|\bno (?:robots|bots|machines|robocalls|robo ?calls|solicit\w*|thank you,? (?:we|i)(?:'re| are|'m| am) not)\b|\b(?:have|get|let) (?:a |an )?(?:real|actual|human|live)(?: human| live)? (?:person|being|human)?\s?(?:call|to call|on the)|\bonly (?:speak|talk|deal|work)(?:ing)? (?:to|with) (?:actual |real |live )?(?:humans?|people|a (?:human|person|real|live))|\b(?:don't|do not|doesn't) (?:consent|agree) to (?:be|being|the|this)|\b(?:don't|do not) (?:want|wish|like) to be recorded|\bleave (?:us|me) alone|\b(?:hate|against) (?:these )?(?:robots?|robo ?calls?|automated)|\b(?:not|n't|never|refuse|against)\b[^.?!]{0,40}\bto an? (?:machine|robot|computer|bot|automated|recording|ai\b)|\b(?:an? )?(?:real |actual )?(?:human|person) (?:can|may|should|must|has to|needs to) call|\bhave (?:someone|somebody|a person) (?:real |human )?call\b/,
  'call-again':
    /\b(?:call|try|ring) (?:us |me |her |him |them |again |back )*(?:back|again) (?:later|tomorrow|in (?:a|an|the|about|\d)|after|on monday|on tuesday|on wednesday|on thursday|on friday|at \d|another|when|next|during|around|between|this afternoon|first thing)|\b(?:call|try) (?:back|again)(?: please)?[.?!]*$|\b(?:we(?:'re| are)|the (?:office|clinic|department) is|our office is) (?:currently |now |already )?closed(?: for (?:the (?:day|night|weekend|holiday|evening)|lunch|today)| right| now| today| at (?:the moment|this time)|$|\.)|\b(?:systems?|computers?)(?:'s| is| are)? (?:is |are )?(?:currently |completely |all )?(?:down|offline|out)\b|\bnetwork(?:'s| is) (?:currently |completely )?(?:down|offline|out)\b(?! of\b)|\b(?:not a good|a bad) time\b|\bno ?(?:one|body) (?:is )?(?:here|available|who can help)[^.?!]{0,20}(?:right now|at the moment|today|until)|\b(?:scheduler|manager|person|lady|colleague|she|he)[^.?!]{0,30} (?:not in(?= (?:today|yet|now|right|until|till|this|at|on|either)\b|[,.!]|$)|out (?:today|sick|until)|at lunch|gone for the day|won't be (?:back|in))/,
  transfer:
    /\b(?:transfer|connect|forward|patch|redirect)(?:ring|ing|ting)? (?:you|the call|this call|your call)\b|\b(?:put|send) you through\b|\blet me (?:transfer|get you (?:over )?to|pass you)|\bpass you (?:on|over) to|\b(?:let me|lemme|i'll|i will|i can|i'm gonna|i'm going to) (?:go )?(?:buzz|ring|page|fetch|get you) (?!(?:the|that|a|an|those|these|some|your|her|him|his|our|this|more|in|into|on|set|scheduled|taken|started|up|it|all|back|over|down|out|any|with|for|then)\b)[a-z]+[.!]*$|\bhand you (?:over |off )?to/,
  hold: /\b(?:one|just an?|a|1|give me (?:an?|one|just a)|hang on (?:an?|one)|just one|two|2|couple(?: of)?|few) (?:quick |more )?(?:moments?|seconds?|secs?|minutes?|mins?)\b(?! (?:early|before|late|visit|appointment|slot|long|ago))|\b(?:hold|hang) on\b|\bbear with me\b|\b(?:please )?hold,? (?:please|the line|for)\b|^(?:please )?hold[.!]*$|\b(?:let me|i'll|i will|i'm (?:just )?going to|i am going to|gonna|i'm) (?:just |go ahead and |quickly |also |need to |have to )?(?:check|checking|look|looking|see (?:what|if|here|when)|pull|pulling|find|get (?:that|you|into|your|to|back)|grab|bring|open|ask|take a look|double[- ]check|verify|put you on|place you on|log|type)\b|\b(?:put|place) you on (?:a )?(?:brief |short |quick )?hold|\b(?:mind|can you|could you|please|would you) (?:please )?hold(?:ing)?\b(?! (?:that|this))|\bstand by\b|\bwhile i (?:look|check|pull|get|find)|\b(?:system|computer|screen)(?:'s| is) (?:running |being )?(?:a (?:bit|little) |so |really |very )?(?:slow|loading|thinking|taking)|\blet(?:'s| us| me) see\b|\bwhere (?:is|did|was) (?:that|my|it|the (?:sheet|paper|list|book|page|file)|i)\b|^(?:(?:okay|ok|so|well|oh|um|uh)[, ]+)*(?:let me|hang on|hold up|wait(?: a (?:minute|second|moment|sec))?)[,.… ]*$|\b(?:it|that|this)(?:'s| is) (?:still )?(?:loading|thinking|being slow)\b|\bswitch(?:ing)? over\b|\bwritten down somewhere\b|\bpulling up\b/,
  repeat:
    /\b(?:could|can|would|will) you (?:please )?(?:repeat|say (?:that|it|again)|run that|go over|speak up|rephrase)|\brepeat (?:that|it|yourself|please|the)|\bsay (?:that|it|again)(?: again| please| one more)|^(?:i'm |i am )?(?:sorry|pardon(?: me)?|excuse me|what|huh|come again|again|say what)[?.,! ]*$|\bpardon(?: me)?\?|\bcome again\b|\bwhat(?:'s| was| is| did you say)(?: that| it)?(?: again)?\??$|^(?:sorry|pardon|i'm sorry|excuse me)[,. ]+(?:what|who|come again)\b.{0,12}$|\bwhat did you (?:just )?say|\b(?:did|do)(?:n't| not) (?:quite )?(?:catch|hear|understand|follow)\b|\bdid(?:n't| not) (?:quite )?get\b|\b(?:can't|couldn't|can barely|cannot|can hardly|hard(?:ly)?(?: to)?) (?:hear|understand|make (?:that|you) out)|\bwhat was (?:the|your) question|\bone more time\b|\b(?:more slowly|slower|slow down|louder|speak up)\b|\bbreaking up\b|\bcut(?:ting)? out\b|\bi missed (?:that|what)/,
  'still-there':
    /^(?:hello|hi|hey)?[\s?!.,]*(?:is )?(?:any(?:one|body)|somebody|someone) there|\bare you (?:still )?(?:there|with me|on the line)|^(?:hello|hallo)[?!. ]+(?:hello[?!. ]*)*$|\b(?:can|do) you hear me|\byou (?:still )?there\?/,
  goodbye:
    /\b(?:good ?-?bye|bye(?:-| )?bye|bye|have a (?:very )?(?:good|great|nice|wonderful|lovely|blessed|fantastic|pleasant) (?:day|one|afternoon|evening|weekend|night|rest)|take care(?! of)|talk to you (?:later|soon)|farewell|so long)\b/,
  'anything-else':
    /\b(?:anything|something|what) (?:else|more|further)\b(?! (?:is|was) (?:missing|needed))|\bis there more\b|\bany (?:other|more|further|additional) (?:questions?|concerns?|information|issues)|\b(?:is|was|will|would) that (?:be )?(?:all|it|everything)\b|^(?:(?:okay|ok|so|and|alright|great|uh|um|well)[, ]+)*that(?:'s| is)? (?:all|it|everything)\?$|\bother (?:questions|benefits) (?:do|did|would|can|that)/,
  'offer-to-help':
    /\bhow (?:can|may|could|might) (?:i|we) (?:help|assist|be of|direct)|\bwhat (?:can|may) (?:i|we) (?:do|help|get)|\bhow (?:can|may) i\b|\byou want what\b|\b(?:don't|do not) understand what\b|\bwhat (?:do|did|would|can) you (?:need|like to know|want to know|like|want|looking|help)|\b(?:what|which) (?:(?:type|kind|sort)s? of )?(?:information|benefits?|details|coverage) (?:do|did|would|are|can|is|should|were)|\bwhat(?:'s| is| are) (?:your|the|this|it|that) (?:first |next )?(?:call |calling )?(?:questions?|about|regarding|concerning|in reference to|request)|\bgo (?:right )?ahead\b|\b(?:i'm|i am) (?:ready|listening)|\bi can (?:help|assist)(?: you)?(?: with)?|\b(?:happy|glad) to (?:help|assist)|\bfire away\b|\bshoot\b|\bpurpose of (?:your|the|this) call|\bwhat(?:'s| is) (?:this|that|it) (?:about|regarding|for|concerning)\b|\bcalling (?:about|regarding|for)\?|\bwhat about\?$|\b(?:i|we) have (?:the|her|his|their|that|your|it|this) (?:member|patient|policy|account|file|claim|record|chart)?[^.?!]{0,20}(?:pulled up|up|open|here|in front)/,
  'wrong-department':
    /\bwrong (?:department|line|extension|office|desk)\b|\b(?:need|have|want) to (?:speak|talk|call|contact|reach)(?: (?:to|with))? (?:the |our |a )?(?:billing|claims|scheduling|benefits|eligibility|provider|member|customer|front|appointment)/,
  'needs-principal':
    /\b(?:only|have to|must|can only) (?:speak|talk|give|release|discuss|share|disclose|provide|accept|schedule)[^.?!]{0,50}\b(?:patient|member|subscriber|policy ?-?holder|provider|authorized|directly)|\b(?:patient|member|provider|doctor|subscriber)(?:'s office)?(?: (?:themselves|herself|himself))? (?:needs?|has|have|must|will have|would have|would need|should|'d have)(?: to)? call|\b(?:she|he|they)(?: would|'d| will|'ll)? (?:have|need)s? to call (?:us )?(?:herself|himself|themselves|directly)|\b(?:signed|written|valid) (?:authorization|release|consent)(?: form)?[^.?!]{0,25}\b(?:on file|before (?:i|we)|first)\b|\b(?:authorization|release|consent)(?: form)? on file (?:before|first|to)|\bonly with the (?:member|patient|provider|subscriber)|\bneed (?:the )?(?:patient|member|provider)(?:'s)? (?:consent|authorization|permission|to call)|(?<!\b(?:was|were|been|service|procedure|treatment|visit|it) )\b(?:you(?:'re| are)|(?:i|we)(?:'m|'re| am| are)|caller is|(?:she|he|they)(?:'s|'re| is| are)) not (?:an )?authorized|\bnot an authorized|\bwritten (?:consent|authorization) (?:from|of|first|before|on file)|\b(?:can't|cannot|not able to|unable to|not allowed to|can not) (?:speak|talk|discuss|release|share|disclose|give)[^.?!]{0,40}\b(?:third part|anyone|you\b|without (?:the )?(?:patient|member|consent|authorization)|automated|over the phone|with an? )/,
  'cannot-help':
    /\bonly (?:schedule|book|take appointments|make appointments|do (?:that|it|this)) (?:online|through|via|by|in person)|\b(?:can't|cannot|don't|do not|not able to) (?:schedule|book|make|take|do) (?:that|it|this|appointments?|anything)?[^.?!]{0,20}(?:over the phone|by phone|on the phone)|\b(?:have|need|must|will have|'ll have) to (?:go to|use|visit|book (?:on|through|via)|schedule (?:on|through|via)) (?:our|the) (?:website|portal|app|site)/,
  'cannot-go-on':
    /\b(?:can't|cannot|not able to|unable to|won't be able to|couldn't|can not) (?:go (?:any )?(?:on|further)|proceed|continue|look (?:that|it|anything|this|them|her|him) up|help (?:you )?|access|pull|do (?:that|anything|it)|book|schedule|find|verify|move forward|give|disclose|release|share|discuss|tell|open|talk|speak|provide)[^.?!]{0,50}\bwithout\b|\b(?:then |so )?i (?:can't|cannot) help you(?:,? i'm afraid| with (?:this|that))\b|\bwithout (?:that|it|this|the)[^.?!]{0,40}\b(?:can't|cannot|won't|i'm afraid|unable|not able)/,
  /** They take nobody, or nobody new, at whatever time. */
  'takes-nobody':
    /\b(?:closed|not open|isn't open) to (?:any |all )?new (?:patients|clients|people)|\b(?:panel|practice|schedule|books?)(?:'s| is| are) (?:full|closed)\b.{0,40}\b(?:new|patients?|panel|waiting list)\b|\bpanels?(?:'s| is| are) (?:full|closed|shut)|\b(?:not|n't|no longer|stopped) (?:currently |really |even )?(?:been )?(?:tak(?:e|en|ing)|accept(?:ed|ing)?|add(?:ed|ing)?|see(?:n|ing)?|book(?:ed|ing)?) (?:on )?(?:any(?:body|one)? )?(?:a )?new\b|\b(?:can't|cannot|can not|not able to|unable to|won't be able to) (?:take|add|accept|see|get|fit|put|squeeze) (?:on )?(?:her|him|them|you|any(?:body|one)?|(?:any |a )?new)(?: new)?(?: (?:patients?|clients?))?(?: (?:on|in|on the list|on a list))?\b|\b(?:no|none|nobody|don't|doesn't|not)\b.{0,30}\b(?:has |have |got )?(?:any )?room for (?:anybody|anyone|any|a)? ?(?:new|more)|\bwait(?:ing|ing-)? ?list(?:'s| is)? (?:also |too )?(?:full|closed|shut)/,
  'no-openings':
    /(?:(?:\bnot|n't) (?:currently )?(?:accepting|taking|seeing)(?: any)?(?: new)? (?:patients|appointments)|(?:completely|fully|totally|all|entirely) (?:booked|full)|booked (?:up|solid|out)|no (?:openings|appointments|availability|slots|open slots|times|spots)|(?:don't|do not) have (?:any(?:thing)?|an opening|openings|availability|a slot)|nothing (?:available|open|at all|left|else|like that|until|before|then|that|in)|schedule is full|(?:we|they|he|she)(?:'re| are|'s| is) full)\b/,
  thanks: /\b(?:thank you|thanks|thank u|appreciate)\b/,
  'small-talk': /\bhow are you\b(?! related)|\bhow(?:'s| is) (?:your day|it going)|\bhow are you doing/,
  acceptance:
    /\b(?:does|do|would|will|could|can|is|are|if) (?:that|this|it|either|any|one|those|these|they|both|the \w+|tuesday|monday|wednesday|thursday|friday)(?: of (?:those|these|them))?(?: time| day| one| date)? (?:sound|work|be (?:okay|ok|fine|good|all right|possible|suitable)|okay|ok|good|fine|suit|fit|help|do)\b|\b(?:shall|should|can|may|want me to|would you like me to|do you want me to|would you like to|like me to|do you want to) (?:i |we |me )?(?:go ahead (?:and|with)|book|reserve|schedule|take|put|grab|hold|pencil)|\b(?:which|what) (?:one |time |day |of (?:those|these|them|the \w+) )?(?:would|do|works?|should|is|shall|can)[^.?!]{0,30}(?:prefer|like|best|want|work|better|book|take)|\bwould you like (?:that|it|one|the|to (?:take|book|schedule|go))|\bdoes (?:that|it|either)\b|\bsound good|\bwould (?:he|she|they|you|the patient) (?:like|prefer|take|want)|\bhow about\b|\bwhat about\b|\bokay with you|\bwork for (?:you|them|her|him|the patient)/,
  'check-back':
    /\b(?:is|was) (?:that|this|it) (?:right|correct|accurate|okay|ok)\b|(?:^|[,;] |\bso )(?:correct|right|yes|okay|ok|all right|alright|is it)\?$|\bdid i (?:get|hear|understand) (?:that|it|you)|\bjust to (?:confirm|verify|be sure|make sure)|\bto confirm\b|\bso (?:that's|that is|that was|it's|you said)\b|\b(?:you said|did you say)\b|\blet me (?:read|repeat|confirm|verify|make sure)/,
} as const satisfies Record<string, RegExp>;

/** The signals in one plain text. */
export function signalsIn(plain: string): Set<LineSignal> {
  const found = new Set<LineSignal>();
  for (const name of signalNames) {
    if (signalPatterns[name].test(plain)) found.add(name);
  }
  return found;
}

const signalNames: readonly LineSignal[] = [
  'voicemail',
  'wrong-number',
  'opt-out',
  'wants-human',
  'refusal',
  'call-again',
  'transfer',
  'hold',
  'repeat',
  'still-there',
  'goodbye',
  'anything-else',
  'offer-to-help',
  'wrong-department',
  'needs-principal',
  'cannot-help',
  'cannot-go-on',
  'takes-nobody',
  'no-openings',
  'thanks',
  'small-talk',
  'acceptance',
  'check-back',
];
