import * as z from 'zod/mini';
import { addDays, daysBetween, weekdayOf } from '../language/calendar.ts';
import { type DayMention, findDays } from '../language/day-mentions.ts';
import type { Placed } from '../language/mentions.ts';
import { namedProvider } from '../language/names.ts';
import type { Sentence } from '../language/text.ts';
import { findTimes, type TimeMention } from '../language/time-mentions.ts';

/** An appointment that was offered, or part of one: a day without a time, a stretch of time. */
export const Slot = z.object({
  /** `YYYY-MM-DD`; `null` when only a time was said and no day is being spoken of. */
  day: z.nullable(z.string()),
  /** Minutes since midnight; `null` when only a day or a part of it was said. */
  minutes: z.nullable(z.int()),
  /** A stretch of time, when that is what was offered. */
  from: z.nullable(z.int()),
  to: z.nullable(z.int()),
  /** The last day, when a span of days was named ("next week"). */
  last_day: z.nullable(z.string()),
  provider: z.nullable(z.string()),
  quote: z.string(),
  turn: z.int(),
});
export type Slot = z.infer<typeof Slot>;

export interface SlotContext {
  readonly today: string;
  /** The day that is being spoken of, for times said without one. */
  readonly day: string | null;
  readonly turn: number;
  /** For these, appointments that exist already are spoken of, too. */
  readonly isRescheduling: boolean;
  /** Days that were named before; a weekday said alone means one of them. */
  readonly knownDays?: readonly string[];
  /** The first day that was asked for; a weekday said alone does not lie before it. */
  readonly firstDay?: string | null;
}

/** Everything in the sentences that could be an appointment, in the order said. */
export function findSlots(sentences: readonly Sentence[], context: SlotContext): Slot[] {
  const slots: Slot[] = [];
  let day = context.day;
  for (const sentence of sentences) {
    const found = slotsOf(sentence, { ...context, day });
    slots.push(...found);
    day = found.findLast((slot) => slot.day !== null)?.day ?? day;
  }
  const provider = namedProvider(sentences.map(({ text }) => text).join(' '));
  return slots.map((slot) => ({ ...slot, provider: slot.provider ?? provider }));
}

