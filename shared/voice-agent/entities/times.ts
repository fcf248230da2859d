import clock from '../language/en-US/entities/clock.json' with { type: 'json' };
import dayparts from '../language/en-US/entities/dayparts.json' with { type: 'json' };
import {
  afterWords,
  beforeWords,
  type Clock,
  clockAt,
  isMeasured,
  isRun,
  isTouched,
  timeOf,
} from './clock-reading.ts';
import { isDayWord } from './date-reading.ts';
import { countAt, normAt, phraseAt, phrasesOf, type Reading, type Scan } from './readings.ts';
import { wordSet } from './tokens.ts';

type Daypart = Reading<'time-range'>;
const openings = wordSet(clock.openings);
const rangeJoints = new Set(clock.rangeJoints);
const joints = phrasesOf(clock.joints.map((joint) => [joint, true]));

const parts = phrasesOf(
  Object.entries(dayparts).flatMap(([daypart, { from, to, says }]) =>
    says.map((phrase) => [phrase, { from, to, daypart }] as const),
  ),
);

/**
 * Clock times, ranges of them and parts of the day.
 *
 * @param days readings of days: their numbers are not times, and a bare number after one is an hour
 */
export function findTimes(scan: Scan, days: readonly Reading[]): (Reading<'time'> | Reading<'time-range'>)[] {
  const taken = new Set<number>();
  for (const { from, to } of days) for (let at = from; at < to; at += 1) taken.add(at);
  const free = daypartsOf(scan);
  const clocks = clocksOf(scan, taken, edgesOf(scan, days, free));
  const halved = clocks.map((time, index) => ({
    ...time,
    half: halfOf(scan, time, clocks[index + 1], free),
  }));
  const ends = new Map(halved.map((time) => [time.to, time]));
  // "9 in the morning" is one time, not a time and a part of the day.
  const lone = free.filter(
    ({ from }) => !ends.has(from) && !ends.has(normAt(scan, from - 1) === ',' ? from - 1 : from),
  );
  const told = new Map(free.map((part) => [part.from, part.to]));
  return [...ranged(scan, halved, told), ...lone].toSorted((a, b) => a.from - b.from);
}

function daypartsOf(scan: Scan): Daypart[] {
  const found: Daypart[] = [];
  for (let at = 0; at < scan.tokens.length; at += 1) {
    const part = phraseAt(scan, at, parts);
    // "Good morning" and "morning sickness" give no time.
    if (part === null || normAt(scan, at - 1) === 'good' || normAt(scan, part.to) === 'sickness') continue;
    if (isFirstOption(scan, at, part.to)) continue;
    found.push({
      type: 'time-range',
      value: part.value,
      certainty: certaintyOf(scan, at, part.to),
      from: at,
      to: part.to,
    });
    at = part.to - 1;
  }
  return found;
}

/** "The first thing I have" is not early, "first thing Tuesday" is. */
function isFirstOption(scan: Scan, from: number, to: number): boolean {
  const isFirst = normAt(scan, from) === 'first' && to === from + 2;
  const next = scan.tokens[to];
  return isFirst && next !== undefined && next.kind === 'word' && next.norm !== 'on' && !isDayWord(next.norm);
}

/** A bare "morning" at the start may be a greeting. */
function certaintyOf(scan: Scan, from: number, to: number): number {
  const isGreeting =
    to === from + 1 && (from === 0 || scan.tokens[from - 1]?.kind === 'stop') && to < scan.tokens.length;
  return isGreeting ? 0.4 : 0.9;
}

/** All clock times; bare numbers count beside a day and in a list with another time: "Tuesday 10 or 2". */
function clocksOf(scan: Scan, taken: ReadonlySet<number>, edges: Edges): Clock[] {
  const found: Clock[] = [];
  for (let at = 0; at < scan.tokens.length; ) {
    const previous = found.at(-1);
    const read = taken.has(at) ? null : (clockAt(scan, at) ?? listedAt(scan, at, previous, edges));
    if (read !== null && !taken.has(read.to - 1)) {
      found.push(...earlierHours(scan, read, previous).filter(({ from }) => !taken.has(from)), read);
    }
    at = Math.max(at + 1, read?.to ?? 0);
  }
  return found;
}

