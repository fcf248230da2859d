import { findDates } from '../entities/dates.ts';
import { quantityAt } from '../entities/quantities.ts';
import {
  countAt,
  normAt,
  phraseAt,
  phrasesOf,
  type Reading,
  type Scan,
  scanOf,
} from '../entities/readings.ts';
import { findTimes } from '../entities/times.ts';
import { tokenize, wordSet } from '../entities/tokens.ts';
import { addDays, addMonths, dayOf, partsOf, weekdayOf } from '../language/calendar.ts';
import words from './en-US/availability.json' with { type: 'json' };

export interface Hours {
  readonly from: number;
  readonly to: number;
}
export interface Span {
  readonly first: string | null;
  readonly last: string | null;
}
type Meaning =
  | { readonly kind: 'days'; readonly weekdays: readonly number[]; readonly days: readonly string[] }
  | { readonly kind: 'hours'; readonly hours: Hours }
  | { readonly kind: 'span'; readonly span: Span }
  | { readonly kind: keyof typeof words.meanings | 'stop' | 'comma' | 'ignored' | 'unknown' };

/** The meaning of some words of an availability wish, and their tokens: `end` is exclusive. */
export type Part = Meaning & { readonly at: number; readonly end: number };

type Side = keyof typeof words.relations;

/** A time of day or a period in minutes, or a day or a span of days; `end` is the token after it. */
type Value = { readonly end: number } & (
  | { readonly kind: 'time'; readonly first: number; readonly last: number; readonly isClosed: boolean }
  | {
      readonly kind: 'day';
      readonly first: string;
      readonly last: string;
      readonly weekdays: readonly number[] | null;
    }
);

interface Wish {
  readonly scan: Scan;
  readonly dates: ReadonlyMap<number, Reading<'date'>>;
  readonly times: readonly Reading<'time' | 'time-range'>[];
}

const tagged = <Tag extends string>(table: Readonly<Record<Tag, string>>) =>
  phrasesOf(
    (Object.keys(table) as Tag[]).flatMap((tag) => table[tag].split('|').map((said) => [said, tag] as const)),
  );
const weekdays = phrasesOf(
  Object.entries(words.weekdays).flatMap(([names, days]) =>
    names.split('|').map((name): readonly [string, readonly number[]] => [name, days]),
  ),
);
const hours = phrasesOf(
  Object.entries(words.hours).map(([said, [from = 0, to = 0]]) => [said, { from, to }]),
);
const relations = tagged(words.relations);
const relationsBehind = tagged(words.relationsBehind);
const meanings = tagged(words.meanings);
const rangeJoints = wordSet(words.rangeJoints);
const articles = wordSet(words.articles);
const withinWords = wordSet(words.within);
const withinSure = wordSet(words.withinSure);
const owns = wordSet(words.owns);
const subjects = wordSet(words.subjects);
const ignored = wordSet(words.ignored);
const dayEnd = 24 * 60;

/** Parses availability wishes, from the first word to the last. */
export function partsOfWish(text: string, today: string): { parts: Part[]; scan: Scan } {
  const scan = scanOf(tokenize(text), { today });
  const dates = findDates(scan);
  const wish = {
    scan,
    dates: new Map(dates.flatMap((date) => withoutHabit(scan, date))),
    times: findTimes(scan, dates),
  };
  const parts: Part[] = [];
  for (let at = 0; at < scan.tokens.length; at = parts.at(-1)?.end ?? at + 1) parts.push(partAt(wish, at));
  return { parts, scan };
}

/** "Tuesday" alone, and before "next week", is every Tuesday of that period. */
function withoutHabit(scan: Scan, date: Reading<'date'>): (readonly [number, Reading<'date'>])[] {
  if (phraseAt(scan, date.from, weekdays)?.to !== date.from + 1) return [[date.from, date]];
  const tokens = scan.tokens.slice(date.from + 1, date.to);
  const week = findDates({ ...scan, tokens }).at(-1);
  if (week?.value.precision === 'week') {
    const from = week.from + date.from + 1;
    return [[from, { ...week, from, to: date.to }]];
  }
  return tokens.length === 0 ? [] : [[date.from, date]];
}

