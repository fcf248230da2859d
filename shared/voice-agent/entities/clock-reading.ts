import clock from '../language/en-US/entities/clock.json' with { type: 'json' };
import { quantityAt } from './quantities.ts';
import { countAt, isBoundary, normAt, phraseAt, phrasesOf, type Scan, touches } from './readings.ts';
import { wordSet } from './tokens.ts';

/* A spoken time: "10:30", "half past two", "noon", "ten in the morning". */

/** A clock time with a possibly unknown half of the day. */
export interface Clock {
  readonly hour: number;
  readonly minute: number;
  readonly half: 'am' | 'pm' | null;
  readonly from: number;
  readonly to: number;
  readonly certainty: number;
}

const anchors = wordSet(clock.anchors);
const strongAnchors = wordSet(clock.strongAnchors);
const notHours = wordSet(clock.notHours);
export const afterWords = wordSet(clock.after);
export const beforeWords = wordSet(clock.before);
const sides = new Map(Object.entries(clock.sides));
const fixed = phrasesOf(Object.entries(clock.fixed));

const oclock = phrasesOf([
  ["o'clock", true],
  ['o clock', true],
  ['oclock', true],
]);

export function clockAt(scan: Scan, at: number): Clock | null {
  const still = phraseAt(scan, at, fixed);
  if (still !== null) {
    return timeOf(still.value / 60, 0, {
      half: still.value === 0 ? 'am' : 'pm',
      from: at,
      to: still.to,
      certainty: 0.95,
    });
  }
  return besideAt(scan, at) ?? numericAt(scan, at);
}

export function timeOf(hour: number, minute: number, rest: Omit<Clock, 'hour' | 'minute'>): Clock | null {
  const isOnClock = Number.isInteger(hour) && hour >= 0 && hour < 24 && minute >= 0 && minute < 60;
  const isHalved = rest.half === null || (hour >= 1 && hour <= 12) || hour === 0;
  return isOnClock && isHalved ? { hour, minute, ...rest } : null;
}

/** "half past nine", "a quarter to four", "ten after two", "twenty minutes to three" */
function besideAt(scan: Scan, from: number): Clock | null {
  const word = normAt(scan, from);
  const count = word === 'half' ? 30 : word === 'quarter' ? 15 : countAt(scan, from);
  if (count === null || (word !== 'half' && word !== 'quarter' && ![5, 10, 20, 25].includes(count)))
    return null;
  const minutes = ['minutes', 'minute'].includes(normAt(scan, from + 1)) ? from + 2 : from + 1;
  const side = sides.get(normAt(scan, minutes));
  const hour = countAt(scan, minutes + 1);
  const isSaid = hour !== null && hour >= 1 && hour <= 12 && !isMeasured(scan, minutes + 1);
  // "5 of 12" and "10 to 11" are counts.
  const isShort = minutes === from + 1 && word !== 'half' && word !== 'quarter';
  if (!isSaid || side === undefined || (isShort && !['past', 'till', 'til'].includes(normAt(scan, minutes))))
    return null;
  const rest = { ...halfAt(scan, minutes + 2), from: startOf(scan, from), certainty: 0.9 };
  if (side > 0) return timeOf(hour, count, rest);
  return timeOf(hour === 1 ? 12 : hour - 1, 60 - count, rest);
}

/** "a quarter to four" begins with its article. */
const startOf = (scan: Scan, at: number): number => (normAt(scan, at - 1) === 'a' ? at - 1 : at);

/** "10:30", "ten thirty pm", "2pm", "three o'clock", "at nine", "at 1030" */
function numericAt(scan: Scan, at: number): Clock | null {
  const said = scan.tokens[at]?.number;
  const hour = countAt(scan, at);
  if (said == null || hour === null || isTouched(scan, at)) return null;
  const anchor = normAt(scan, at - 1);
  const minute = minuteAt(scan, at);
  const behind = minute?.to ?? at + 1;
  const half = halfAt(scan, behind);
  const isSure = half.half !== null || minute?.isWritten === true || phraseAt(scan, behind, oclock) !== null;
  const to = phraseAt(scan, behind, oclock)?.to ?? half.to;
  const rest = { half: half.half, from: at, to };
  if (hour >= 100 || said.digits.includes('.')) {
    if (said.spoken) return null;
    return isSure || strongAnchors.has(anchor) ? compactOf(said.digits, { ...rest, certainty: 0.7 }) : null;
  }
  if (isSure) return timeOf(hour, minute?.value ?? 0, { ...rest, certainty: 0.95 });
  if (isMeasured(scan, behind - 1) || isRun(scan, at, behind) || hour < 1 || hour > 12) return null;
  if (minute === null && isPlural(normAt(scan, to))) return null;
  if (minute !== null) return timeOf(hour, minute.value, { ...rest, certainty: pairCertainty(scan, at) });
  // "At one" is a time, "say one word" is not.
  const isVague = scan.tokens[at]?.kind === 'word' && !strongAnchors.has(anchor) && !isBoundary(scan, to);
  const isAnchored = anchors.has(anchor) && !isVague;
  return isAnchored ? timeOf(hour, 0, { ...rest, certainty: strongAnchors.has(anchor) ? 0.8 : 0.5 }) : null;
}