/** The ends and starts of days, and the starts of "in the morning": a number beside them is an hour. */
interface Edges {
  readonly dayEnds: ReadonlySet<number>;
  readonly dayStarts: ReadonlySet<number>;
  readonly partStarts: ReadonlySet<number>;
}

function edgesOf(scan: Scan, days: readonly Reading[], parts: readonly Daypart[]): Edges {
  const inParts = parts.filter(({ from }) => ['in', 'at'].includes(normAt(scan, from)));
  return {
    dayEnds: new Set(days.map(({ to }) => to)),
    dayStarts: new Set(days.map(({ from }) => from)),
    partStarts: new Set(inParts.map(({ from }) => from)),
  };
}

/** A bare hour beside a day, before "in the morning", joined to the previous time, or in "open nine to five". */
function listedAt(scan: Scan, at: number, previous: Clock | undefined, edges: Edges): Clock | null {
  const hour = bareHour(scan, at);
  if (hour === null) return null;
  const joint = jointBefore(scan, at);
  const isBehind = edges.dayEnds.has(joint) || (previous?.to === joint && joint < at);
  const isNumber = scan.tokens[at]?.kind === 'number';
  const isAhead =
    isNumber &&
    (edges.partStarts.has(at + 1) || (edges.dayStarts.has(at + 2) && normAt(scan, at + 1) === 'on'));
  const isAsked = scan.context.expecting?.some((type) => type === 'time' || type === 'time-range') === true;
  const opens =
    (isAsked || scan.topics[at] === 'time') &&
    rangeJoints.has(normAt(scan, at + 1)) &&
    bareHour(scan, at + 2) !== null;
  if (!isBehind && !isAhead && !opens) return null;
  return timeOf(hour, 0, { half: null, from: at, to: at + 1, certainty: 0.7 });
}

function bareHour(scan: Scan, at: number): number | null {
  const hour = countAt(scan, at);
  const isHour = hour !== null && Number.isInteger(hour) && hour >= 1 && hour <= 12;
  return !isHour || isTouched(scan, at) || isMeasured(scan, at) || isRun(scan, at, at + 1) ? null : hour;
}

/** The position before the joint ("or at") at a position; the position itself without one. */
function jointBefore(scan: Scan, at: number): number {
  for (const length of [2, 1]) {
    const joint = phraseAt(scan, at - length, joints);
    if (joint?.to === at) return normAt(scan, at - length - 1) === ',' ? at - length - 1 : at - length;
  }
  return at;
}

/** The 9 of "9, 10 or 11:30" and the 2 of "2 to 4 pm", which only the later time marks as hours. */
function earlierHours(scan: Scan, time: Clock, previous: Clock | undefined): Clock[] {
  const hours: Clock[] = [];
  for (
    let at = jointBefore(scan, time.from);
    at < (hours[0]?.from ?? time.from);
    at = jointBefore(scan, at - 1)
  ) {
    const hour = at - 1 >= (previous?.to ?? 0) ? bareHour(scan, at - 1) : null;
    const read = hour === null ? null : timeOf(hour, 0, { half: null, from: at - 1, to: at, certainty: 0.7 });
    if (read === null || hours.length === 4) break;
    hours.unshift(read);
  }
  return hours;
}

/** The half of the day: spoken, implied by a part of the day, or shared with the next time of a list. */
function halfOf(
  scan: Scan,
  time: Clock,
  next: Clock | undefined,
  dayparts: readonly Daypart[],
): Clock['half'] {
  if (time.half !== null || time.hour > 12 || time.hour === 0) return time.half;
  const part = partBeside(scan, time, dayparts);
  if (part !== null) return halfInPart(time.hour, part.value.from);
  if (next?.half == null || next.hour > 12 || jointBefore(scan, next.from) !== time.to) return null;
  // "9 or 11 am", "between 2 and 4 pm"; but in "11 to 2 pm" the first one is in the morning.
  if (time.hour % 12 <= next.hour % 12) return next.half;
  return next.half === 'pm' ? 'am' : 'pm';
}