function partAt(wish: Wish, at: number): Part {
  const { scan } = wish;
  const kind = scan.tokens[at]?.kind;
  if (kind === 'stop' || kind === 'question' || kind === 'comma')
    return { kind: kind === 'comma' ? kind : 'stop', at, end: at + 1 };
  const said = phraseAt(scan, at, meanings);
  const isExcepting = said?.value === 'excluded' && said.to > at + 2;
  const value = isExcepting ? null : (within(wish, at) ?? related(wish, at));
  if (value !== null) return value;
  const isOfPerson = isPerson(scan, at - 1);
  // "She has classes on Mondays"
  const isOccupied = isOfPerson && owns.has(normAt(scan, at)) && isUnknown(scan, skipArticles(scan, at + 1));
  if (isOccupied) return { kind: 'excluded-person', at, end: at + 1 };
  if (said === null) return { kind: isUnknown(scan, at) ? 'unknown' : 'ignored', at, end: at + 1 };
  // "Patient works until 3" excludes a time, "Mondays work" includes one.
  const kindSaid = said.value === 'excluded-person' && !isOfPerson ? 'affirm' : said.value;
  return { kind: kindSaid, at, end: said.to };
}

function isUnknown(scan: Scan, at: number): boolean {
  const token = scan.tokens[at];
  const isWord =
    token?.kind === 'word' && phraseAt(scan, at, meanings) === null && phraseAt(scan, at, weekdays) === null;
  return isWord && !token.norm.split(' ').every((word) => ignored.has(word));
}

function isPerson(scan: Scan, at: number): boolean {
  const [said = '', auxiliary] = normAt(scan, at).split(' ');
  return (
    subjects.has(said) ||
    ((said === 'is' || auxiliary === 'is') && subjects.has(normAt(scan, at - 1).split(' ')[0] ?? ''))
  );
}

/** "within the next two weeks", "over the coming month", "next few days" */
function within({ scan }: Wish, at: number): Part | null {
  let [from, isSure] = [at, false];
  for (; withinWords.has(normAt(scan, from)) && from < at + 5; from += 1)
    isSure ||= withinSure.has(normAt(scan, from));
  const said = quantityAt(scan, from);
  const isOne = normAt(scan, from - 1) !== 'the' && normAt(scan, from - 2) === 'the';
  const count = said?.value.value ?? (isOne ? 1 : null);
  const last =
    !isSure || count === null
      ? null
      : dayIn(scan.context.today, count, said?.value.unit ?? normAt(scan, from));
  return last === null ? null : { kind: 'span', span: { first: null, last }, at, end: said?.to ?? from + 1 };
}

function dayIn(today: string, count: number, unit: string): string | null {
  if (unit === 'month') return addMonths(today, count);
  const days = { day: 1, 'business-day': 7 / 5, week: 7 }[unit];
  return days === undefined ? null : addDays(today, Math.ceil(count * days));
}

/** A time, a day or a range of them with its relation: "not before 10", "Dec 1-5", "Monday or later" */
function related(wish: Wish, at: number): Part | null {
  const { scan } = wish;
  // "After lunch" and "before school" stand for times.
  const relation = phraseAt(scan, at, hours) === null ? phraseAt(scan, at, relations) : null;
  const value = relation === null ? valueAt(wish, at) : valueBehind(wish, relation.to);
  if (value === null) return null;
  const joint = normAt(scan, value.end);
  const isRange = rangeJoints.has(joint) || (relation?.value === 'between' && joint === 'and');
  const last = isRange ? lastOf(wish, value) : null;
  const behind = relation === null && last === null ? sideBehind(scan, value.end) : null;
  const meaning = meaningOf(wish, relation?.value ?? behind?.value ?? null, value, last);
  return meaning === null ? null : { ...meaning, at, end: last?.end ?? behind?.to ?? value.end };
}

