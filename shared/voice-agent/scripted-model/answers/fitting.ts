import { findDays } from '../../language/day-mentions.ts';
import { nameInReply } from '../../language/names.ts';
import { openingPolarity } from '../../language/polarity.ts';
import type { Sentence } from '../../language/text.ts';
import { findMoney, findPercentages } from '../../language/values.ts';
import type { PlanItem } from '../../plan/call-plan.ts';
import { contentWords } from '../statements.ts';
import { isFiller } from './chatter.ts';
import { figure } from './detail-answers.ts';
import { findPhoneNumber } from './phone-numbers.ts';

/*
 * Whether words can answer a question of a client's own: by what they speak of, or by the form that it asks for.
 */

/** Words that speak of one thing. */
const kin: readonly string[] = [
  'price cost fee charge dollar run pay',
  'address locate location street avenue suite road building floor parkway boulevard drive',
  'hour open close closed schedule',
  'holiday thanksgiving christmas easter labor memorial',
  'weekend saturday sunday',
  'evening night late',
  'doctor physician dr provider specialist',
  'fast fasting eat drink food breakfast empty stomach',
  'child children kid pediatric teen minor',
  'record chart copy',
  'report result reading read',
  'park parking garage lot valet',
  'email e-mail mail',
  'website online portal web site',
  'appointment visit slot opening',
  'walk-in walk',
  'wait waiting line',
  'insurance medicare medicaid plan',
  'wheelchair ramp accessible elevator',
  'deadline due until within',
  'transport ride shuttle bus',
  'spanish interpreter language translator',
  'weight pound lbs heavy',
  'vaccine shot flu vaccination immunization',
];

function stem(word: string): string {
  return word.slice(0, 6);
}

const kinOf = new Map<string, readonly string[]>();
for (const family of kin) {
  const stems = family.split(' ').flatMap((word) => [word, ...contentWords(word)].map(stem));
  for (const word of stems) kinOf.set(word, [...(kinOf.get(word) ?? []), ...stems]);
}

const generic = new Set('patient patien tell ask many long soon often much there'.split(' '));

const topics = new Map<string, ReadonlySet<string>>();

/** What a question speaks of, with words of the same thing. */
function topicOf(question: string): ReadonlySet<string> {
  const known = topics.get(question);
  if (known !== undefined) return known;
  const text = question.toLowerCase();
  const words = contentWords(/\bhow much\b/.test(text) ? `${text} price` : text)
    .map(stem)
    .filter((word) => !generic.has(word));
  const topic = new Set(words.flatMap((word) => [word, ...(kinOf.get(word) ?? [])]));
  // Every task brings its own questions; the few of one call are what is worth keeping.
  if (topics.size >= 200) topics.clear();
  topics.set(question, topic);
  return topic;
}

/** How many words of a question's topic are in the words. */
export function topicShare(question: string, plain: string): number {
  const topic = topicOf(question);
  return new Set(
    contentWords(plain)
      .map(stem)
      .filter((word) => topic.has(word)),
  ).size;
}

type Form = 'time' | 'place' | 'person' | 'way' | 'any';

function formOf(question: string): Form {
  const text = question.toLowerCase();
  if (
    /\b(?:when\b|what time|how (?:long|late|early|soon|often|far in advance)|hours\b|(?:which|what) days?\b|deadline|turnaround|by what|(?:earliest|latest|best|exact|start|opening|closing|arrival|check-?in|drop-?off) time)/.test(
      text,
    )
  )
    return 'time';
  if (/\bwhere\b|\baddress\b|\blocated\b|\blocation\b/.test(text)) return 'place';
  if (/\bwho(?:m|se)?\b|\bname of\b|\b(?:which|what) (?:doctor|pharmacist|nurse|person)/.test(text))
    return 'person';
  if (/\bhow (?:can|do|does|should|would|could|is|are|may|must|will)\b/.test(text)) return 'way';
  return 'any';
}

const places =
  /\d|\b(?:street|avenue|road|boulevard|drive|lane|parkway|highway|suite|floor|building|plaza|mall|lobby|desk|counter|window|room|office|entrance|door|hall|wing|lot|garage|corner|behind|across|next to|near|upstairs|downstairs|portal|website|online|e-?mail|fax|mail|downtown|same place|here)\b/;
const people =
  /\b(?:dr\b|doctor|nurse|pharmacist|manager|supervisor|receptionist|technician|assistant|clerk|physician|anyone|anybody|everyone|whoever|he|she|they|the \w+ (?:department|office|team|desk)|department|staff|patient|parent|member)\b/;