/** The part of the day right after a time, or the last one before it in the sentence. */
function partBeside(scan: Scan, time: Clock, dayparts: readonly Daypart[]): Daypart | null {
  const gap = normAt(scan, time.to) === ',' ? time.to + 1 : time.to;
  let low = 0;
  let high = dayparts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((dayparts[middle]?.from ?? 0) < time.from) low = middle + 1;
    else high = middle;
  }
  const [ahead, behind] = [dayparts[low - 1], dayparts[low]];
  if (behind?.from === gap) return behind;
  if (ahead === undefined || time.from - ahead.to > 12) return null;
  const between = scan.tokens.slice(ahead.to, time.from);
  return between.some(({ kind, norm }) => kind === 'stop' || kind === 'question' || norm === 'or')
    ? null
    : ahead;
}

function halfInPart(hour: number, partStart: number): 'am' | 'pm' {
  if (partStart >= 12 * 60 || hour === 12) return 'pm';
  // No one is seen in the small hours.
  if (hour < 6) return 'pm';
  // Of the parts before noon only lunchtime extends into the afternoon.
  return partStart > 11 * 60 && hour < 11 ? 'pm' : 'am';
}

/** Clinics answer from 7 AM to 7 PM, so an hour alone is in that period. */
function minutesOf({ hour, minute, half }: Clock): number {
  if (hour > 12 || hour === 0) return hour * 60 + minute;
  const isAfternoon = half === null ? hour < 7 || hour === 12 : half === 'pm';
  return ((hour % 12) + (isAfternoon ? 12 : 0)) * 60 + minute;
}

/** Joins the two ends of a range, and makes ranges from "after 2" and "before 10". */
function ranged(
  scan: Scan,
  times: readonly Clock[],
  parts: ReadonlyMap<number, number>,
): (Reading<'time'> | Reading<'time-range'>)[] {
  const found: (Reading<'time'> | Reading<'time-range'>)[] = [];
  for (let index = 0; index < times.length; index += 1) {
    const [time, next] = [times[index], times[index + 1]];
    if (time === undefined) continue;
    const range = next === undefined ? null : rangeOf(scan, time, next);
    const single = range === null ? openRange(scan, time) : null;
    const minutes = minutesOf(time);
    const read = range ??
      single ?? { type: 'time', value: minutes, certainty: time.certainty, from: time.from, to: time.to };
    // "9 in the morning"
    found.push({ ...read, to: parts.get(read.to) ?? read.to });
    if (range !== null) index += 1;
  }
  return found;
}

function rangeOf(scan: Scan, time: Clock, next: Clock): Reading<'time-range'> | null {
  const opens = openings.has(normAt(scan, time.from - 1));
  const joint = normAt(scan, time.to);
  const isJoined = next.from === time.to + 1 && (rangeJoints.has(joint) || (opens && joint === 'and'));
  const from = minutesOf(time);
  // "From ten until seven" ends in the evening.
  const to =
    minutesOf(next) + (minutesOf(next) <= from && next.half === null && next.hour < 12 ? 12 * 60 : 0);
  if (!isJoined || from >= to) return null;
  const certainty = Math.max(time.certainty, next.certainty);
  return {
    type: 'time-range',
    value: { from, to, daypart: null },
    certainty,
    from: opens ? time.from - 1 : time.from,
    to: next.to,
  };
}

function openRange(scan: Scan, time: Clock): Reading<'time-range'> | null {
  const word = normAt(scan, time.from - 1);
  if (!afterWords.has(word) && !beforeWords.has(word)) return null;
  const minutes = minutesOf(time);
  const value = afterWords.has(word)
    ? { from: minutes, to: 1440, daypart: null }
    : { from: 0, to: minutes, daypart: null };
  return { type: 'time-range', value, certainty: time.certainty, from: time.from - 1, to: time.to };
}
