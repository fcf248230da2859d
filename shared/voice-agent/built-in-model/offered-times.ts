import type { Entity } from '../entities/entity.ts';
import { type Token, wordSet } from '../entities/tokens.ts';
import type { Heard, Move } from '../understanding/understand.ts';
import { plainWords } from './words.ts';

/* Distinguishes offered days and times from opening hours, existing appointments and unavailable times. */

export type When = Extract<Entity, { type: 'date' | 'time' | 'time-range' | 'moment' | 'number' }>;

export interface OpeningContext {
  readonly today: string;
  /** The day being discussed, for times without one. */
  readonly day: string | null;
  /** While an appointment is moved, the existing one is mentioned, too. */
  readonly isRescheduling: boolean;
}

/** The days and times in the words that could be an appointment. */
export function offeredTimes(heard: Heard, context: OpeningContext): When[] {
  return heard.entities.filter(isWhen).filter((entity) => isOffered(entity, heard, context));
}

function isWhen(entity: Entity): entity is When {
  return ['date', 'time', 'time-range', 'moment', 'number'].includes(entity.type);
}

const otherActs = [
  ...['mailbox', 'menu', 'announcement', 'call-back-later', 'transfer', 'injection', 'chat'],
  // "She needs a referral first, so today I can't."
  ...['needs-referral', 'portal-only', 'needs-member', 'not-accepting', 'withholds'],
];
const offeringActs = ['offers-opening', 'confirms-booking', 'asks-confirmation', 'asks-preference'] as const;
const otherClaims = wordSet(
  'hours instructions service_date fee phone address reference_number confirmation_number',
);
/** Words before a day or time that give it another meaning. */
const otherTopics = wordSet(
  'arrive arrives arriving arrival born birth birthday birthdate dob close closes closing closed lunch vacation ' +
    'expires fasting cancel canceled cancelled call calls remind reminder return returns',
);
const breaks = wordSet('but however though although otherwise');
const denials = wordSet(
  'no not nothing none never neither nor without except full gone taken filled closed unavailable',
);
const untils = wordSet('until till til before than');

function isOffered(entity: When, heard: Heard, context: OpeningContext): boolean {
  const move = heard.moves.find(({ start, end }) => entity.start < end && entity.end > start);
  if (move === undefined || isOtherBusiness(move)) return false;
  if (entity.type === 'number' && !isBareHour(entity, move)) return false;
  const { before, after } = clauseAround(entity, move);
  if (before.some((word) => otherTopics.has(word))) return false;
  if (isExisting(before, after, context.isRescheduling)) return false;
  return !isDenied(move, before, after);
}

function isOtherBusiness({ acts, claims }: Move): boolean {
  const sum = (labels: readonly string[]): number =>
    labels.reduce((all, act) => all + (acts.get(act) ?? 0), 0);
  const offering = sum(offeringActs);
  const [best] = claims;
  if (sum(otherActs) >= 0.6 && offering < 0.3) return true;
  const isOther = best !== undefined && otherClaims.has(best.label) && best.confidence >= 0.5;
  return isOther && offering < (best.label === 'hours' || best.label === 'instructions' ? 0.8 : 0.5);
}

const besideHours = wordSet('have got at or and about do around is a for open works');

/** "I have ten or two": hours, if they count nothing. */
function isBareHour({ value, start, end }: Extract<Entity, { type: 'number' }>, { tokens }: Move): boolean {
  const [previous, next] = [
    tokens.findLast((token) => token.end <= start),
    tokens.find((token) => token.start >= end),
  ];
  const isFree = [previous, next].every(
    (token) =>
      token === undefined ||
      token.kind === 'comma' ||
      token.kind === 'stop' ||
      token.kind === 'question' ||
      plainWords([token]).some((word) => besideHours.has(word)),
  );
  return isFree && Number.isInteger(value) && value >= 1 && value <= 12;
}

/** The words of the same clause before and after an entity. */
function clauseAround({ start, end }: When, { tokens }: Move): { before: string[]; after: string[] } {
  const isBreak = ({ kind, norm }: Token): boolean =>
    kind === 'comma' || kind === 'stop' || kind === 'question' || breaks.has(norm);
  const ahead = tokens.filter((token) => token.end <= start);
  const behind = tokens.filter((token) => token.start >= end);
  const last = behind.findIndex(isBreak);
  return {
    before: plainWords(ahead.slice(ahead.findLastIndex(isBreak) + 1)),
    after: plainWords(last < 0 ? behind : behind.slice(0, last)),
  };
}

const existingWords = wordSet('currently current existing original originally old was');
const openWords = wordSet('opening openings open available slot slots spot free');

/** Mentions the existing appointment: "I see her for the 12th", "moved from the 3rd to the 10th". */
function isExisting(before: readonly string[], after: readonly string[], isRescheduling: boolean): boolean {
  if (
    before.at(-1) === 'from' ||
    before.slice(-2).join(' ') === 'from the' ||
    before.slice(-2).join(' ') === 'instead of'
  )
    return true;
  if (before.at(-1) === 'to') return false;
  const words = [...before, ...after];
  if (words.some((word) => openWords.has(word))) return false;
  if (words.includes('already')) return true;
  if (!isRescheduling) return false;
  const sees = before.findIndex(
    (word) => word === 'see' || word === 'have' || word === 'has' || word === 'got',
  );
  const whom = before[sees + 1] ?? '';
  const isHeld = sees >= 0 && ['her', 'him', 'them', 'an', 'a', 'the', 'you'].includes(whom);
  return isHeld || words.some((word) => existingWords.has(word));
}

/** Whether the clause says that the time is unavailable; "nothing until Thursday" offers Thursday. */
function isDenied({ acts, tokens, isQuestion }: Move, before: string[], after: string[]): boolean {
  if (before.slice(-3).some((word) => untils.has(word))) return false;
  const noOpening = acts.get('no-availability') ?? 0;
  // "Would Tuesday not work?" and "no Tuesday at ten is what I have" do not deny it.
  if (isQuestion && noOpening < 0.3) return false;
  const ahead = before[0] === 'no' && noOpening < 0.5 ? before.slice(1) : before;
  if (hasDenial(ahead) || hasDenial(after) || isBookedUp([...ahead, ...after])) return true;
  const isShort =
    plainWords(tokens).length > before.length + after.length + 2 && before.length + after.length <= 1;
  return noOpening >= 0.6 && isShort;
}

const harmless = wordSet('problem worries only just sure trouble');

function hasDenial(words: readonly string[]): boolean {
  return words.some((word, at) => {
    const next = words[at + 1] ?? '';
    // "We can go on without it, I have Monday at nine": "without" refers to something else.
    const isOfOther = word === 'without' && (next === 'it' || next === 'that');
    return denials.has(word) && !isOfOther && !words.slice(0, at).includes('if') && !harmless.has(next);
  });
}

function isBookedUp(words: readonly string[]): boolean {
  const at = words.indexOf('booked');
  return (
    at >= 0 &&
    (['up', 'out', 'solid'].includes(words[at + 1] ?? '') || ['fully', 'all'].includes(words[at - 1] ?? ''))
  );
}