/** "It goes to clinical archives", "put attention medical records on it" */
const named =
  /\b(?:goes? to|called|known as|addressed? (?:it |them |that )?to|ma[dk]e (?:it |them |that )?out to|sen[dt] (?:it |them |that )?(?:over )?to|attention|attn|care of|put|write|under the name|the name(?:'s| is))\b(?! (?:you|me|it|that|on|in|the (?:phone|line))\b)/;
const ways =
  /\b(?:call|fax|send|mail|e-?mail|bring|drop|come|go|use|fill|submit|upload|request|online|portal|website|phone|form|letter|walk|ask|sign|log|book|schedule|through|via|by|in (?:person|writing)|automatic\w*|give|hand|order|pick|pay|card|cash|check|text|app)\b/;

/** No time, but said of one; worth asking for a better one. */
const isVagueTime =
  /^(?:(?:oh|well|it's|it is|that's|usually|generally|pretty|very|quite|really|honestly)[, ]+)*(?:not (?:too |very |that )?(?:long|late|early|far|soon|often)|a (?:while|bit|few|couple)|several|(?:it )?(?:depends|varies)|soon|quick|fast|late|early|hard to say)\b/;

/** Whether words can be the answer to a question by their form or by what they speak of. */
export function fitsQuestion(question: string, { plain, text }: Sentence): boolean {
  if (formOf(question) === 'time' && isVagueTime.test(plain)) return true;
  if (isFiller(plain)) return false;
  if (topicShare(question, plain) > 0) return true;
  switch (formOf(question)) {
    case 'time':
      return (
        figure.test(plain) &&
        (!/\$|\bdollars?\b|%/.test(plain) || /\b(?:day|week|hour|minute)s?\b/.test(plain))
      );
    case 'place':
      return places.test(plain);
    case 'person':
      return people.test(plain) || named.test(plain) || nameInReply(text) !== null;
    case 'way':
      return ways.test(plain);
    case 'any':
      return !/^(?:(?:and|but|so|oh|well)[, ]+)*(?:i|i'm|i've|i'll|i'd)\b/.test(plain);
  }
}

/** "Free over thirty dollars" and "under twenty dollars" are conditions of something else, and no price. */
function namesPrice(plain: string): boolean {
  const conditions =
    /\b(?:free )?(?:over|above|under|below|more than|less than|at least|a minimum of|(?:on )?orders? of) \$?\d[\d.,]*(?: dollars| bucks)?/g;
  const rest = plain.replaceAll(conditions, ' ');
  return findMoney(rest).length > 0 || /\b(?:free|no charge|no fee)\b/.test(rest);
}

/** What anything may be called whose price is told. */
const ofAnyPrice = new Set(
  'price cost fee charge total rate amount cash self pay usual regular standard visit office full whole one number figure answer month thing everything out pocket uninsured without insurance patient new'.split(
    ' ',
  ),
);

/** "The flu shot is twenty dollars" after a question for the price of a physical: worth asking once more. */
export function isPriceOfSomethingElse(question: string, plain: string): boolean {
  const subject =
    /^(?:(?:well|so|oh|okay|yes|yeah|and|um|uh)[, ]+)*(?:the|our|an?) (?<subject>[a-z][a-z -]*?)(?:'s| is| are| costs?| runs?| goes for| would be| will be) (?:about |around |only |just )?\$?\d/.exec(
      plain,
    )?.groups?.subject;
  if (subject === undefined || topicShare(question, subject) > 0) return false;
  return contentWords(subject).some((word) => !ofAnyPrice.has(word));
}

/** Whether a sentence holds a value of the kind that an item asks for. */
function hasKind({ kind, question }: PlanItem, sentence: Sentence, today: string): boolean {
  const { plain } = sentence;
  switch (kind) {
    case 'money':
      return namesPrice(plain);
    case 'percentage':
      return findPercentages(plain).length > 0;
    case 'number':
      return /\d/.test(plain) && findMoney(plain).length === 0;
    case 'phone-number':
      return findPhoneNumber(plain) !== null;
    case 'identifier':
      return /\d{3}/.test(plain.replaceAll(/[ -]/g, ''));
    case 'date':
      return findDays(plain, today).length > 0;
    case 'yes-no':
      return (
        openingPolarity(plain) !== null ||
        /\b(?:we|they|you|it|there|she|he|that) (?:sure |do |can |also |definitely |certainly )*(?:do|don't|does|doesn't|can|can't|have|offer|take|accept|is|are|isn't|aren't|provide|need|needs)\b|\bthere's\b/.test(
          plain,
        )
      );
    case 'name':
    case 'text':
    case 'date-time':
    case 'claim-status':
      return formOf(question) === 'any' ? topicShare(question, plain) > 1 : fitsQuestion(question, sentence);
  }
}

/**
 * Which of the client's own questions a sentence speaks of by its own words; null when none or more than one. Answers can
 * come late, after the next question was put.
 */
export function namedQuestion(
  items: readonly PlanItem[],
  sentence: Sentence,
  today: string,
  asked: PlanItem | null,
): PlanItem | null {
  let best: { item: PlanItem; share: number } | null = null;
  let isTie = false;
  for (const item of items) {
    const share = topicShare(item.question, sentence.plain);
    if (share === 0 || (item !== asked && !hasKind(item, sentence, today))) continue;
    isTie = best !== null && best.share === share;
    if (best === null || share > best.share) best = { item, share };
  }
  return isTie ? null : (best?.item ?? null);
}
