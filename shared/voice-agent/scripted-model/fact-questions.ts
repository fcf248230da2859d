import { masked, type Placed } from '../language/mentions.ts';
import type { Sentence } from '../language/text.ts';
import type { FactTopic } from '../plan/call-plan.ts';

/** What the other side may want to know from us: facts of the plan, things about ourselves, and things nobody told us. */
export type AskedTopic =
  | FactTopic
  | 'caller'
  | 'caller-is-machine'
  | 'caller-relationship'
  | 'callback-number'
  | 'insurance-details'
  | 'insurance-type'
  | 'service-date'
  | 'diagnosis'
  | 'tax-id'
  | 'social-security'
  | 'gender'
  | 'fax'
  | 'payment-method'
  /** Parts of the address, for whoever wants no more than that. */
  | AddressPart
  /** "Number?": the one that the other side looks things up by. */
  | 'main-number';

export type AddressPart = 'street' | 'city' | 'zip-code';

export interface AskedQuestion {
  readonly topic: AskedTopic;
  readonly sentence: Sentence;
  /** The value is wanted letter by letter. */
  readonly spelled: boolean;
}

interface TopicPattern {
  readonly topic: AskedTopic;
  readonly pattern: RegExp;
  /** Recognised without a request around it, because the words themselves are one. */
  readonly isRequestItself?: true;
}

const owner =
  "(?:the |a |your |his |her |their |this |that )?(?:patient|member|subscriber|client|person|caller|beneficiary|insured|customer)(?:'s|s'|s)?";

/** What is kept under a patient's name. */
const theirMatter =
  '(?:claim|case|bill|invoice|file|account|policy|chart|prescription|order|request|records?|results?|referral|authorization|reservation)';

/*
 * In order: where places overlap, the earlier pattern wins, so the special ones stand before the general ones.
 */
