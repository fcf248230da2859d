import { findMentions, masked, type Placed, type Rule } from './mentions.ts';

/** A clock time, a range of clock times ("between 2 and 4") or a part of the day ("in the afternoon"). */
export type TimeMention = Placed &
  (
    | { readonly kind: 'time'; readonly minutes: number }
    | { readonly kind: 'range'; readonly from: number; readonly to: number }
    | { readonly kind: 'part'; readonly name: string; readonly from: number; readonly to: number }
  );

/** A clock time whose half of the day may still be open. */
interface RawTime extends Placed {
  readonly hour: number;
  readonly minute: number;
  readonly half: 'am' | 'pm' | null;
}

const unitsThatAreNoTimes =
  '(?! ?(?:%|percent|dollars?|bucks|cents?|minutes?|mins?|hours?|days?|weeks?|months?|years?|visits?|sessions?|patients?|people|business|working|doctors?|providers?|locations?|of\\b|st\\b|nd\\b|rd\\b|th\\b|for\\b \\w+ \\w+ ?percent|questions?|things?|more\\b|times?\\b|digits?|copies|pages?|slots?|openings?|appointments?|spots?|options?|other\\b|different|milligrams?|mg\\b))(?![\\d:/,.-]*\\d)';
const half = '(?<half>[ap]\\.? ?m\\b\\.?)';

const clockRules: Rule<Omit<RawTime, keyof Placed>>[] = [
  {
    pattern: new RegExp(`(?<![\\d$:.,/-])(?<hour>\\d{1,2}):(?<minute>\\d{2})(?!\\d)(?: ?${half})?`, 'g'),
    read: (g) => clock(g.hour, g.minute, g.half),
  },
  {
    pattern: new RegExp(`(?<![\\d$:.,/-])(?<hour>\\d{1,2})\\.?(?<minute>\\d{2}) ?${half}`, 'g'),
    read: (g) => clock(g.hour, g.minute, g.half),
  },
  {
    pattern: new RegExp(
      `(?<![\\d$:.,/-])(?<!\\d )(?<hour>\\d{1,2}) (?<minute>[0-5]\\d|0 \\d)(?: ?${half}|(?! \\d)${unitsThatAreNoTimes})`,
      'g',
    ),
    read: (g) => clock(g.hour, g.minute?.replace(' ', ''), g.half),
  },
  {
    pattern: new RegExp(`(?<![\\d$:.,/-])(?<hour>\\d{1,2}) ?${half}`, 'g'),
    read: (g) => clock(g.hour, '0', g.half),
  },
  {
    pattern: /(?<![\d$:.,/-])(?<hour>\d{1,2}) o'? ?clock\b/g,
    read: (g) => clock(g.hour, '0', undefined),
  },
  {
    pattern: new RegExp(`\\bhalf past (?<hour>\\d{1,2})\\b(?: ?${half})?`, 'g'),
    read: (g) => clock(g.hour, '30', g.half),
  },
  {
    pattern: new RegExp(
      `\\b(?:a )?quarter (?<side>past|after|to|till|til|of|before) (?<hour>\\d{1,2})\\b(?: ?${half})?`,
      'g',
    ),
    read: (g) => beside(g.side, 15, g.hour, g.half),
  },
  {
    pattern: new RegExp(
      `\\b(?<count>5|10|20|25) (?:minutes? (?<side>past|after|to|till|til|before)|(?<short>past|till|til)) (?<hour>\\d{1,2})\\b(?: ?${half})?`,
      'g',
    ),
    read: (g) => beside(g.side ?? g.short, Number(g.count), g.hour, g.half),
  },
  { pattern: /\b(?:12 )?(?:noon|midday)\b/g, read: () => ({ hour: 12, minute: 0, half: 'pm' }) },
  {
    pattern: new RegExp(
      `(?<=\\b(?:at|around|about|@|after|before|by|until|till?|from|between|past|say|like) )(?<hour>\\d{1,2})\\b${unitsThatAreNoTimes}`,
      'g',
    ),
    read: (g) => clock(g.hour, '0', undefined),
  },
];