/** The value after a relation: "after the 20th", "before a Friday" */
const valueBehind = (wish: Wish, at: number): Value | null =>
  valueAt(wish, at) ?? valueAt(wish, skipArticles(wish.scan, at));

function skipArticles(scan: Scan, from: number): number {
  let at = from;
  while (articles.has(normAt(scan, at))) at += 1;
  return at;
}

/** "or later", "onwards", "or earlier"; not the "or after" of "at 2 or after work". */
function sideBehind(scan: Scan, at: number): { value: Side; to: number } | null {
  const said = phraseAt(scan, at, relationsBehind);
  const isMore =
    said !== null && (phraseAt(scan, at + 1, hours) ?? phraseAt(scan, said.to, weekdays)) !== null;
  return isMore || scan.tokens[said?.to ?? at]?.kind === 'number' ? null : said;
}

function valueAt(wish: Wish, at: number): Value | null {
  const { scan } = wish;
  const phrase = phraseAt(scan, at, hours);
  // "I am" and "9 am" contain no half of the day.
  const isOther = phrase?.to === at + 1 && (normAt(scan, at - 1) === 'i' || countAt(scan, at - 1) !== null);
  if (phrase !== null && !isOther) return timeValue(phrase.value.from, phrase.value.to, phrase.to);
  const time = wish.times.find(({ from, to }) => from <= at && to > at);
  if (time !== undefined) return readTime(time, at);
  const date = wish.dates.get(at);
  if (date !== undefined)
    return { kind: 'day', first: date.value.day, last: date.value.lastDay, weekdays: null, end: date.to };
  return weekdayValue(scan, at) ?? listedDay(wish, at) ?? bareHour(scan, at);
}

const timeValue = (first: number, last: number, end: number, isClosed = false): Value => ({
  kind: 'time',
  first,
  last,
  end,
  isClosed,
});

function readTime(time: Reading<'time' | 'time-range'>, at: number): Value {
  if (time.type === 'time') return timeValue(time.value, time.value, time.to);
  const { from, to, daypart } = time.value;
  // Only the limit of "after 2" and "before noon", as the word before it was already read.
  const isOpen = daypart === null && (from === 0 || to === dayEnd);
  const limit = from === 0 ? to : from;
  if (isOpen || (daypart !== null && time.from < at)) return timeValue(limit, limit, time.to);
  return timeValue(from, daypart === null ? to + 1 : to, time.to, daypart === null);
}

function weekdayValue({ context, ...scan }: Scan, at: number): Value | null {
  const said = phraseAt({ context, ...scan }, at, weekdays);
  if (said === null) return null;
  const [first = 0] = said.value;
  const day = addDays(context.today, (first - weekdayOf(context.today) + 7) % 7 || 7);
  return { kind: 'day', first: day, last: day, weekdays: said.value, end: said.to };
}

/** "November 18 or 19" */
function listedDay({ scan, dates }: Wish, at: number): Value | null {
  const isListed = scan.tokens[at - 1]?.kind === 'comma' || phraseAt(scan, at - 1, meanings)?.value === 'or';
  const before = [...dates.values()].find(({ to }) => to === at - 1)?.value;
  const number = countAt(scan, at);
  if (!isListed || before?.precision !== 'day' || number === null) return null;
  const { year, month, day: earlier } = partsOf(before.day);
  const day = number > earlier ? dayOf(year, month, number) : null;
  return day === null ? null : { kind: 'day', first: day, last: day, weekdays: null, end: at + 1 };
}

/** A number that can only be an hour: "9 to 5", "10 or later". */
function bareHour(scan: Scan, at: number): Value | null {
  const hour = countAt(scan, at);
  const isHour =
    hour !== null && Number.isInteger(hour) && hour >= 1 && hour <= 12 && quantityAt(scan, at) === null;
  const minutes = ((hour ?? 0) < 7 ? (hour ?? 0) + 12 : (hour ?? 0)) * 60;
  return isHour ? timeValue(minutes, minutes, at + 1) : null;
}