const topics: readonly TopicPattern[] = [
  {
    topic: 'caller-is-machine',
    pattern:
      /\b(?:are you|is this|am i (?:speaking|talking) (?:to|with)|you(?:'re| are)) (?:really |just |actually )?(?:an? |one of (?:those|these|them) )?(?:actual |real |live )?(?:robots?|bots?|machines?|computers?(?: voices?)?|ai\b|a\.i|automated|human|person|recording|recorded|virtual)/g,
    isRequestItself: true,
  },
  {
    topic: 'caller',
    pattern:
      /\b(?:is (?:this|it)|are you|this (?:isn't|is not)) (?:really |just |some (?:kind|sort) of |an? |some )*(?:scam|spam|prank|sales(?: call)?|telemarket\w*|robo ?call|joke|fraud|legit\w*|for real|reading (?:that|this|it)? ?(?:from|off) a script|survey)\b/g,
    isRequestItself: true,
  },
  {
    topic: 'caller-relationship',
    pattern:
      /\b(?:what(?:'s| is) (?:your|the) relation(?:ship)?(?: to| with)?|your relation(?:ship)? to|how are you related|are you (?:the |a )?(?:patient|member|subscriber|provider|doctor|family|relative|spouse|parent|guardian)\b|are you (?:calling )?(?:from|with|on behalf of) (?:a |the |an )?(?:provider|doctor|office|practice|facility|patient|member)|am i (?:speaking|talking) (?:to|with) (?:the |a |an )?(?:member|patient|subscriber|provider|policy ?-?holder|doctor)|are you (?:authorized|a provider|an authorized|the (?:member|provider))|provider or (?:a )?member|member or (?:a )?provider)/g,
    isRequestItself: true,
  },
  {
    topic: 'callback-number',
    pattern:
      /\b(?:call ?-?back (?:phone )?(?:number|#)|(?:number|phone)(?: number)? (?:to|where|that|at which) (?:i|we) (?:can |could |may |should )?(?:call|reach|ring)(?: you)?(?: back)?|(?:your|good|best) (?:phone |contact |telephone |callback )?number(?! (?:for|of) (?:her|him|them|the patient|the member))|reach you|in case we(?:'re| are| get)? (?:get )?(?:disconnected|cut off))/g,
  },
  {
    topic: 'email',
    pattern: /\be-?mail(?: address)?\b/g,
  },
  {
    topic: 'date-of-birth',
    pattern:
      /\b(?:dates? of birth|birth ?-?dates?|birth ?days?|d[. ]?o[. ]?b\b\.?|(?:was|were|is) (?:he|she|they|the patient|the member) born|born on|year of birth|how old)/g,
  },
  {
    topic: 'social-security',
    pattern: /\b(?:social(?: security)?(?: number)?|ssn|last (?:4|four) of (?:the|their|her|his))\b/g,
  },
  { topic: 'tax-id', pattern: /\b(?:tax ?(?:id|identification)?(?: number)?|t\.?i\.?n\b|e\.?i\.?n\b)/g },
  { topic: 'referral-npi', pattern: /\bnpi\b[^.?!]{0,30}\breferring|referring[^.?!]{0,30}\bnpi\b/g },
  {
    topic: 'provider-npi',
    pattern: /\b(?:n\.?p\.?i\b\.?(?: number)?|national provider (?:identifier|id|number))/g,
  },
  {
    topic: 'claim-number',
    pattern:
      /\b(?:claim|case|file|icn|dcn)(?: (?:id|number|#|reference|no\.?))+(?: number)?\b|\bnumber (?:of|for|on) (?:the|that|this|your) (?:claim|case)\b|\b(?:which|what) claim\b|\bclaim (?:number )?or (?:the )?(?:bill|invoice|account|case) (?:number|id)\b|\b(?:bill|invoice|account|case) or claim number\b/g,
  },
  {
    topic: 'bill-number',
    pattern:
      /\b(?:bill|invoice|account|statement)(?: (?:id|number|#|no\.?))+\b|\bnumber (?:of|on|at the top of) (?:the|your) (?:bill|invoice|statement|account)\b/g,
  },
  {
    topic: 'secondary-insurance',
    pattern:
      /\b(?:secondary|other|additional|second) (?:insurance|coverage|policy|insurer)\b|\bcoordination of benefits\b/g,
  },
  {
    topic: 'group-number',
    pattern: /\bgroup(?: (?:id|number|#|no\.?|name))+\b|\bwhat group\b/g,
  },
  {
    topic: 'member-id',
    pattern:
      /\b(?:(?:member(?:ship)?|subscriber|policy|insurance|identification|id|i\.d\.|enrollee|beneficiary|(?<!\b(?:a|credit|debit|bank|gift) )card|patient)(?:'s|s')?(?: holder)? ?(?:id|i\.d\.|identification|number|#|no\.?)(?: number| card)?|id (?:number|#)?(?= (?:on|from) (?:the|their|her|his) card)|numbers? (?:on|off|from) (?:the|their|her|his) (?:insurance )?card|(?:the|their|her|his|an?|any|and|just|member|that) id\b|^id\b)/g,
  },
  {
    topic: 'insurance-details',
    pattern: /\binsurance (?:information|info|details|card)\b/g,
  },
  {
    topic: 'plan-name',
    pattern:
      /\b(?:(?:what|which) (?:type of |kind of )?(?:insurance |health )?plan|plan name|name of (?:the|their|her|his) (?:insurance |health )?plan|hmo or (?:a )?ppo|ppo or (?:an? )?hmo)\b/g,
  },
  {
    topic: 'insurer',
    pattern:
      /\b(?:(?:what|which|whose|who(?:'s| is)?|any|name of(?: the)?|have|has|type of|kind of|with|their|her|his|have an?y?|through|using) (?:the |their |her |his |your |an? |health |medical |primary )*(?:insurance|insurer|payer|payor|coverage|carrier)\b(?: (?:company|carrier|provider|plan|do|does|will|is|are|would|they|she|he))*|(?:insurance|payer) (?:company|carrier|provider|name)|self[- ]pay|insured with|insurance\?|how (?:will|is) (?:the |this |it )?(?:patient |visit )?(?:be )?pay)/g,
  },
  {
    topic: 'relationship',
    pattern:
      /\brelation(?:ship)? (?:of the patient )?to (?:the )?(?:subscriber|policy ?-?holder|insured)\b|\b(?:the )?(?:subscriber|policy ?-?holder|member) or (?:an? |the )?(?:dependent|spouse)|\bdependent or\b|\b(?:are|is) (?:they|he|she|the patient) (?:the )?(?:primary )?(?:subscriber|policy ?-?holder|primary)\b/g,
  },
  {
    topic: 'subscriber',
    pattern:
      /\b(?:(?:primary )?(?:subscriber|policy ?-?holder|insured|cardholder)(?:'s)?(?: name)?|whose (?:policy|insurance|plan) is)\b/g,
  },
  {
    topic: 'referral',
    pattern:
      /\b(?:from (?:who|whom|which (?:doctor|provider|practice|office))\b|referrals?|referred|who (?:sent|is sending)|referring (?:doctor|provider|physician|practice))\b/g,
  },
  {
    topic: 'procedure-codes',
    pattern:
      /\b(?:c\.?p\.?t\b\.?(?: codes?)?|(?:procedure|billing|service|hcpcs|procedural) codes?|which codes?|what codes?|codes? (?:are|is|do|for))\b/g,
  },
  {
    topic: 'diagnosis',
    pattern:
      /\b(?:diagnos(?:is|es|tic codes?|ed)|icd(?:[- ]?10)?(?: codes?)?|medical condition|medical history|(?:what|which|any|her|his|their|list of|the) (?:current )?(?:medications?|prescriptions?|drugs?|medicines?)(?! (?:(?:is|was) )?(?:under|ready|for|number|list|refill))|(?:is|are) (?:she|he|they) (?:on|taking))\b/g,
  },
  {
    topic: 'service-date',
    pattern:
      /\b(?:dates? of (?:the )?services?|service dates?|d\.?o\.?s\b|date (?:of|for) (?:the|that|this) (?:visit|claim|treatment|appointment)|(?:what|which) (?:day|date) (?:was|were|did|is) (?:it|she|he|they|the (?:patient|member|visit|service))[^.?!]{0,20}(?:seen|treated|go|visit|there|performed|done|service)|(?:what|which) (?:day|date) (?:she|he|they|the patient) (?:was|were) (?:seen|treated|there)|when (?:was|were|did) (?:the )?(?:service|visit|treatment|she|he|they|patient)[^.?!]{0,30}(?:seen|visit|treated|rendered|performed|provided|take place|done))\b/g,
  },
  {
    topic: 'amount',
    pattern:
      /\b(?:(?:billed|bill|claim|charged?|total|invoice|dollar) (?:amount|charges?|total)|(?:what(?:'s| is)|and) the amount(?: (?:on|of|for) (?:it|that|this)(?: one)?)?(?=[?.]*$)|amount (?:billed|of the (?:bill|claim)|charged|on the (?:bill|claim))|total charges?|how much (?:was|is|were) (?:the )?(?:bill|claim|charge|it|billed)(?:ed)?(?: for)?)\b/g,
  },
  {
    topic: 'gender',
    pattern: /\b(?:gender|male or female|sex|pronouns?)\b/g,
  },
  { topic: 'fax', pattern: /\b(?:your|their|the provider's|a|good) fax(?: number)?\b/g },
  {
    topic: 'payment-method',
    pattern:
      /\b(?:(?:credit|debit|bank) card(?: number)?|a card number|card on file|method of payment|payment method|deposit|pay (?:today|now|over the phone))\b/g,
  },
  {
    topic: 'primary-care-provider',
    pattern: /\b(?:primary care (?:doctor|physician|provider)|p\.?c\.?p\b|family doctor|regular doctor)/g,
  },
  {
    topic: 'preferred-provider',
    pattern:
      /\b(?:(?:which|what|preferred|particular|specific|certain|any|a) (?:particular |specific |preferred |of our )*(?:doctor|provider|physician|dr\b|clinician|dentist|specialist)(?:'s)?(?:s)?\b(?: (?:would|do|does|are|is|did|should|they|she|he|you|in mind|preference))*|(?:doctor|provider|physician) (?:preference|in mind|(?:would|do|does) (?:they|she|he|you|the patient) (?:prefer|want|like|usually see|normally see|see))|who (?:do|does|would|did) (?:they|she|he|you|the patient) (?:usually |normally |typically |like to |want to |need to |wish to |prefer to )?see\b|with whom|preference (?:of|for|on|in|as to) (?:a |the |which )?(?:doctor|provider|physician|clinician)|see anyone in particular|male or female (?:doctor|provider))/g,
  },
  {
    topic: 'provider-address',
    pattern: /\b(?:provider|practice|facility|office|doctor|clinic)(?:'s)? address\b/g,
  },
  {
    topic: 'provider-name',
    pattern:
      /\b(?:(?:rendering|ordering|treating|billing|servicing|requesting|performing) (?:provider|physician|doctor|facility)(?:'s)?(?: name)?|(?:provider|doctor|physician)(?:'s)? (?:name|first|last|info|information)|name of (?:the |your )?(?:provider|doctor|physician)|(?:which|what) provider|who(?:'s| is) the (?:provider|doctor|physician)|provider(?: is)? (?:this|it) (?:is )?for|(?<!(?:of|for|with) (?:the |that |this |your )?)(?:provider|doctor)\?)/g,
  },
  {
    topic: 'facility',
    pattern:
      /\b(?:(?:name of |which |what )(?:the |your )?(?:practice|facility|clinic|hospital|office|location|company|organization|group)|(?:practice|facility|office|group|clinic) name|where are you calling from|where (?:is|was) the (?:service|visit|procedure)|who(?:m)? are you (?:calling )?(?:with|from)|calling from|what company)\b/g,
  },
  {
    topic: 'existing-appointment',
    pattern:
      /\b(?:(?:(?:which|what|when(?:'s| is| was)?)(?! (?:kind|type|sort))|current|existing|original|old|scheduled|details of|date of)[^.?!]{0,25}\bappointment\b(?: (?:is|was|did|date|time|currently|they|she|he|to|you|now|do|would|are|on|for|scheduled))*|when (?:was|is) (?:it|she|he|that|the patient) (?:originally |currently |scheduled|supposed))/g,
  },
  {
    topic: 'reschedule-reason',
    pattern: /\b(?:reason|why)\b[^.?!]{0,40}\b(?:resched|chang|mov|cancel)/g,
  },
  {
    topic: 'service',
    pattern:
      /\b(?:(?:what|which|type of|kind of) (?:type of |kind of |specific )?(?:services?|procedures?|treatments?|tests?)\b|what(?:'s| is) the (?:services?|procedures?|treatment|test)\b|(?:services?|procedures?) (?:are|is|do|will|would|in question|being|code)|what (?:are|is) (?:you|it|this|the patient|she|he|they) (?:looking|checking|calling|verifying)[^.?!]{0,20}\b(?:for|about|done|verified))/g,
  },
  {
    topic: 'visit-reason',
    pattern:
      /\b(?:reasons? (?:for|of|is|does|behind)|what(?:'s| is| are| was| would| will| does| do)?[^.?!]{0,40}\b(?:seen for|coming in for|come in for|visit for|appointment for|be for|it for|this for|that for|for\?|need to be seen|bringing|brings|regarding|looking to (?:be seen|come in) for|need(?:s|ing)? (?:the |an )?appointment)|(?:what|which) (?:kind|type|sort) of (?:an? )?(?:appointment|visit|exam|consult)|(?:type|kind) of (?:appointment|visit)|symptoms?|complaints?|chief complaint|nature of (?:the|your|this) (?:visit|appointment|problem)|what(?:'s| is) (?:going on|wrong|the problem|the issue|the concern|bothering)|concerns?\b|why (?:does|do|is|are) (?:she|he|they|the patient)|(?:physical|checkup|check-up|follow-up|sick visit|routine)[^.?!]{0,30}\bor\b|the visit is for|visit (?:type|reason))/g,
  },
  {
    topic: 'patient-status',
    pattern:
      /\b(?:(?:new|existing|established|current|returning)[^.?!]{0,25}\bpatients?\b|new or (?:existing|established|returning)|(?:been|come|seen|visited)[^.?!]{0,30}(?:here|before|us|by (?:one of )?our|our (?:office|clinic|practice)|with us|in the past)|first (?:time|visit)(?: here| with us)?|in our (?:system|records)|patient (?:here|of ours|with us|status)|(?:one of|already) (?:ours|our patients)|new (?:to|with) us|brand[- ]new(?: patient)?|(?:been|come) in before|have (?:a|her|his|their) chart)\b/g,
  },
  {
    topic: 'previous-visits',
    pattern:
      /\b(?:last (?:visit|appointment|time (?:she|he|they) (?:was|were))|previous visits?|when (?:was|were) (?:she|he|they|the patient) last)\b/g,
  },
  {
    topic: 'phone',
    pattern:
      /\b(?:(?:phone|telephone|cell(?: ?phone)?|mobile|contact|daytime|home|best)(?:'s)? ?(?:phone )?(?:number|#|no\.?)|phone on file|(?:number|phone) (?:for|of) (?:the |this )?(?:patient|member|her|him|them)|reach (?:him|her|them|the patient)(?: at)?)\b/g,
  },
  {
    topic: 'zip-code',
    pattern:
      /\b(?:(?:home|mailing|billing|her|his|their|the|your|that|what|which|and) )*(?:zip(?: ?codes?)?|postal codes?)\b/g,
  },
  {
    topic: 'city',
    pattern:
      /\b(?:what|which|and|her|his|their) city\b|\b(?:the )?city (?=and (?:state|zip))|\bcity (?:and state )?(?:of residence|(?:she|he|they) lives? in)|\bwhat town\b|^(?:the )?city\b/g,
  },
  {
    topic: 'street',
    pattern:
      /\b(?:what|which|and|the) (?:street(?: name)?|house number)\b(?! address)|^street\b(?! address)/g,
  },
  {
    topic: 'address',
    pattern:
      /\b(?:(?:home|mailing|street|billing|current|patient's|member's|their|her|his|the|an|your) ?(?:home |mailing |street )?address|address(?: on file)?|where (?:does|do) (?:she|he|they|the patient) live)\b/g,
  },
  {
    topic: 'last-name',
    pattern: new RegExp(
      `\\b(?:${owner} )?(?<!first and )(?<!first or )(?:last name|surname|family name)(?! and first)`,
      'g',
    ),
  },
  {
    topic: 'first-name',
    pattern: new RegExp(`\\b(?:${owner} )?(?<!last and )(?:first name|given name)(?! and last)`, 'g'),
  },
  {
    topic: 'patient-name',
    pattern:
      /\bwhose (?:appointment|visit|name|chart)\b|\bwho(?:'s| is| are| would| will| do)?[^.?!]{0,30}\b(?:appointment|visit|calling|it|this|that|scheduling|booking|call|looking up) (?:for|about|regarding|on behalf of)\b/g,
  },
  {
    // "Whose claim is it", "who's it under", "what name's the bill under"
    topic: 'patient-name',
    pattern: new RegExp(
      `\\bwhose (?:is|was) (?:it|this|that|the ${theirMatter})\\b|\\bwho(?:se|'?s) ${theirMatter}(?= (?:is|are|was|do|am)\\b|[?.]|$)|\\bwho(?:'s| is| was) (?:it|this|that|(?:the|this|that) ${theirMatter}) (?:for|under|in)\\b|\\b(?:what|which|whose) name(?:'s| is| was)? (?:it|this|that|(?:the|this|that) ${theirMatter})(?: filed| listed| registered)? (?:under|in|on)\\b`,
      'g',
    ),
    isRequestItself: true,
  },
  {
    topic: 'patient-name',
    pattern:
      /\bwho(?:'s| is| are)? (?:we(?:'re| are)?|are we|am i) (?:talking about|speaking about|getting in|seeing|looking (?:for|at|up)|booking|scheduling|bringing in)|\bwho (?:is|are) (?:she|he|they)\b(?! (?:calling|with))|\bwho(?:'s| is) (?:it|this|that|the (?:appointment|visit)) for|\bwho(?:'s| is) (?:the |your |our )?(?:member|patient|subscriber|client|beneficiary)\b|\b(?:what|which|whose) name (?:is|was|would|should)\b[^.?!]{0,30}\b(?:under|on|in)\b|\bname (?:is it|it's|it is) under|\bfirst and last(?: name)?(?=[.?,!]|$| please)|\bwho (?:do|did) you (?:want|need) (?:me )?to (?:see|look up|schedule|book)|\bname on the (?:account|file|chart|card|policy|claim)/g,
    isRequestItself: true,
  },
  {
    topic: 'caller',
    pattern:
      /\b(?:your (?:full |first |last |first and last )?name|who(?:'s| is| am i| do i have the pleasure| are you| might be| may i say is)(?: (?:this|calling|speaking|talking|with|to|i'm|am))*\b(?! (?:the|your|their|her|his|she|he|they|we|insurance|it for|the patient))|(?:may|can|could) i ask who|who(?:'s| is) on the (?:line|phone)|name,? please and where)/g,
  },
  {
    topic: 'main-number',
    pattern: /^(?:and |okay,? )?(?:the |your |what's the |what is the )?numbers?(?: please)?[?.]*$/g,
  },
  {
    topic: 'patient-name',
    pattern: new RegExp(
      `\\b(?:${owner} (?:(?:full|first and last|last and first|legal|complete) )*names?|names? (?:of|for) ${owner}|(?:first and last|last and first|full|legal) names?|(?:his|her|their|a|the|that|and|get|have|with|need) names?\\b|names?(?=,| and| please|\\?|$)|who(?:'s| is| are| would| will| do)?[^.?!]{0,30}\\b(?:appointment|visit|calling|it|this|that|scheduling|booking|call|looking up) (?:for|about|regarding|on behalf of)|who(?:'s| is| was| will be| would be)? (?:the patient|needs? to be seen|(?:be )?coming in|to be seen)|(?:which|what) (?:patient|member)\\b|for whom|on whose behalf|who (?:are|am) (?:we|you|i) (?:scheduling|booking|seeing|calling|looking))`,
      'g',
    ),
  },
  {
    topic: 'treatment',
    pattern:
      /\b(?:(?:what|which|type of|kind of) (?:treatment|procedure|service|surgery|test)[^.?!]{0,20}(?:performed|done|provided|received|claim|have|get|billed)|what was (?:done|performed|the claim for))\b/g,
  },
  {
    topic: 'specialty',
    pattern:
      /\b(?:(?:what|which) (?:specialty|speciality|department|kind of (?:doctor|specialist))|specialty|speciality)\b/g,
  },
  {
    topic: 'timeframe',
    pattern:
      /\b(?:when (?:would|were|are|is|do|does|can|could|should|will|works?)\b[^.?!]{0,60}|(?:what|which) (?:days?|times?|dates?|day and time|days? of the week|days? (?:and|or) times?|time of day|timeframe|time frame|week|works|would work|availability|were you|did you have|do you have in mind|are you looking for)\b(?! (?:the appointment|is the|are you open))[^.?!]{0,60}|how soon|(?:any|a|have a|day|time|scheduling) (?:particular |specific |certain |preferred )?(?:day|time|date|preference)s?\b(?: (?:in mind|preference|of (?:the )?(?:day|week)|preferred))*|(?:morning|afternoon|early|late|weekday)s?[^.?!]{0,30}\bor\b[^.?!]{0,30}\b(?:afternoon|morning|evening|late|later|weekend)s?|morning person|(?:earlier|later) in the (?:day|week|morning|afternoon)|prefer(?:red|ence|s)?\b[^.?!]{0,40}\b(?:day|time|morning|afternoon|week)s?|availability|time ?frame|sooner or later|soonest|looking (?:to come in|to be seen)|(?:he|she|they|the patient|you) (?:available|free|prefer|have in mind))\b/g,
  },
];

/** Words that ask for what comes after them. */
const requestFrame =
  /\b(?:can (?:i|you|we) (?:please |just |also |get |have |take |grab |give |tell |provide |verify |confirm |spell |start )|could (?:i|you|we)\b|may i\b|might i\b|would you (?:mind )?(?:giv|tell|provid|spell|confirm|verif|repeat)|(?:i|we)(?:'ll| will|'d| would)? (?:just |also |still |first |then |only |really |do )*(?:need|require|have to have|like to (?:have|get|verify|confirm))|you(?:'ll| will)? need to (?:give|tell|provide)|let me (?:just |first |also )?(?:get|have|take|grab|start with|verify|confirm)|let's (?:start|begin) with|(?:i|we)(?:'ll| will) (?:take|start with|go with|have|want|grab)|start(?:ing)? with|give me|tell me|go ahead (?:and give|with)|i'm (?:just )?(?:looking for|missing|going to need)|please (?:give|tell|provide|state|say|spell|verify|confirm|repeat|have)|(?:provide|verify|confirm|spell|state) (?:the|your|his|her|their|that|it|me|for)|have you got|do you (?:happen to )?have|for the record|(?:just|still|only|also) (?:need|missing|wanting)\b|(?:say|read|gimme|lemme (?:get|have))(?: me| off| out)* (?:the|that|her|his|their|your)\b|i don't have|(?:can't|cannot|couldn't|not|didn't|unable to|not able to) (?:find|finding|locate|locating|match|pull|pulling|see|seeing|catch|get|hear|understand)|doesn't match|does not match|not (?:coming|showing|pulling) up)\b/;

/** Questions that speech recognition left without a question mark. */
const questionOpener =
  /^(?:(?:and|so|okay|ok|great|perfect|alright|all right|sure|thank you|thanks|then|now|also|well|um|uh|or|but)[, ]+)*(?:what|when|where|who|whom|whose|which|why|how|is|are|was|were|do|does|did|has|have you|have they|had|will|would|could|can|may|should)\b/;

/** The next thing on a form: "thank you, noted, and the mailing address for the packet". */
const listed =
  /^(?:(?:okay|ok|all right|alright|great|perfect|thank you|thanks|noted|got it|good|wonderful|excellent|lovely|i see|right|yes|sure|now|so|then|next)[,. ]+)*(?:and|then|next|now) (?:the|her|his|their|your|a|what about|how about|also)\b(?!.*\b(?:is|are|was|were|has|have|had|can|could|will|would|does|do|did|should|must|paid|met|covers?|needs?|applies)\b)/;

/** What may stand around the thing asked for when nothing else is said: "And the date of birth, please." */
const aroundFragment =
  /\b(?:and|or|the|a|an|your|his|her|their|please|okay|ok|great|perfect|thank you|thanks|sure|so|then|also|now|next|first|last|full|for|of|this|that|patient(?:'s)?|member(?:'s)?|alright|all right|too|as well|again|sir|ma'am|good|um|uh)\b|[\s.,;:!?-]+/g;

/** What is said beside the thing asked for: "claim number, if you have it", "just the name to finish up". */
const besideFragment =
  /\bif you (?:have|got|know|happen to have) (?:it|one|that|them|it handy)\b|\b(?:to|so i can) (?:start|begin|finish(?: up)?|pull (?:it|her|him|them|that) up|verify|confirm|look (?:it|her|him|them|that) up)\b|\bfor (?:me|verification|security|hipaa|my records|the record|the file)\b|\b(?:just|only|got it|noted|real quick|whenever you're ready|when you're ready|go ahead|if i may|once more|one more time|to me|so far|uh-?huh|mm-?hmm?|yep|yes|yeah|copy(?: that)?|on file|handy|any|now|hon|honey|dear|sweetie|sugar|darling|love|(?:on|for|of|off|from) (?:the |this |that |your |her |his |their )?(?:patient|member|card|file|claim|bill|doctor|provider|physician|account|subscriber|policy|her|him|them|it|that|you)|where (?:you're|you are|are you))\b/g;

/** The other side offers to tell us something: not a question for a fact of ours. */
const offers =
  /\b(?:would you like|do you want|did you want|shall i|should i|can i (?:give|offer) (?:you )?(?:the|our|a|another)\b|could i (?:give|offer)|let me give|i can give|i could give|i'll give|do you need (?:the|our|that|a|their|me|anything)|need me to|want me to|would it help|(?:do you )?have (?:a )?pen)\b/;

/** Whether a sentence offers us something: "would you like me to fax it?" */
export function isOffer(plain: string): boolean {
  return offers.test(plain) && !/\b(?:what|which|when|who|how)\b/.test(plain);
}

/** Telling us where or how we could get something. */
const tells =
  /\b(?:you can (?:find|call|reach|fax|send|mail|use|submit|request)|(?:our|my) (?:fax|phone|number|address|email|name)|(?:fax|phone|address|number|name) is\b|is on the (?:card|back)|you(?:'ll| will) (?:find|get|receive)|we (?:will|'ll) (?:send|mail|call|fax|contact|reach)|i have (?:the|her|his|their|that|your)|i found|i see|i've got|got the|thanks for the|thank you for the|that's the)\b/;

/** What the sentences ask us for, in the order in which it is asked; the same thing only once. */
export function findAskedQuestions(sentences: readonly Sentence[]): AskedQuestion[] {
  const found: AskedQuestion[] = [];
  for (const sentence of sentences) {
    for (const question of questionsOf(sentence)) {
      if (!found.some(({ topic }) => topic === question.topic)) found.push(question);
    }
  }
  return withoutParts(found);
}

function questionsOf(sentence: Sentence): AskedQuestion[] {
  const { plain } = sentence;
  if (isOffer(plain) || isInstruction.test(plain)) return [];
  const matches = topicMatches(plain);
  if (matches.length === 0) return [];
  const isQuestion = sentence.isQuestion || (questionOpener.test(plain) && !tells.test(plain));
  const rest = masked(plain, matches)
    .replaceAll('·', '')
    .replaceAll(besideFragment, ' ')
    .replaceAll(aroundFragment, ' ');
  const isFragment = rest.trim() === '';
  const frame = requestFrame.exec(plain);
  const asked = matches.filter(
    (match) =>
      isQuestion ||
      isFragment ||
      match.isRequestItself ||
      /^ (?:is|are|will be) (?:required|needed|necessary)\b|^,? please\b/.test(plain.slice(match.end)) ||
      (/\bplease[.! ]*$/.test(plain) && !tells.test(plain)) ||
      listed.test(plain) ||
      isLastWish(plain, match) ||
      (frame !== null && frame.index < match.end && !tells.test(plain.slice(frame.index + frame[0].length))),
  );
  // "What benefits are you looking for?" asks for our questions, not for a reason.
  const isForQuestions = /\b(?:what|which) (?:\w+ ){0,3}(?:benefits?|information|details|questions?)\b/.test(
    plain,
  );
  const meant = isForQuestions ? asked.filter(({ topic }) => topic !== 'visit-reason') : asked;
  return firstOfAlternatives(plain, meant).map(({ topic }) => ({
    topic,
    sentence,
    spelled: /\bspell/.test(plain),
  }));
}

/** "Okay S M X 5 5 1, and the birthday": what stands at the end, after what was read back. */
function isLastWish(plain: string, { start, end }: TopicMatch): boolean {
  const ahead = plain.slice(0, start);
  return (
    /^(?:,? please| on (?:that|it|her|him|them)| too)?[.! ]*$/.test(plain.slice(end)) &&
    (/\d[, ]+(?:and )?(?:the |her |his |their |your |a )?$/.test(ahead) ||
      /\b(?:entered|noted|typed|recorded|got|have|found) (?:that|it|this|them|her|him)[, ]+and (?:the |her |his |their |your |a )?$/.test(
        ahead,
      ))
  );
}

interface TopicMatch extends Placed {
  readonly topic: AskedTopic;
  readonly isRequestItself: boolean;
}

function topicMatches(plain: string): TopicMatch[] {
  const found: TopicMatch[] = [];
  for (const { topic, pattern, isRequestItself = false } of topics) {
    for (const match of plain.matchAll(pattern)) {
      const place = { start: match.index, end: match.index + match[0].length };
      if (found.some(({ start, end }) => start < place.end && place.start < end)) continue;
      found.push({ topic, isRequestItself, ...place });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** "The provider's name or NPI": one of the two is enough, and what is enough is all that is told. */
function firstOfAlternatives(plain: string, matches: readonly TopicMatch[]): TopicMatch[] {
  return matches.filter((match, index) => {
    const previous = matches[index - 1];
    return (
      previous === undefined ||
      !/^,? ?(?:or|and\/or)(?: (?:the|a|an|your|their|his|her|just))*[ ]?$/.test(
        plain.slice(previous.end, match.start),
      )
    );
  });
}

/** What the patient should do is not asked of us. */
const isInstruction =
  /^(?:(?:and|so|okay|also|then|yes|great)[, ]+)*(?:please )?(?:have (?:her|him|them|the patient)|(?:she|he|they|the patient) (?:should|will need to|needs to|has to|must|can)|come|arrive|bring|be here|remember|make sure|tell (?:her|him|them|the patient))\b|\b(?:bring|arrive)\b/;

/** The whole name answers a question for its parts, and "what insurance" one for its details. */
function withoutParts(questions: readonly AskedQuestion[]): AskedQuestion[] {
  const topicsAsked = new Set(questions.map(({ topic }) => topic));
  const bothNames = topicsAsked.has('first-name') && topicsAsked.has('last-name');
  return questions.flatMap((question) => {
    const { topic } = question;
    if (bothNames && topic === 'last-name') return [];
    if (bothNames && topic === 'first-name') return [{ ...question, topic: 'patient-name' as const }];
    if (
      topic === 'patient-name' &&
      !bothNames &&
      (topicsAsked.has('last-name') || topicsAsked.has('first-name'))
    ) {
      return [];
    }
    return [question];
  });
}