const partRules: Rule<{ name: string; from: number; to: number }>[] = [
  part(
    /\b(?:early (?:in the )?mornings?|first thing (?=in the morning|tomorrow|on |monday|tuesday|wednesday|thursday|friday)(?:in the morning)?)\b/g,
    'early morning',
    0,
    9 * 60 + 30,
  ),
  part(/\blate(?:r)? (?:in the )?mornings?\b/g, 'late morning', 10 * 60, 12 * 60),
  part(/\bmid-?mornings?\b/g, 'mid-morning', 9 * 60, 11 * 60 + 30),
  part(/\b(?:in the |this |any )?mornings?\b(?! sickness)/g, 'morning', 0, 12 * 60),
  part(/\bearly (?:in the )?afternoons?\b/g, 'early afternoon', 12 * 60, 15 * 60),
  part(
    /\b(?:late(?:r)? (?:in the )?afternoons?|end of (?:the )?day)\b/g,
    'late afternoon',
    15 * 60,
    18 * 60 + 1,
  ),
  part(/\b(?:in the |this |any )?afternoons?\b/g, 'afternoon', 12 * 60, 18 * 60),
  part(/\b(?:in the |this |any )?evenings?\b/g, 'evening', 17 * 60, 22 * 60),
  part(/\b(?:around |over |at )?lunch ?(?:time|hour)?\b/g, 'lunchtime', 11 * 60 + 30, 13 * 60 + 30),
];

function part(pattern: RegExp, name: string, from: number, to: number): (typeof partRules)[number] {
  return { pattern, read: () => ({ name, from, to }) };
}

/**
 * All times in a plain text, in order.
 *
 * @param days places of days in the text, whose numbers are no times but make a following bare number one
 */
export function findTimes(plain: string, days: readonly Placed[] = []): TimeMention[] {
  const text = masked(plain, days);
  const parts = findMentions(text, partRules);
  const clocks = withListedHours(text, findMentions(text, clockRules), days);
  const times = clocks.map((time, index) => ({
    ...time,
    half: halfOf(text, time, clocks.slice(index + 1), parts),
  }));
  // "9 in the morning" is one mention, not a time and a part of the day.
  const freeParts = parts.filter(
    (mention) =>
      !times.some((time) => time.end <= mention.start && /^,? ?$/.test(text.slice(time.end, mention.start))),
  );
  const mentions: TimeMention[] = [
    ...ranged(text, times),
    ...freeParts.map((mention) => ({ kind: 'part' as const, ...mention })),
  ];
  return mentions.sort((a, b) => a.start - b.start);
}

/** Bare numbers that stand in a list with a time or right behind a day: "9, 11 or 2:30", "Tuesday 10 or 2". */
function withListedHours(text: string, found: readonly RawTime[], days: readonly Placed[]): RawTime[] {
  const times = [...found];
  const anchors: Placed[] = [...found, ...days];
  const bare = [
    ...text.matchAll(new RegExp(`(?<![\\d$:.,/#-])\\b(?<hour>\\d{1,2})\\b${unitsThatAreNoTimes}`, 'g')),
  ]
    .map((match) => ({ start: match.index, end: match.index + match[0].length, hour: Number(match[0]) }))
    .filter(
      ({ start, end, hour }) =>
        hour >= 1 && hour <= 12 && !times.some((time) => start < time.end && time.start < end),
    );
  const joined = /^(?:,|;)? ?(?:either |at |or |and |maybe |, |to |until |till )*$/;
  let grown = true;
  while (grown) {
    grown = false;
    for (const candidate of bare) {
      if (times.some((time) => time.start === candidate.start)) continue;
      const touches = anchors.some(
        (anchor) =>
          (anchor.end <= candidate.start &&
            joined.test(text.slice(anchor.end, candidate.start).replace(/^ /, ''))) ||
          (candidate.end <= anchor.start &&
            !days.includes(anchor) &&
            /^,? ?(?:or |and |to |- ?)?$/.test(text.slice(candidate.end, anchor.start)) &&
            text.slice(candidate.end, anchor.start) !== ' '),
      );
      if (!touches) continue;
      const time = { ...candidate, minute: 0, half: null };
      times.push(time);
      anchors.push(time);
      grown = true;
    }
  }
  return times.sort((a, b) => a.start - b.start);
}

