import * as z from 'zod/mini';
import { addDays, addMonths, weekdayOf } from '../language/calendar.ts';
import { type DayMention, findDays, weekdayNumber } from '../language/day-mentions.ts';
import { masked, type Placed } from '../language/mentions.ts';
import { plainOf } from '../language/text.ts';
import { findTimes, type TimeMention } from '../language/time-mentions.ts';

/*
 * `timeframe_availability` is free text ("weekday mornings in the next two weeks, except Fridays"). It is read once,
 * when the plan is made, into windows against which offered slots are weighed.
 */

const TimeWindow = z.object({
  /** 0 is Sunday; `null` is any day. */
  weekdays: z.nullable(z.array(z.int())),
  /** Single days that were named, `YYYY-MM-DD`; `null` is any day. */
  days: z.nullable(z.array(z.string())),
  /** Minutes since midnight, `to` excluded. */
  from: z.int(),
  to: z.int(),
});
type TimeWindow = z.infer<typeof TimeWindow>;

export const TimeWishes = z.object({
  /** In the client's words, for saying it; `null` when nothing was wished. */
  text: z.nullable(z.string()),
  first_day: z.nullable(z.string()),
  last_day: z.nullable(z.string()),
  /** When the patient can come; any time when empty. */
  possible: z.array(TimeWindow),
  /** When the patient would rather come; any possible time when empty. */
  preferred: z.array(TimeWindow),
  excluded: z.array(TimeWindow),
});
export type TimeWishes = z.infer<typeof TimeWishes>;

/** A day and, if known, a time of that day in minutes since midnight. */
export interface SlotTime {
  readonly day: string;
  readonly minutes: number | null;
}

export type SlotFit = 'preferred' | 'possible' | 'no';

/** How well a slot fits the wishes. A slot without a time fits when some time of that day does. */
export function fitOf(slot: SlotTime, wishes: TimeWishes): SlotFit {
  if (wishes.first_day !== null && slot.day < wishes.first_day) return 'no';
  if (wishes.last_day !== null && slot.day > wishes.last_day) return 'no';
  if (wishes.excluded.some((window) => isInside(slot, window, 'wholly'))) return 'no';
  if (wishes.possible.length > 0 && !wishes.possible.some((window) => isInside(slot, window, 'partly')))
    return 'no';
  if (wishes.preferred.length === 0) return 'preferred';
  return wishes.preferred.some((window) => isInside(slot, window, 'partly')) ? 'preferred' : 'possible';
}

function isInside({ day, minutes }: SlotTime, window: TimeWindow, how: 'wholly' | 'partly'): boolean {
  if (window.weekdays !== null && !window.weekdays.includes(weekdayOf(day))) return false;
  if (window.days !== null && !window.days.includes(day)) return false;
  if (minutes === null) return how === 'partly' || (window.from <= 8 * 60 && window.to >= 18 * 60);
  return minutes >= window.from && minutes < window.to;
}

const wholeDay = { from: 0, to: 24 * 60 };

/** Reads wishes; whatever it does not understand restricts nothing, and is still said in the client's words. */
export function parseTimeWishes(text: string | undefined, today: string): TimeWishes {
  const wishes: TimeWishes = {
    text: text === undefined || text.trim() === '' ? null : text.trim(),
    first_day: null,
    last_day: null,
    possible: [],
    preferred: [],
    excluded: [],
  };
  if (wishes.text === null) return wishes;
  for (const clause of clausesOf(wishes.text)) {
    const { windows, bounds } = readClause(clause.text, today);
    if (clause.kind === 'excluded') {
      wishes.excluded.push(...windows);
      // "out of town until December 3" leaves what comes after.
      if (windows.length === 0 && bounds.last !== null && bounds.first === null) {
        wishes.first_day = addDays(bounds.last, 1);
      } else if (windows.length === 0 && bounds.first !== null && bounds.last !== null) {
        wishes.excluded.push(...daysWindow(bounds.first, bounds.last));
      }
      continue;
    }
    if (clause.kind === 'preferred') {
      wishes.preferred.push(...withinBounds(windows, bounds, today));
      continue;
    }
    wishes.possible.push(...windows);
    wishes.first_day = later(wishes.first_day, bounds.first);
    wishes.last_day = bounds.last ?? wishes.last_day;
  }
  return wishes;
}

/** A preference for days rules nothing out, so its bounds go into the windows themselves. */
function withinBounds(windows: readonly TimeWindow[], { first, last }: Bounds, today: string): TimeWindow[] {
  if (first === null && last === null) return [...windows];
  const [{ days } = { days: null }] = daysWindow(first ?? today, last ?? addDays(first ?? today, 60));
  if (windows.length === 0) return [{ weekdays: null, days, ...wholeDay }];
  return windows.map((window) => ({ ...window, days: window.days ?? days }));
}