/** The other end of a range: "to 5", "through Friday", "- 5" after "Dec 1". */
function lastOf(wish: Wish, value: Value): Value | null {
  const at = skipArticles(wish.scan, value.end + 1);
  const next = valueBehind(wish, value.end + 1);
  const number = wish.scan.tokens[at]?.number?.value;
  const isDayNumber =
    value.kind === 'day' && value.weekdays === null && next?.kind !== 'day' && number !== undefined;
  if (!isDayNumber || wish.times.some(({ from, to }) => from <= at && to > at))
    return next?.kind === value.kind ? next : null;
  const { year, month } = partsOf(value.first);
  const day = dayOf(year, month, number);
  return day === null || day < value.first
    ? null
    : { kind: 'day', first: day, last: day, weekdays: null, end: at + 1 };
}

function meaningOf(wish: Wish, side: Side | null, value: Value, last: Value | null): Meaning | null {
  if (value.kind === 'time')
    return { kind: 'hours', hours: hoursOf(side, value, last?.kind === 'time' ? last : null) };
  const until = last?.kind === 'day' ? last : null;
  if (
    value.weekdays !== null &&
    (until !== null ? until.weekdays !== null : side === null || value.weekdays.length > 1)
  ) {
    return weekdaysOf(wish, value, value.weekdays, until?.weekdays?.[0] ?? null);
  }
  if (until !== null) return { kind: 'span', span: { first: value.first, last: until.last } };
  if (side !== null && side !== 'between')
    return { kind: 'span', span: spanOf(side, value.first, value.last) };
  if (value.first === value.last) return { kind: 'days', weekdays: [], days: [value.first] };
  return { kind: 'span', span: { first: value.first, last: value.last } };
}

function weekdaysOf(
  { scan, dates }: Wish,
  { first, end }: { first: string; end: number },
  named: readonly number[],
  last: number | null,
): Meaning {
  const [from = 0] = named;
  if (last !== null) {
    const length = ((last - from + 7) % 7) + 1;
    return { kind: 'days', weekdays: Array.from({ length }, (_, index) => (from + index) % 7), days: [] };
  }
  // "Tuesday 11/24": the date is sufficient.
  const date = dates.get(skipArticles(scan, normAt(scan, end) === ',' ? end + 1 : end))?.value;
  const isDated = date?.precision === 'day' && named.length === 1 && weekdayOf(date.day) === weekdayOf(first);
  return isDated ? { kind: 'ignored' } : { kind: 'days', weekdays: named, days: [] };
}

type TimeValue = Extract<Value, { kind: 'time' }>;

/** Office hours wrap at noon: "9 to 5". The end of a range is still a possible time. */
function hoursOf(side: Side | null, { first, last, isClosed }: TimeValue, until: TimeValue | null): Hours {
  const isPoint = first === last;
  if (until !== null) {
    const to = until.last + (until.first === until.last ? 1 : 0);
    return { from: first, to: to <= first && to < 720 ? to + 720 : to };
  }
  if (isClosed || side === null || side === 'between') return { from: first, to: isPoint ? first + 1 : last };
  if (side === 'around') return { from: first - 45, to: last + 46 };
  if (side === 'start' || side === 'after') return { from: side === 'after' ? last : first, to: dayEnd };
  return { from: 0, to: side === 'before' ? first : isPoint ? last + 1 : last };
}

function spanOf(side: Exclude<Side, 'between'>, first: string, last: string): Span {
  if (side === 'around') return { first: addDays(first, -3), last: addDays(last, 3) };
  if (side === 'start' || side === 'after')
    return { first: side === 'start' ? first : addDays(last, 1), last: null };
  return { first: null, last: side === 'end' ? last : addDays(first, -1) };
}
