import * as z from 'zod/mini';
import { weekdayOf } from '../language/calendar.ts';

export const TimeWindow = z.object({
  /** 0 is Sunday; `null` is any day. */
  weekdays: z.nullable(z.array(z.int())),
  /** Named single days, `YYYY-MM-DD`; `null` is any day. */
  days: z.nullable(z.array(z.string())),
  /** The first and last day of the window; `null` is open. */
  first_day: z._default(z.nullable(z.string()), null),
  last_day: z._default(z.nullable(z.string()), null),
  /** Minutes since midnight, `to` excluded. */
  from: z.int(),
  to: z.int(),
});
export type TimeWindow = z.infer<typeof TimeWindow>;

/** When the patient can come: the client's words and their meaning. */
export const Availability = z.object({
  /** In the client's words, for speech; `null` without a wish. */
  text: z.nullable(z.string()),
  first_day: z.nullable(z.string()),
  last_day: z.nullable(z.string()),
  /** When the patient can come; any time if empty. */
  possible: z.array(TimeWindow),
  /** When the patient prefers to come; any possible time if empty. */
  preferred: z.array(TimeWindow),
  excluded: z.array(TimeWindow),
  /** The client asks for the earliest opening. */
  soonest: z._default(z.boolean(), false),
  /** Words that may restrict the time but were not understood. */
  not_understood: z._default(z.array(z.string()), []),
});
export type Availability = z.infer<typeof Availability>;

export const anyTime: Availability = {
  text: null,
  first_day: null,
  last_day: null,
  possible: [],
  preferred: [],
  excluded: [],
  soonest: false,
  not_understood: [],
};

/** A day, `YYYY-MM-DD`, and if known a time of that day in minutes since midnight. */
export interface SlotTime {
  readonly day: string;
  readonly minutes: number | null;
}

export type Fit = 'fits' | 'unsure' | 'does-not-fit';

/**
 * How much of a slot is in a window. A day without a time is partly in it unless the window covers the
 * whole day.
 */
type Coverage = 'all' | 'some' | 'none';

const officeOpens = 8 * 60;
const officeCloses = 17 * 60;

/**
 * Whether the patient can come. Uncertain: a partly possible day without a time, and every fitting slot
 * while some words of the client were not understood.
 */
export function fits(slot: SlotTime, availability: Availability): Fit {
  const { first_day, last_day, possible, excluded, not_understood } = availability;
  if (!isWithin(slot.day, first_day, last_day)) return 'does-not-fit';
  const out = excluded.map((window) => coverageOf(slot, window));
  if (out.includes('all')) return 'does-not-fit';
  const inside = possible.map((window) => coverageOf(slot, window));
  const isPossible = possible.length === 0 || inside.includes('all');
  if (!isPossible && !inside.includes('some')) return 'does-not-fit';
  return isPossible && !out.includes('some') && not_understood.length === 0 ? 'fits' : 'unsure';
}

/** The slots that fit or may fit, best first: certain, preferred, early ones. */
export function preferred<Slot extends SlotTime>(
  slots: readonly Slot[],
  availability: Availability,
): readonly Slot[] {
  return slots
    .map((slot) => ({ slot, key: rankOf(slot, availability) }))
    .filter(({ slot }) => fits(slot, availability) !== 'does-not-fit')
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ slot }) => slot);
}

/** Whether the patient prefers this time to other possible ones. */
export function isPreferred(slot: SlotTime, { preferred: windows }: Availability): boolean {
  return windows.length === 0 || windows.some((window) => coverageOf(slot, window) !== 'none');
}

function rankOf(slot: SlotTime, availability: Availability): string {
  const isUnsure = fits(slot, availability) === 'unsure';
  const time = String(slot.minutes ?? officeOpens).padStart(4, '0');
  return `${isUnsure ? 1 : 0}${isPreferred(slot, availability) ? 0 : 1}${slot.day}${time}`;
}

function coverageOf({ day, minutes }: SlotTime, window: TimeWindow): Coverage {
  const { weekdays, days, from, to } = window;
  const isDay =
    isWithin(day, window.first_day, window.last_day) &&
    (weekdays === null || weekdays.includes(weekdayOf(day))) &&
    (days === null || days.includes(day));
  if (!isDay) return 'none';
  if (minutes === null) return from <= officeOpens && to >= officeCloses ? 'all' : 'some';
  return minutes >= from && minutes < to ? 'all' : 'none';
}

function isWithin(day: string, first: string | null, last: string | null): boolean {
  return (first === null || day >= first) && (last === null || day <= last);
}
