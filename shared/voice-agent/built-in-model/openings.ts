import type { Entity } from '../entities/entity.ts';
import type { Token } from '../entities/tokens.ts';
import { weekdayNames, weekdayOf } from '../language/calendar.ts';
import type { Heard } from '../understanding/understand.ts';
import type { Opening } from './memory.ts';
import { type OpeningContext, offeredTimes, type When } from './offered-times.ts';

/** An opening as just offered. Without minutes it is a day, a part of one, or a span of days. */
export interface OfferedOpening extends Opening {
  /** 0 to 1; below `sureEnough` the words may well mean another day or time. */
  readonly certainty: number;
  /** The last day of a span, such as "next week"; null for single days. */
  readonly last_day: string | null;
  /** A period, in minutes since midnight. */
  readonly from: number | null;
  readonly to: number | null;
  /** The day was named by its number, not by its weekday alone. */
  readonly names_date: boolean;
  /** Its position, as an offset into the words. */
  readonly start: number;
}

/** Below this certainty a day or time is asked again. */
export const sureEnough = 0.6;

/** Everything in the words that could be an appointment, in spoken order. */
export function openingsIn(heard: Heard, context: OpeningContext): OfferedOpening[] {
  const openings = withoutCovered(combined(offeredTimes(heard, context), heard, context));
  const ahead = openings.filter(({ day, last_day }) => day === null || (last_day ?? day) >= context.today);
  return ahead.map((opening) => ({ ...opening, provider: providerOf(opening, ahead, heard) }));
}

/** Combines days and times across the clauses. */
function combined(entities: readonly When[], heard: Heard, context: OpeningContext): OfferedOpening[] {
  const openings: OfferedOpening[] = [];
  let { day } = context;
  for (const [at, entity] of entities.entries()) {
    const base = { ...blank(entity, heard), day };
    const last = openings.at(-1);
    switch (entity.type) {
      case 'moment':
        day = entity.value.day;
        openings.push({ ...base, day, minutes: entity.value.minutes });
        break;
      case 'date':
        if (entity.value.precision === 'day') day = entity.value.day;
        openings.push(ofDate(entity, base, last));
        // The part of the day came first: "the morning of the 4th".
        if (last?.day === null && last.from !== null) openings.splice(-2, 1);
        break;
      case 'time':
        openings.push({ ...base, minutes: entity.value });
        break;
      case 'number':
        if (day !== null) openings.push({ ...base, minutes: officeMinutes(entity.value), certainty: 0.5 });
        break;
      case 'time-range': {
        const { from, to } = entity.value;
        const isOfLast =
          last !== undefined && last.minutes === null && last.from === null && last.last_day === null;
        if (isOfLast) openings.splice(-1, 1, { ...last, from, to });
        else openings.push({ ...base, day: isBefore(entity, entities[at + 1]) ? null : day, from, to });
      }
    }
  }
  return openings.filter((opening) => opening.day !== null || opening.minutes !== null);
}

/** "Between nine and eleven on Tuesday": the day follows. */
function isBefore({ end }: When, next: When | undefined): boolean {
  return next?.type === 'date' && next.start - end <= 8;
}

function ofDate(
  { value }: Extract<Entity, { type: 'date' }>,
  base: OfferedOpening,
  last?: OfferedOpening,
): OfferedOpening {
  const range = last?.day === null && last.from !== null ? { from: last.from, to: last.to } : {};
  return { ...base, ...range, day: value.day, last_day: value.precision === 'day' ? null : value.lastDay };
}

/** Offices see patients from 7 AM to 7 PM. */
function officeMinutes(hour: number): number {
  return (hour < 7 ? hour + 12 : hour) * 60;
}