function clock(hour: string | undefined, minute: string | undefined, half: string | undefined) {
  const hours = Number(hour);
  const minutes = Number(minute ?? '0');
  if (hours > 23 || minutes > 59 || (half !== undefined && (hours < 1 || hours > 12))) return null;
  return {
    hour: hours,
    minute: minutes,
    half: half === undefined ? null : half.startsWith('a') ? 'am' : 'pm',
  } as const;
}

function beside(side: string | undefined, count: number, hour: string | undefined, half: string | undefined) {
  const time = clock(hour, '0', half);
  if (time === null) return null;
  if (side === 'past' || side === 'after') return { ...time, minute: count };
  return { ...time, hour: time.hour === 1 ? 12 : time.hour - 1, minute: 60 - count };
}

/** Which half of the day is meant: said, shared with a later time of a list, told by a part of the day, or usual. */
function halfOf(
  text: string,
  time: RawTime,
  later: readonly RawTime[],
  parts: readonly (Placed & { from: number; to: number })[],
): 'am' | 'pm' | null {
  if (time.half !== null || time.hour > 12 || time.hour === 0) return time.half;
  const behind = parts.find(
    (mention) => mention.start >= time.end && /^,? ?$/.test(text.slice(time.end, mention.start)),
  );
  const ahead = parts.findLast(
    (mention) => mention.end <= time.start && !/[.;?!]|\bor\b/.test(text.slice(mention.end, time.start)),
  );
  const told = behind ?? ahead;
  if (told !== undefined) return halfOfPart(time.hour, told.from);
  const [next] = later;
  if (
    next !== undefined &&
    next.half !== null &&
    next.hour <= 12 &&
    /^,? ?(?:or|and|to|-|–|until|till|through)? ?(?:at )?$/.test(text.slice(time.end, next.start))
  ) {
    // "9 or 11 am", "between 2 and 4 pm"; but in "11 to 2 pm" the first one is in the morning.
    return time.hour % 12 <= next.hour % 12 ? next.half : next.half === 'pm' ? 'am' : 'pm';
  }
  return null;
}

function halfOfPart(hour: number, partStart: number): 'am' | 'pm' {
  if (partStart >= 12 * 60 || hour === 12) return 'pm';
  // Nobody is seen in the small hours.
  if (hour < 6) return 'pm';
  // Of the parts before noon only lunchtime reaches into the afternoon.
  return partStart > 11 * 60 && hour < 11 ? 'pm' : 'am';
}

/** Clinics answer between 7 in the morning and 7 at night, so an hour said alone lies there. */
function minutesOf({ hour, minute, half }: RawTime): number {
  const base = hour % 12;
  if (hour > 12 || hour === 0) return hour * 60 + minute;
  if (half !== null) return (base + (half === 'pm' ? 12 : 0)) * 60 + minute;
  return (hour >= 7 && hour <= 11 ? hour : base + 12) * 60 + minute;
}

/** Joins two times that are the ends of a range. */
function ranged(text: string, times: readonly RawTime[]): TimeMention[] {
  const mentions: TimeMention[] = [];
  for (let index = 0; index < times.length; index += 1) {
    const time = times[index];
    const next = times[index + 1];
    if (time === undefined) continue;
    const gap = next === undefined ? '' : text.slice(time.end, next.start);
    const between = /\b(?:between|anywhere from|anytime from|from) $/.test(text.slice(0, time.start));
    const isRange =
      next !== undefined &&
      (/^ ?(?:-|–|to|until|till|through) ?$/.test(gap) || (between && /^,? ?(?:and|to|-) ?$/.test(gap)));
    const from = minutesOf(time);
    if (isRange && from < minutesOf(next)) {
      mentions.push({ kind: 'range', start: time.start, end: next.end, from, to: minutesOf(next) });
      index += 1;
    } else {
      mentions.push({ kind: 'time', start: time.start, end: time.end, minutes: from });
    }
  }
  return mentions;
}