const notAboutAppointments =
  /\b(?:how (?:may|can|could) (?:i|we)\b|how are you\b|what can i do\b|(?:we're|we are|office is|clinic is|they're|they are|it's) (?:only )?open\b|\b(?:office|business|opening|phone) hours\b|\bclos(?:e|es|ed|ing)\b|\blunch\b|\barriv(?:e|al|ing)\b|\bcheck[- ]?in\b|\bminutes? (?:early|before|prior|ahead|beforehand)\b|\bshow up\b|\bget here\b|\bbe here\b|\bcall (?:us|back|before|if|me)\b|\bcancel(?:lation)?\b|\bon vacation\b|\bout (?:of (?:the )?office|until|sick|of town|on leave)\b|\b(?:is|he's|she's|are|be) (?:out|away|off)\b|\b(?:i|we) had (?:an?|some|two|three)\b|\bcame in\b|\bcancell?ed (?:on|for)\b|\blast (?:seen|visit|appointment|time)\b|\bborn\b|\bbirth|\beffective\b|\bexpires?\b|\bfast(?:ing)? (?:after|from)|\bremind)/;

const existingAppointment =
  /\b(?:i see|current(?:ly)?|existing|original(?:ly)?|old|has an|have (?:him|her|them) (?:down )?(?:for|on|at)|is scheduled|was scheduled|scheduled for|already)\b/;

function slotsOf(sentence: Sentence, context: SlotContext): Slot[] {
  const { plain } = sentence;
  if (notAboutAppointments.test(plain)) return [];
  if (
    context.isRescheduling &&
    existingAppointment.test(plain) &&
    !/\b(?:now|new|instead|moved|changed|rescheduled|open)\b/.test(plain)
  ) {
    return [];
  }
  const allDays = findDays(plain, context.today);
  const days = inContext(
    plain,
    insideSpans(allDays.filter((day) => day.last >= context.today)),
    context.knownDays ?? [],
    context.firstDay ?? null,
  );
  const times = findTimes(plain, allDays);
  const parts = pair(plain, days, times, context.day);
  const providerOf = providersOf(sentence, parts[0]?.start ?? 0);
  return (
    parts
      // "Mornings or afternoons?" offers nothing while no day is spoken of.
      .filter((part) => part.day !== null || part.minutes !== null)
      .filter((part) => !isDenied(plain, part))
      .map((part) => ({
        day: part.day,
        last_day: part.lastDay,
        minutes: part.minutes,
        from: part.from,
        to: part.to,
        provider: providerOf(part),
        quote: sentence.text,
        turn: context.turn,
      }))
  );
}

/** "Next week I have Monday at 9": the Monday of that week. The span itself then offers nothing more. */
function insideSpans(days: readonly DayMention[]): DayMention[] {
  const isSpan = (day: DayMention): boolean => day.first !== day.last;
  let span: DayMention | undefined;
  const placed = days.map((day) => {
    if (isSpan(day)) {
      span = day;
      return day;
    }
    if (span === undefined || day.exact || day.first >= span.first) return day;
    const ahead = addDays(day.first, 7 * Math.ceil(daysBetween(day.first, span.first) / 7));
    return ahead <= span.last ? { ...day, first: ahead, last: ahead } : day;
  });
  return placed.filter(
    (day) =>
      !isSpan(day) ||
      !placed.some((other) => !isSpan(other) && other.first >= day.first && other.first <= day.last),
  );
}

/** A weekday said alone means the day of that name that was spoken of, or the next one that fits the talk. */
function inContext(
  plain: string,
  days: readonly DayMention[],
  known: readonly string[],
  firstDay: string | null,
): DayMention[] {
  let previous: string | undefined;
  return days.map((mention) => {
    const words = plain.slice(mention.start, mention.end);
    const isBare =
      !mention.exact &&
      mention.first === mention.last &&
      /^[a-z]+\.?$/.test(words) &&
      /day\.?$|^(?:mon|tue|wed|thu|fri|sat|sun)/.test(words) &&
      !/^to(?:day|morrow)/.test(words);
    const day = isBare ? meantDay(mention.first, { known, previous, firstDay }) : mention.first;
    if (mention.first === mention.last) previous = day;
    return isBare ? { ...mention, first: day, last: day } : mention;
  });
}

/** Days are listed in their order, and in the weeks that were asked for. */
function meantDay(
  nearest: string,
  context: { known: readonly string[]; previous: string | undefined; firstDay: string | null },
): string {
  const weekday = weekdayOf(nearest);
  const spokenOf = context.known.findLast((day) => weekdayOf(day) === weekday);
  if (spokenOf !== undefined) return spokenOf;
  const { previous, firstDay } = context;
  if (previous !== undefined && nearest < previous) return after(previous, weekday);
  // "I have Tuesday at one", said to somebody who asked for next week.
  const isSoon = firstDay !== null && daysBetween(nearest, firstDay) <= 8;
  return firstDay !== null && isSoon && nearest < firstDay ? after(addDays(firstDay, -1), weekday) : nearest;
}

/** The first day of that weekday after a day. */
function after(day: string, weekday: number): string {
  return addDays(day, (weekday - weekdayOf(day) + 7) % 7 || 7);
}

/** A doctor, or somebody else by both names: "with Dana Reyes". */
const providerPattern =
  /\b(?:[Dd][Rr]\.?|[Dd]octor) |\bwith (?!Dr\b|Doctor\b)\p{Lu}\p{Ll}+ \p{Lu}[\p{L}'’-]+(?!\p{L}| (?:Clinic|Center|Group))/gu;

/** Which doctor a slot of the sentence is with, when several are named: all before their slots, or all after. */
function providersOf(sentence: Sentence, firstSlot: number): (part: Placed) => string | null {
  const found = [...sentence.text.matchAll(providerPattern)];
  const names = found.map(({ 0: words, index }) =>
    /^with /i.test(words) ? words.slice('with '.length) : namedProvider(sentence.text.slice(index)),
  );
  const places = found.map(({ 0: words }, nth) => {
    const before = found.slice(0, nth).filter((other) => other[0] === words).length;
    return (
      [...sentence.plain.matchAll(new RegExp(words.toLowerCase().replaceAll('.', '\\.'), 'g'))][before]
        ?.index ?? 0
    );
  });
  const before = (places[0] ?? 0) < firstSlot;
  return (part) => {
    if (names.length <= 1) return names[0] ?? namedProvider(sentence.text);
    const index = before
      ? places.findLastIndex((place) => place < part.end)
      : places.findIndex((place) => place > part.start);
    return names[index] ?? names.at(-1) ?? null;
  };
}

interface Part extends Placed {
  readonly day: string | null;
  readonly lastDay: string | null;
  readonly minutes: number | null;
  readonly from: number | null;
  readonly to: number | null;
}

/** Brings days and times together: "Tuesday at 9 or 11", "10:30 on Tuesday or 2 on Thursday", "Friday morning". */
function pair(
  plain: string,
  days: readonly DayMention[],
  times: readonly TimeMention[],
  contextDay: string | null,
): Part[] {
  const mentions = [
    ...days.map((day) => ({ kind: 'day' as const, day, start: day.start, end: day.end })),
    ...times.map((time) => ({ kind: 'time' as const, time, start: time.start, end: time.end })),
  ].sort((a, b) => a.start - b.start);
  const parts: Part[] = [];
  const daysWithTime = new Set<DayMention>();
  let current: DayMention | null = null;
  /** Times that wait for a day that comes after them. */
  let waiting: TimeMention[] = [];
  const settle = (day: DayMention | null): void => {
    for (const time of waiting) parts.push(partOf(time, day, contextDay));
    if (day !== null && waiting.length > 0) daysWithTime.add(day);
    waiting = [];
  };
  mentions.forEach((mention, index) => {
    if (mention.kind === 'day') {
      if (waiting.length > 0) settle(mention.day);
      current = mention.day;
      return;
    }
    const { time } = mention;
    const previous = mentions[index - 1];
    const next = mentions[index + 1];
    const gapBefore = previous === undefined ? null : plain.slice(previous.end, time.start);
    const gapAfter = next === undefined ? '' : plain.slice(time.end, next.start);
    const followsDay =
      previous?.kind === 'day' &&
      /^,? ?(?:at |around |about |in the |from |between |@ ?)?$/.test(gapBefore ?? '');
    const listed = next?.kind === 'time' && /^,? ?(?:or|and)? ?(?:at )?$/.test(gapAfter);
    const pointsForward =
      next?.kind === 'day' &&
      (/^ (?:on|for|this|of) (?:the )?$/.test(gapAfter) ||
        /^ $/.test(gapAfter) ||
        (current === null && /^,? ?$/.test(gapAfter)));
    if (!followsDay && (pointsForward || (listed && current === null) || (listed && waiting.length > 0))) {
      waiting.push(time);
      return;
    }
    settle(current);
    parts.push(partOf(time, current, contextDay));
    if (current !== null) daysWithTime.add(current);
  });
  settle(current);
  for (const day of days) {
    if (!daysWithTime.has(day)) {
      parts.push({ ...partOfDay(day), minutes: null, from: null, to: null, start: day.start, end: day.end });
    }
  }
  return withoutCoveredParts(parts).sort((a, b) => a.start - b.start);
}

function partOfDay(day: DayMention): Pick<Part, 'day' | 'lastDay'> {
  return { day: day.first, lastDay: day.last === day.first ? null : day.last };
}

function partOf(time: TimeMention, day: DayMention | null, contextDay: string | null): Part {
  const place = {
    start: Math.min(time.start, day?.start ?? time.start),
    end: Math.max(time.end, day?.end ?? time.end),
  };
  const where = day === null ? { day: contextDay, lastDay: null } : partOfDay(day);
  return time.kind === 'time'
    ? { ...place, ...where, minutes: time.minutes, from: null, to: null }
    : { ...place, ...where, minutes: null, from: time.from, to: time.to };
}

/** "Tuesday morning at 9": the part of the day says nothing more once there is a time in it. */
function withoutCoveredParts(parts: readonly Part[]): Part[] {
  return parts.filter(
    (part) =>
      part.minutes !== null ||
      part.from === null ||
      !parts.some(
        (other) =>
          other.minutes !== null &&
          other.day === part.day &&
          part.from !== null &&
          part.to !== null &&
          other.minutes >= part.from &&
          other.minutes <= part.to,
      ),
  );
}

/** Whether the clause around a slot says that it is not to be had. */
function isDenied(plain: string, part: Part): boolean {
  const boundary =
    /[;:]|, (?=but|however|though|so|we|i|the|and|or else|otherwise)| but | however | though /g;
  let clauseStart = 0;
  let clauseEnd = plain.length;
  for (const match of plain.matchAll(boundary)) {
    if (match.index + match[0].length <= part.start) clauseStart = match.index + match[0].length;
    else if (match.index >= part.end) {
      clauseEnd = match.index;
      break;
    }
  }
  const clause = plain.slice(clauseStart, clauseEnd);
  // "nothing until Thursday at 2" offers Thursday at 2.
  const before = plain.slice(clauseStart, part.start);
  if (
    /\b(?:nothing|not|n't|anything)\b.*\b(?:until|till|before|sooner than|earlier than)(?: the)? $/.test(
      before,
    )
  ) {
    return part.minutes === null && part.day === null;
  }
  return /\b(?:no(?!t only)\b(?! problem|,)|not\b(?! (?:only|sure if))|nothing|none|don't|doesn't|isn't|aren't|can't|cannot|won't|unavailable|booked (?:up|out|solid)|fully booked|all booked|(?:is|are) (?:already |all )?booked(?! (?:for|in|on))|is full|are full|taken|gone|filled|closed|unfortunately (?:not|no))\b/.test(
    clause
      .replace(/^no,? /, '')
      .replaceAll(
        /\b(?:if (?:that|it|this) (?:doesn't|does not|won't|isn't)|(?:does|would|is|do)n't (?:that|it) (?:work|sound)|if not|why not|not a problem|no problem)\b/g,
        '',
      ),
  );
}