function blank(entity: When, heard: Heard): OfferedOpening {
  const { start, end } = entity;
  const { moves, said, turn } = heard;
  const held = moves.filter((move) => move.start < end && move.end > start);
  const tokens = held.flatMap((move) => move.tokens);
  const certainty = certaintyOf(entity, heard);
  const quote = said.slice(held[0]?.start ?? start, held.at(-1)?.end ?? end).trim();
  const open = { minutes: null, last_day: null, from: null, to: null, provider: null };
  return { ...open, day: null, quote, turn, certainty, start, names_date: tokens.some(isDayNumber) };
}

/** Uncertain: a weekday that contradicts the date, and a time that follows several days in another sentence. */
function certaintyOf(entity: When, { tokens, entities, moves }: Heard): number {
  const own = tokens.filter(({ start, end }) => start >= entity.start && end <= entity.end);
  const named = own.map(({ norm }) => weekdays.indexOf(norm)).filter((weekday) => weekday >= 0);
  const day = entity.type === 'moment' || entity.type === 'date' ? entity.value.day : null;
  if (day !== null && named.some((weekday) => weekday !== weekdayOf(day))) return 0.4;
  const isOwn = entity.type === 'date' || named.length > 0 || own.some(isDayNumber);
  const from = moves.find(({ end }) => end > entity.start)?.start ?? 0;
  const days = entities.filter(
    (one) => one.type === 'date' && one.value.precision === 'day' && one.end <= from,
  );
  return !isOwn && days.length > 1 ? 0.5 : Math.max(entity.certainty, least);
}

/** Beside an offer, a recognized day or time counts, even where a number alone would not. */
const least = 0.65;
const weekdays = weekdayNames.map((name) => name.toLowerCase());

/** "The 24th", "November 24" */
function isDayNumber({ number, kind }: Token, at: number, tokens: readonly Token[]): boolean {
  if (kind !== 'number' || number === null) return false;
  const before = tokens[at - 1]?.text.toLowerCase() ?? '';
  return number.ordinal || (before !== '' && months.some((month) => before.startsWith(month)));
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** A day adds nothing once it has a time, nor does a span around a named day. */
function withoutCovered(openings: readonly OfferedOpening[]): OfferedOpening[] {
  return openings.filter(
    (one) =>
      one.minutes !== null ||
      !openings.some(({ day, minutes, last_day, from }) => {
        if (one.last_day !== null)
          return last_day === null && day !== null && one.day !== null && day >= one.day;
        return day === one.day && (minutes !== null || (from !== null && one.from === null));
      }),
  );
}

/** The doctor of each opening, if several are named: all before their openings, or all after. */
function providerOf(
  { start }: OfferedOpening,
  openings: readonly OfferedOpening[],
  heard: Heard,
): string | null {
  const named = heard.entities.filter((entity) => entity.type === 'provider');
  const isAhead = (named[0]?.start ?? 0) < (openings[0]?.start ?? 0);
  const own = isAhead ? named.findLast((one) => one.start < start) : named.find((one) => one.start > start);
  const next = openings.find((opening) => opening.start > start)?.start;
  const isBehindNext = next !== undefined && own !== undefined && own.start > next;
  // "Wednesday at nine with Tammy, Thursday at ten, or Friday at one with Dr. Combs": Thursday is with either.
  const isAmong = isBehindNext && named.some((one) => one.start < start);
  // "… at ten with Dr. Combs, or at one with our new midwife": with somebody whose name was not recognized.
  const isNamed = own !== undefined && !isBehindNext;
  const isWithAnother = !isNamed && heard.said.slice(start, next).toLowerCase().includes(' with ');
  return isAmong || isWithAnother ? null : ((own ?? named.at(-1))?.value ?? null);
}

/** Whether words name an opening again: a time without its day, or only with its weekday, still means it. */
export function isMention(opening: OfferedOpening, chosen: Opening): boolean {
  if (opening.minutes !== chosen.minutes) return false;
  if (opening.day === null || chosen.day === null || opening.day === chosen.day) return true;
  return !opening.names_date && weekdayOf(opening.day) === weekdayOf(chosen.day);
}