function daysWindow(first: string, last: string): TimeWindow[] {
  const days: string[] = [];
  for (let day = first; day <= last && days.length < 120; day = addDays(day, 1)) days.push(day);
  return [{ weekdays: null, days, ...wholeDay }];
}

function later(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}

interface Clause {
  readonly text: string;
  readonly kind: 'possible' | 'preferred' | 'excluded';
}

function clausesOf(text: string): Clause[] {
  const plain = plainOf(text)
    .replaceAll(/\b(?:not|nothing|no|never) (?:before|earlier than|any earlier than)\b/g, 'from')
    .replaceAll(/\b(?:not|nothing|no|never) (?:after|later than|any later than|past)\b/g, 'until')
    .replaceAll(/\bafter work\b/g, 'after 5 pm')
    .replaceAll(/\bafter school\b/g, 'after 3:30 pm')
    .replaceAll(/\bbefore work\b/g, 'before 8:30 am')
    .replaceAll(/\b([ap])\.m\./g, '$1m')
    // "Mondays are not possible": the exception is said after its days.
    .replaceAll(
      /(^|[.;,] ?|\band |\bbut )([^.;,]*?\b(?:mon|tues|wednes|thurs|fri|satur|sun|week|weekend|morning|afternoon|evening)[a-z]*(?: (?:and|or) [a-z]+)?) (?:(?:is|are) (?:not (?:possible|available|good|an option|okay|ok|free)|impossible|out|bad|no good)|(?:do|does|will|would)(?:n't| not) work)\b/g,
      '$1not $2;',
    )
    .replaceAll(/,? (?:otherwise|apart from that|other than that|else)\b,?/g, '; ')
    // "Dec 1-5"
    .replaceAll(
      /\b((?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?) (\d{1,2})(?:st|nd|rd|th)? ?[-–] ?(\d{1,2})(?:st|nd|rd|th)?\b(?![:\d/])/g,
      '$1 $2 to $1 $3',
    )
    // "any day but Friday, after 3": what comes after the exception is no part of it.
    .replaceAll(
      /\b((?:any|every|each|all) ?(?:day|days|time|weekday|week)s?|weekdays|any of the days),? but (?=(?:not |on |the )?(?:mon|tue|wed|thu|fri|sat|sun|week))/g,
      '$1 except ',
    )
    .replaceAll(
      /\b((?:except|excluding|but not|other than|apart from|not(?: on)?(?= \w+days?\b)|no (?=\w+days?\b))[^,;.]*), (?=(?:after|before|from|between|in the|only|starting|mornings?|afternoons?|evenings?|not|within|until|by)\b)/g,
      '$1; ',
    );
  return plain
    .split(
      /[.;](?!\d)|\n|,? (?=(?:but|except|excluding|apart from|other than|not|no|never|avoid|unavailable|cannot|can't|preferably|preferred|ideally|prefers?|if possible)\b)|\((?=\w)|\)/,
    )
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => ({ text: part, kind: kindOf(part) }));
}

function kindOf(clause: string): Clause['kind'] {
  if (
    /\b(?:prefer|ideal|if possible|would like|would be best|works? best|is best|are best|hopefully|rather)/.test(
      clause,
    )
  ) {
    return 'preferred';
  }
  return /\b(?:except|excluding|apart from|other than|not|no|never|avoid|unavailable|cannot|can't|don't|doesn't|won't|busy|at work|in school|in class|out of town|away|travell?ing|on vacation|works (?:from|until|till|mon|\d))\b/.test(
    clause,
  )
    ? 'excluded'
    : 'possible';
}

interface Bounds {
  first: string | null;
  last: string | null;
}

type Piece = Placed &
  (
    | { readonly kind: 'selector'; readonly weekdays: readonly number[]; readonly days: readonly string[] }
    | { readonly kind: 'hours'; readonly from: number; readonly to: number }
  );

function readClause(clause: string, today: string): { windows: TimeWindow[]; bounds: Bounds } {
  const bounds: Bounds = { first: null, last: null };
  let text = clause;
  const within =
    /\b(?:within|in|over|during|for)? ?(?:the )?(?:next|coming|following)? ?(?<count>\d+|couple of|few) (?<unit>day|week|month)s?\b/.exec(
      text,
    );
  if (within !== null && /within|next|coming|following/.test(within[0])) {
    const count = /couple/.test(within[0]) ? 2 : /few/.test(within[0]) ? 3 : Number(within.groups?.count);
    const unit = within.groups?.unit;
    bounds.last =
      unit === 'month' ? addMonths(today, count) : addDays(today, unit === 'week' ? 7 * count : count);
    text = masked(text, [{ start: within.index, end: within.index + within[0].length }]);
  }
  const named = findDays(text, today).filter((mention) => isNamedDay(mention, text));
  const single: DayMention[] = [];
  named.forEach((mention, index) => {
    const before = text.slice(0, mention.start);
    const next = named[index + 1];
    const previous = named[index - 1];
    const gapAfter = next === undefined ? '' : text.slice(mention.end, next.start);
    const gapBefore = previous === undefined ? '' : text.slice(previous.end, mention.start);
    if (/\b(?:after|later than)(?: the)? $/.test(before)) bounds.first = addDays(mention.last, 1);
    else if (
      /\b(?:from|starting|beginning|since|as of|on or after|any ?time from)(?: the| on| with)* $/.test(before)
    )
      bounds.first = mention.first;
    else if (/\b(?:before|prior to|earlier than)(?: the)? $/.test(before))
      bounds.last = addDays(mention.first, -1);
    else if (/\b(?:by|until|till|through|up to|no later than)(?: the| end of)* $/.test(before))
      bounds.last = mention.last;
    else if (
      /^ ?(?:-|–|to|through|until|and) ?$/.test(gapAfter) &&
      (/\bbetween (?:the )?$/.test(before) || !/and/.test(gapAfter))
    )
      bounds.first = mention.first;
    else if (/^ ?(?:-|–|to|through|until|and) ?(?:the )?$/.test(gapBefore) && bounds.first !== null)
      bounds.last = mention.last;
    else if (mention.first !== mention.last) {
      bounds.first = bounds.first === null || mention.first < bounds.first ? mention.first : bounds.first;
      bounds.last = bounds.last === null || mention.last > bounds.last ? mention.last : bounds.last;
    } else single.push(mention);
  });
  const rest = masked(text, named);
  const pieces: Piece[] = [
    ...single.map(({ start, end, first }) => ({
      kind: 'selector' as const,
      start,
      end,
      weekdays: [],
      days: [first],
    })),
    ...weekdaySelectors(rest),
    ...hoursOf(rest, findTimes(rest)),
  ];
  return {
    windows: windowsOf(
      rest,
      pieces.sort((a, b) => a.start - b.start),
    ),
    bounds,
  };
}

/** A bare weekday is a habit ("Tuesdays"), a qualified one is a day ("next Tuesday", "Tuesday the 24th"). */
function isNamedDay(mention: DayMention, text: string): boolean {
  return (
    mention.exact ||
    mention.first !== mention.last ||
    /^(?:this|next|the following|following|coming|upcoming|a|\d)/.test(text.slice(mention.start, mention.end))
  );
}

function weekdaySelectors(text: string): Piece[] {
  const names = '(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?s?';
  const found: Piece[] = [];
  const pattern = new RegExp(
    `\\b(?:(?<from>${names}) ?(?:-|–|to|through|thru|until) ?(?<to>${names})|(?<name>${names})|(?<set>week ?days?|work ?days?|business days?|week ?ends?))\\b`,
    'g',
  );
  for (const match of text.matchAll(pattern)) {
    const { from, to, name, set } = match.groups ?? {};
    const weekdays =
      set !== undefined
        ? /end/.test(set)
          ? [6, 0]
          : [1, 2, 3, 4, 5]
        : from !== undefined
          ? weekdayRange(weekdayNumber(from), weekdayNumber(to))
          : [weekdayNumber(name)].filter((number) => number !== null);
    found.push({
      kind: 'selector',
      weekdays,
      days: [],
      start: match.index,
      end: match.index + match[0].length,
    });
  }
  return found;
}

function weekdayRange(from: number | null, to: number | null): number[] {
  if (from === null || to === null) return [];
  const length = ((to - from + 7) % 7) + 1;
  return Array.from({ length }, (_, index) => (from + index) % 7);
}

function hoursOf(text: string, times: readonly TimeMention[]): Piece[] {
  const anyTime = [...text.matchAll(/\b(?:all day|any ?time|whole day|any hour)\b/g)].map(
    (match): Piece => ({
      kind: 'hours',
      start: match.index,
      end: match.index + match[0].length,
      ...wholeDay,
    }),
  );
  return [...times.map((mention) => hoursPiece(text, mention)), ...anyTime];
}

function hoursPiece(text: string, mention: TimeMention): Piece {
  const { start, end } = mention;
  switch (mention.kind) {
    case 'range':
      return { kind: 'hours', start, end, from: mention.from, to: mention.to + 1 };
    case 'part':
      return { kind: 'hours', start, end, from: mention.from, to: mention.to };
    case 'time':
      return {
        kind: 'hours',
        start,
        end,
        ...hoursAround(text.slice(0, start), mention.minutes, text.slice(end)),
      };
  }
}

function hoursAround(before: string, minutes: number, after: string): { from: number; to: number } {
  const isStart =
    /\b(?:after|from|past|starting at|starting|later than) $/.test(before) ||
    /^ ?(?:or later|onwards?|and later|\+|or after(?! ?\d| noon| work| school| lunch))/.test(after);
  if (isStart) return { from: minutes, to: 24 * 60 };
  const isEnd =
    /\b(?:before|by|until|till|earlier than|up to) $/.test(before) ||
    /^ ?(?:or earlier|or before(?! ?\d| noon| work)|and earlier)/.test(after);
  if (isEnd) return { from: 0, to: minutes + 1 };
  return /\b(?:around|about) $/.test(before)
    ? { from: minutes - 45, to: minutes + 46 }
    : { from: minutes, to: minutes + 1 };
}

interface Group {
  selectors: Extract<Piece, { kind: 'selector' }>[];
  hours: Extract<Piece, { kind: 'hours' }>[];
  hoursFirst: boolean;
}

/** Pairs days with hours: "Tuesdays and Thursdays after 3" shares its hours, "Mondays all day or Friday mornings" does not. */
function windowsOf(text: string, pieces: readonly Piece[]): TimeWindow[] {
  const groups: Group[] = [];
  let previous: Piece | undefined;
  for (const [index, piece] of pieces.entries()) {
    const next = pieces[index + 1];
    const gap = previous === undefined ? '' : text.slice(previous.end, piece.start);
    let group = groups.at(-1);
    const starts =
      group === undefined ||
      (piece.kind === 'selector' &&
        group.hours.length > 0 &&
        (group.selectors.length === 0 ? /\bor\b|;/.test(gap) : previous?.kind === 'hours')) ||
      (piece.kind === 'hours' && group.hoursFirst && group.selectors.length > 0) ||
      // "Tuesday at 2 or later, or any time Wednesday": these hours are those of the next day.
      (piece.kind === 'hours' &&
        group.selectors.length > 0 &&
        group.hours.length > 0 &&
        /\bor\b/.test(gap) &&
        next?.kind === 'selector' &&
        /^ (?:on )?$/.test(text.slice(piece.end, next.start)));
    if (group === undefined || starts) {
      group = { selectors: [], hours: [], hoursFirst: piece.kind === 'hours' };
      groups.push(group);
    }
    if (piece.kind === 'selector') group.selectors.push(piece);
    else addHours(group, piece, gap, previous);
    previous = piece;
  }
  return groups.flatMap((group) => windowsOfGroup(group, groups));
}

/** "mornings before 11" narrows, "mornings or after 4" adds. */
function addHours(
  group: Group,
  piece: Extract<Piece, { kind: 'hours' }>,
  gap: string,
  previous: Piece | undefined,
): void {
  const last = group.hours.at(-1);
  const narrowed =
    last === undefined ? null : { from: Math.max(last.from, piece.from), to: Math.min(last.to, piece.to) };
  const joins = previous?.kind === 'hours' && !/\bor\b|,|;|\/|&/.test(gap);
  if (last !== undefined && narrowed !== null && joins && narrowed.from < narrowed.to) {
    group.hours[group.hours.length - 1] = { ...piece, ...narrowed };
  } else group.hours.push(piece);
}

function windowsOfGroup(group: Group, groups: readonly Group[]): TimeWindow[] {
  const weekdays = [...new Set(group.selectors.flatMap((selector) => selector.weekdays))];
  const days = [...new Set(group.selectors.flatMap((selector) => selector.days))];
  const hours = group.hours.length === 0 ? [wholeDay] : group.hours;
  const onlyAnyTime =
    weekdays.length === 0 && days.length === 0 && hours.every(({ from, to }) => from === 0 && to === 24 * 60);
  // "any time" alone restricts nothing; beside other windows it would swallow them.
  if (onlyAnyTime && groups.length > 0) return [];
  const windows: TimeWindow[] = [];
  for (const { from, to } of hours) {
    if (weekdays.length > 0 || days.length === 0) {
      windows.push({ weekdays: weekdays.length === 0 ? null : weekdays, days: null, from, to });
    }
    if (days.length > 0) windows.push({ weekdays: null, days, from, to });
  }
  return windows;
}