/** "Between two schools" counts; "from nine Mondays" and "at nine mornings" do not. */
function isPlural(word: string): boolean {
  const isTime = word.endsWith('days') || timesOfDay.has(word);
  return word.length > 4 && word.endsWith('s') && !word.endsWith('ss') && !word.endsWith("'s") && !isTime;
}

const timesOfDay = wordSet('mornings afternoons evenings nights times always unless besides');

/** "ten thirty" is a time unless the sentence is about money or an identifier; alone it may be an amount. */
function pairCertainty(scan: Scan, at: number): number {
  if (strongAnchors.has(normAt(scan, at - 1))) return 0.9;
  const topic = scan.topics[at];
  if (topic === 'money' || topic === 'identifier' || topic === 'phone') return 0.3;
  return topic === 'time' || topic === 'date' ? 0.75 : 0.55;
}

/** "1030", "10.30" */
function compactOf(digits: string, rest: Omit<Clock, 'hour' | 'minute'>): Clock | null {
  const plain = digits.replace('.', '');
  if (plain.length < 3 || plain.length > 4) return null;
  return timeOf(Number(plain.slice(0, -2)), Number(plain.slice(-2)), rest);
}

function minuteAt(scan: Scan, at: number): { value: number; to: number; isWritten: boolean } | null {
  const isColon = normAt(scan, at + 1) === ':' && touches(scan, at + 1) && touches(scan, at + 2);
  const from = isColon ? at + 2 : at + 1;
  const value = countAt(scan, from);
  if (value === null || scan.tokens[from]?.number?.digits.includes('.')) return null;
  const second = countAt(scan, from + 1);
  if (value === 0 && second !== null && second < 10 && second > 0)
    return { value: second, to: from + 2, isWritten: isColon };
  const isMinute = isColon ? scan.tokens[from]?.number?.digits.length === 2 : value >= 10;
  return isMinute && value < 60 ? { value, to: from + 1, isWritten: isColon } : null;
}

function halfAt(scan: Scan, at: number): { half: 'am' | 'pm' | null; to: number } {
  const word = normAt(scan, at);
  return word === 'am' || word === 'pm' ? { half: word, to: at + 1 } : { half: null, to: at };
}

/** The number is part of "$10", "12/10", "#10", "555-10". */
export function isTouched(scan: Scan, at: number): boolean {
  const before = normAt(scan, at - 1);
  if (before === '$' || before === '#') return true;
  const isJoined = ['/', '-', ':', '.'].includes(before) && touches(scan, at) && touches(scan, at - 1);
  return isJoined && !(before === '-' && halfSoon(scan, at));
}

/** "9-11am", "9:00-11:30": a hyphen between times. */
function halfSoon(scan: Scan, at: number): boolean {
  return [1, 3].some((step) => halfAt(scan, at + step).half !== null) || normAt(scan, at + 1) === ':';
}

/** "10 visits", "10 percent", "10/12", "10-12-26" */
export function isMeasured(scan: Scan, at: number): boolean {
  const next = normAt(scan, at + 1);
  if (notHours.has(next) || quantityAt(scan, at) !== null) return true;
  return (
    [':', '.', '-'].includes(next) &&
    touches(scan, at + 1) &&
    touches(scan, at + 2) &&
    !halfSoon(scan, at + 2)
  );
}

/** A number in a sequence of others is spelled or counted. */
export function isRun(scan: Scan, from: number, to: number): boolean {
  const isNumber = (at: number): boolean =>
    scan.tokens[at]?.kind === 'number' && !scan.tokens[at]?.number?.ordinal;
  return isNumber(to) || (isNumber(from - 1) && !isDayNumber(scan, from - 1));
}

const isDayNumber = (scan: Scan, at: number): boolean =>
  (countAt(scan, at) ?? 99) <= 31 && scan.tokens[at - 1]?.kind === 'word';
