import { isHedged, openingPolarity } from '../../language/polarity.ts';
import { plainOf } from '../../language/text.ts';
import type { PlanItem } from '../../plan/call-plan.ts';
import { contentWords, firstRun, statementsOf } from '../statements.ts';
import { isFiller } from './chatter.ts';
import type { FoundAnswer, Reply } from './reply.ts';

export type DetailKey =
  | 'denial_reason'
  | 'send_documents_to'
  | 'expected_decision'
  | 'expected_payment'
  | 'appeal_deadline'
  | 'authorization_process'
  | 'instructions';

/** How details are recognised that nobody asked for. */
const volunteered: Record<DetailKey, RegExp> = {
  denial_reason:
    /\b(?:denied|denial|rejected|declined|not approved|kicked (?:it )?back|turned (?:it )?down|bounced|thrown out|n't pay|not pay)\b.*\b(?:because|due to|since|for (?!that|the claim|it|your|this)\w+|as (?:the|it|there|a|not)|reason|was not|were not|wasn't)\b|\b(?:denial|reason|remark) codes?\b|\btimely filing|\bfiling limit|\bnot medically necessary|\bduplicate (?:claim|submission)|\b(?:the )?reason (?:for (?:the )?denial )?(?:is|was|given|code)\b/,
  send_documents_to:
    /\b(?:fax|mail|send|upload|submit)\b.*\b(?:to|at|through|via|portal)\b.*(?:\d|portal|online|website|e-?mail|p\.?o\.?)/,
  expected_decision:
    /\b(?:decision|determination|processed|processing|finali[sz]ed|completed|resolved|review(?:ed)?|expect|takes?|allow|another|up to|should (?:be|have|hear))\b.*\b(?:\d+(?: to \d+|-\d+)? (?:business |working |calendar )?(?:days?|weeks?|months?)|next week|end of the (?:week|month))\b|\bwithin \d+ (?:business |working |calendar )?(?:days?|weeks?)\b/,
  expected_payment:
    /\b(?:payment|check|it|funds?|deposit)\b.*\b(?:will|should|going to|expect(?:ed)?|scheduled)\b.*(?:\d|week|month|monday|tuesday|wednesday|thursday|friday)/,
  appeal_deadline:
    /\bappeal\b.*\b(?:\d+ (?:calendar |business )?(?:days?|months?)|until|by|deadline|before)\b|\b\d+ (?:calendar |business )?(?:days?|months?)\b.*\bappeal\b/,
  authorization_process:
    /\b(?:auth\w*|pre-?cert\w*|approval|it|that|one)\b.*\b(?:request(?:ed)?|submit(?:ted)?|obtain(?:ed)?|initiated?|call|fax|apply|appl(?:y|ied))\b.*(?:\d|portal|online|website|fax|phone)|\b(?:request|submit|obtain|initiate|start)\b.*\b(?:it|that|one|auth\w*|pre-?cert\w*|approval)\b.*(?:\d|portal|online|website|fax|phone)/,
  instructions:
    /\b(?:bring|arrive|fasting|fast (?:for|from|after)|photo i\.?d|insurance card|paperwork|forms?|minutes? (?:early|before|prior)|early|wear|stop taking|drink plenty|empty stomach|driver's license|list of medications?)\b/,
};

const ofDenial =
  /^(?:claim|deni\w*|denial|reject\w*|status|show\w*|sorry|see|right|exactly|correct|other|question|line|didn't|don't|pay|paid|kick|back|turn|turned|down|bounc|bounced|thrown|okay|yeah|yep|one|january|february|march|april|june|july|august|september|october|november|december|\d.*)$/;

const destination =
  /\d|\b(?:fax\w*|portal|online|website|e-?mail\w*|mail\w*|address|upload\w*|p\.?o\.? box|dot com|department|attention|office|directly|same (?:place|way|address))\b/;

/** Words that tell when or how long. */
const timeSpan =
  /\b(?:day|week|month|year|hour)s?\b|\b(?:immediately|today|tomorrow|soon as|\w+day|january|february|march|april|may|june|july|august|september|october|november|december|never|no deadline|any ?time)\b|\d\/\d/;

/** The form of an answer that nothing else tells apart: times, places, ways. */
const vagueTime =
  /\b(?:soon|while|depends|varies|usually|shortly|hard to say|sure|long|process|next|end of)\b/;
const canBe: Record<DetailKey, RegExp> = {
  denial_reason: /[a-z]{4}/,
  send_documents_to: destination,
  expected_decision: new RegExp(`${timeSpan.source}|${vagueTime.source}|\\d`),
  expected_payment: new RegExp(`${timeSpan.source}|${vagueTime.source}|\\d`),
  appeal_deadline: new RegExp(`${timeSpan.source}|${vagueTime.source}|\\d`),
  authorization_process:
    /\d|\b(?:call|fax|portal|online|website|web|form|submit|send|request|phone|through|via|provider|doctor|physician|office|department|management|e-?mail|mail|upload|fill)\b/,
  instructions: /[a-z]{3}/,
};

/** What an answer cannot be, though it came after the question. */
const codes = /\b(?:\d[ -]?){5,}|\b[a-z]{1,3}[ -]?\d{3,}/;
const otherMatters = /\b(?:fax|phone|p\.?o\.? box)\b|\$|\b(?:\d[ -]?){7,}/;
const cannotBe: Record<DetailKey, RegExp> = {
  denial_reason: /\bfax|\bp\.?o\.? box|^(?:the )?(?:claim|reference|member) number/,
  send_documents_to: /^\$/,
  expected_decision: otherMatters,
  expected_payment: otherMatters,
  appeal_deadline: otherMatters,
  authorization_process: /^\$|\b(?:hmo|ppo|epo|coinsurance|co-?pay|deductible)\b/,
  instructions: new RegExp(`${codes.source}|\\bfor your records\\b`),
};

/** Details that are no answer without a time. */
const asksWhen: ReadonlySet<DetailKey> = new Set([
  'expected_decision',
  'expected_payment',
  'appeal_deadline',
]);

export function detailAnswer(
  reply: Reply,
  item: PlanItem,
  key: DetailKey,
  isAsked: boolean,
): FoundAnswer | null {
  const { sentences, said } = reply;
  const cued = sentences.filter(({ isQuestion, plain }) => !isQuestion && volunteered[key].test(plain));
  if (!isAsked) {
    const quote = firstRun(said, sentences, cued);
    return quote === '' ? null : { key: item.key, answer: quote, value: null, quote, isVague: false };
  }
  const all = statementsOf(sentences);
  // What leads up to the answer is not part of it; what follows may be.
  const firstCued = all.findIndex((sentence) => cued.includes(sentence));
  const statements = key === 'instructions' || firstCued === -1 ? all : all.slice(firstCued);
  const quote = firstRun(said, sentences, statements);
  if (key === 'instructions' && (quote === '' || isNothing.test(plainOf(quote)))) {
    const no = sentences.find(({ plain, isQuestion }) => !isQuestion && openingPolarity(plain) === 'no');
    return no === undefined
      ? null
      : { key: item.key, answer: 'nothing special', value: null, quote: no.text, isVague: false };
  }
  if (quote === '' || statements.every(({ plain }) => isFiller(plain))) return null;
  if (
    firstCued === -1 &&
    !statements.some(({ plain }) => canBe[key].test(plain) && !cannotBe[key].test(plain))
  )
    return null;
  // "That claim was denied." gives no reason.
  const givesReason = contentWords(statements.map(({ plain }) => plain).join(' ')).some(
    (word) => !ofDenial.test(word),
  );
  if (key === 'denial_reason' && !givesReason) return null;
  const lacksTime = statements.every(
    ({ plain }) =>
      !(asksWhen.has(key) ? timeSpan : figure).test(plain) && !/\b(?:day|week|month)s?\b/.test(plain),
  );
  const lacksPlace = key === 'send_documents_to' && !statements.some(({ plain }) => destination.test(plain));
  const isVague =
    lacksPlace || (lacksTime && (asksWhen.has(key) || statements.every(({ plain }) => isHedged(plain))));
  return { key: item.key, answer: quote, value: null, quote, isVague, isLoose: firstCued === -1 };
}

const isNothing =
  /^(?:(?:no|nope|nah|not really|nothing|nothing special|nothing else|nothing in particular|none|that's (?:all|it)|that is all|not that i know of|no need|no thanks|no thank you|not at all|don't think so|i don't think so|just (?:come|show up|be on time)|she's all set|he's all set|they're all set|you're all set)[\s,.!]*)+$/;

/** Words that tell how much, how long or when. */
export const figure =
  /\d|\b(?:noon|midnight|monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|tomorrow|never|none|daily|weekly|monthly|immediately|same day|next day|one|a week|a day|a month|an hour|free|always|anytime|once|twice)\b/;
