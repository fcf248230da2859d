import { denies } from '../language/polarity.ts';
import type { Sentence } from '../language/text.ts';
import type { CallPlan } from '../plan/call-plan.ts';
import type { Heard } from './understanding.ts';

/*
 * Whom we have reached, by what they say of themselves. Nothing about a patient is told before that is clear: numbers in
 * records are wrong, and whoever picks up in a private home has no right to hear it.
 */

type Callee = CallPlan['callee'];

/** Words by which places of each kind name themselves. */
const placeWords = {
  medical:
    /\b(?:clinics?|allergy|asthma|pain|spine|heart|kidney|cancer|sleep|vein|foot|podiatr\w+|skin|hearing|vision|steps|medical|medicine|doctor'?s|dr\.? [a-z]+'s|physicians?|practice|hospital|health ?care|health (?:center|partners|group|system|associates|services)|family (?:health|care|practice)|urgent care|primary care|pa?ediatrics?|[a-z]{3,}ology|orthop[a-z]*|ortho|dental|dentist\w*|[a-z]+dont(?:ics|ist)|surge(?:ry|ons?)|surgical|wellness|women's health|specialists|imaging|radiology|(?:physical|occupational|speech) therapy|rehab\w*|psychiatr\w+|psychology|counsell?ing|optometr\w+|eye (?:care|center)|patient (?:services|access|care)|front desk|reception(?:ist)?|scheduling|schedulers?|appointments?|nurse|care center|medical records|office)\b/,
  insurance:
    /\b(?:insurance|insurers?|health plans?|mutual|assurance|blue (?:cross|shield)|provider (?:services|line|relations|support|help|assistance|department)|member services|benefits?|eligibility|claims|claim (?:department|line|office|center|services)|reimbursements?|coverage|customer (?:service|care)|verification|utilization|payer)\b/,
  business:
    /\b(?:pharmacy|labs?|laborator(?:y|ies)|billing|records|company|services|office|department|center|centre|associates|group|institute|agency|school|library|reception|front desk|inc|llc)\b/,
} as const;

/** Which words name the kind of place that we look for. */
const lookedFor: Record<Callee, readonly RegExp[]> = {
  clinic: [placeWords.medical],
  insurer: [placeWords.insurance],
  'claims-department': [placeWords.insurance],
  office: [placeWords.medical, placeWords.insurance, placeWords.business],
};

/** Businesses that nobody makes an appointment of health or asks for benefits with. */
const otherBusiness =
  /\b(?:pizz\w*|restaurant|grill|caf[eé]|bakery|diner|bistro|deli|hotel|motel|inn|bank|credit union|auto(?:s|motive| (?:repair|body|parts|shop|sales))?|garage|tires?|law (?:firm|offices?)|attorneys?|plumb\w+|roofing|electric(?:al)?|heating|salon|barber\w*|nails?|store|shop|supermarket|florist|flowers?|hardware|academy|church|real estate|realty|construction|cleaners|laundry|moving|taxi|cab|car wash|gas station|theat(?:er|re)|cinema|veterinar\w+|animal|pet|daycare|kindergarten|landscaping|towing|storage|furniture|travel|gym|fitness|residence|household|home of)\b/;

const offerAtTheEnd =
  /[,.]? *\b(?:how|what) (?:can|may|could) (?:i|we)\b.*$|, *(?:who|what|can|may|could|am i|is this|do you|are you|and who)\b[^,]*\?$/;

/**
 * Whether the person says, without being asked, that they are the kind of place we look for. A name of their own, a
 * greeting, an offer of help and a question prove nothing: anybody says them.
 */
export function presentsAsRightPlace(heard: Heard, callee: Callee): boolean {
  const said = heard.sentences.map(({ plain }) => plain).join(' ');
  if (otherBusiness.test(said)) return false;
  return heard.sentences.some((sentence) => namesPlace(sentence, callee));
}

function namesPlace(sentence: Sentence, callee: Callee): boolean {
  const plain = sentence.plain.replace(offerAtTheEnd, '');
  const isQuestion = sentence.isQuestion && plain === sentence.plain && !isGreetingAsked(plain);
  if (plain === '' || isQuestion || denies(plain)) return false;
  if (!lookedFor[callee].some((words) => words.test(plain))) return false;
  // "Claim? What claim?" names nothing, it wonders.
  if (/\b(?:what|who|whose|huh|somebody|someone)\b/.test(plain)) return false;
  // "I have an appointment at two" is said by anybody; whoever picks up names the place and little else.
  return (
    /\b(?:this is|you've reached|you have reached|you reached|thank(?:s| you) for (?:calling|holding)|welcome to|speaking|we are|we're|it's|here|good (?:morning|afternoon|evening|day))\b/.test(
      plain,
    ) ||
    (plain.split(' ').length <= 6 && !aboutSomebody.test(plain)) ||
    lookedFor[callee].some((words) => words.test(/^[^,]{4,40}(?=,)/.exec(plain)?.[0] ?? ''))
  );
}

/** Whoever speaks of themselves or of us has not named a place: "I'm hard of hearing." */
const aboutSomebody = /\b(?:i|i'm|i've|i'd|my|me|you|your|you're|he|she|we don't|don't)\b/;

/** "Clinic, hello?", "Lakeview Allergy?": said in the tone of a question. */
function isGreetingAsked(plain: string): boolean {
  return (
    /\bhello\?$/.test(plain) ||
    (plain.split(' ').length <= 4 &&
      !/^(?:what|which|who|is|are|a|an|the|you|my|for|do|did|why|any|from)\b/.test(plain))
  );
}

const agrees =
  /^(?:(?:um|uh|oh|well|and|hi|hello)[, ]+)*(?:yes|yeah|yep|yup|ya|correct|right|that's (?:us|me|right|correct)|that is (?:us|correct|right)|you (?:have|did|sure have|sure did|got it|got us)|you've (?:reached|got) (?:us|me|the|it)|this is (?:it|us|them|correct|the)|it is|it sure is|we are|certainly|absolutely|of course|indeed|mm-?hmm|uh-?huh)\b/;

/** Whether these words answer "Have I reached …?" with yes. A yes that asks back, "Yes?" or "Yes, who is this?", does not. */
export function agreesToBeRightPlace(heard: Heard, callee: Callee): boolean {
  if (otherBusiness.test(heard.sentences.map(({ plain }) => plain).join(' '))) return false;
  if (heard.sentences.every(({ isQuestion, plain }) => isQuestion || isName(plain))) return false;
  const wonders = heard.questions.some(({ topic }) => topic.startsWith('caller'));
  return heard.sentences.some(({ plain, isQuestion }) => agrees.test(plain) && !isQuestion && !wonders);
}

/** "This is Tom.", "Tom speaking." */
function isName(plain: string): boolean {
  return /\bthis is (?!it\b|us\b|the\b|correct\b|right\b)|\bspeaking\b/.test(plain);
}

/** Only the right kind of place offers help with it, has openings to offer, or can say that it has none. */
export function offersBusiness({ signals, sentences }: Heard, callee: Callee): boolean {
  const helps = sentences.some(({ plain }) =>
    /\b(?:how (?:can|may|could) (?:i|we)|i can (?:help|assist)|(?:happy|glad) to (?:help|assist)|what can i do for)\b/.test(
      plain,
    ),
  );
  if (helps || callee !== 'clinic') return helps;
  return (
    signals.has('no-openings') ||
    signals.has('takes-nobody') ||
    sentences.some(
      ({ plain }) =>
        /\b(?:i|we)(?:'ve| have| can do| could do|'ve got| do have)\b.*\b(?:\w+day|tomorrow|week|opening|\d)/.test(
          plain,
        ) && !denies(plain),
    )
  );
}

/** "My husband wants to talk to you.", "Here's my manager.": the telephone goes to somebody else. */
export function handsOver({ sentences }: Pick<Heard, 'sentences'>): boolean {
  return sentences.some(
    ({ plain }) =>
      /\b(?:my|his|her|our|the) (?:husband|wife|spouse|partner|son|daughter|mother|mom|father|dad|sister|brother|roommate|boss|manager|supervisor|colleague|coworker)\b/.test(
        plain,
      ) && /\b(?:here's|here is|talk|speak|take (?:this|it|over)|get|grab|wants|put|ask)\b/.test(plain),
  );
}

/** A no to "Have I reached …?" that names no other department of the same place. */
export function deniesToBeRightPlace(heard: Heard): boolean {
  return heard.sentences.some(
    ({ plain, isQuestion }) =>
      !isQuestion &&
      /^(?:(?:um|uh|oh|well|sorry|hi|hello|i'm sorry|i'm afraid)[, ]+)*(?:no|nope|nah|negative|not really|you have(?:n't| not)|it(?:'s| is) not|it isn't|this is(?:n't| not)|that's not)\b(?! problem| worries| idea)/.test(
        plain,
      ),
  );
}

/** Departments of the right kind of place that cannot help, by how they name themselves. */
const departments: Record<Callee, RegExp> = {
  clinic:
    /\b(?:billing|pharmacy|prescriptions?|refills?|medical records|records|lab(?:oratory)?|radiology|nurse(?:'s)? line|human resources|accounts?|finance|claims?|security|cafeteria|parking)\b/,
  insurer: /\b(?:claims?|pharmacy|billing|appeals?|sales|enrollment|technical support|dental|vision)\b/,
  'claims-department':
    /\b(?:eligibility|benefits|pharmacy|sales|enrollment|technical support|prior authorizations?|authorizations?)\b/,
  office: /(?!)/,
};

/** The desks that can help. */
const ownDesk: Record<Callee, RegExp> = {
  clinic:
    /\b(?:schedul\w+|appointments?|front desk|reception\w*|patient (?:services|access|care)|main (?:line|office))\b/,
  insurer:
    /\b(?:benefits?|eligibility|providers?|member services|verification|customer (?:service|care)|coverage)\b/,
  'claims-department': /\b(?:claims?|reimbursements?|providers?|member services|customer (?:service|care))\b/,
  office: /(?:)/,
};

const presents =
  /\b(?:you've reached|you have reached|you reached|this is|thank(?:s| you) for calling|welcome to|you're (?:speaking|talking) (?:with|to))\b/;

/** Somebody or something of another department speaks: "You have reached billing", "Pharmacy, this is Lou." */
export function isOtherDepartment({ sentences }: Pick<Heard, 'sentences'>, callee: Callee): boolean {
  return sentences.some(({ plain }, index) => {
    const text = plain.replace(offerAtTheEnd, '');
    const found = departments[callee].exec(text);
    if (found === null || ownDesk[callee].test(text) || text.split(' ').length > 12) return false;
    // "For billing, press 1" and "the billing is separate" present nobody.
    const ahead = text.slice(0, found.index).trim();
    if (/\b(?:press|say|for|if|to|or|not|about)$/.test(ahead)) return false;
    return (
      presents.test(text) || (index === 0 && (ahead === '' || /^(?:hi|hello|no|good \w+)[,.]?$/.test(ahead)))
    );
  });
}
