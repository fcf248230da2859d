import * as z from 'zod/mini';
import { Uuid } from './identifiers.ts';
import { longestCallSeconds } from './project.ts';
import { PhoneNumber, Timestamp } from './values.ts';

/** What kind of organization answers a line. */
export const LineKind = z.enum(['payer', 'call-center', 'clinic', 'pharmacy', 'lab', 'other']);
export type LineKind = z.infer<typeof LineKind>;

export const WeeklyWindow = z.object({
  /** From 1 (Monday) to 7 (Sunday). */
  days: z.array(z.int().check(z.gte(1), z.lte(7))).check(z.minLength(1), z.maxLength(7)),
  /** `HH:MM` */
  opens: z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/)),
  /** `HH:MM`; `24:00` is the end of the day. */
  closes: z.string().check(z.regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/)),
});
export type WeeklyWindow = z.infer<typeof WeeklyWindow>;

export const LineHours = z.object({
  /** IANA name; where the line answers. */
  time_zone: z.string(),
  /** When it answers; empty for the project's calling hours. */
  weekly: z.array(WeeklyWindow).check(z.maxLength(14)),
});

/**
 * Facts about a destination: a number or a range of numbers of the same length. The operator's entries bound all
 * projects; a project's entries add to them and can only narrow the bounds.
 */
export const DirectoryEntry = z.object({
  /** Null for an operator's entry. */
  project_id: z.nullable(Uuid),
  phone_number: PhoneNumber,
  /** Last number of a range; null for a single number. */
  last_phone_number: z.nullable(PhoneNumber),
  name: z.string(),
  kind: LineKind,
  hours: z.nullable(LineHours),
  max_hold_minutes: z.nullable(z.int()),
  max_call_minutes: z._default(z.nullable(z.int()), null),
  /** Null for the default. */
  concurrent_calls: z.nullable(z.int()),
  updated_by: z.string(),
  updated_at: Timestamp,
});
export type DirectoryEntry = z.infer<typeof DirectoryEntry>;

/** Identifies the operator's directory, which applies to all projects. */
export const operatorDirectory = 'OPERATOR';

/** The owner of a directory: a project, by its identifier, or the operator. */
export type DirectoryOwner = string;

/** Bounds of an entry. */
export const directoryLimits = {
  concurrentCalls: 500,
  callMinutes: longestCallSeconds / 60,
  nameLength: 100,
  entriesPerOwner: 2000,
} as const;

/** Whether the entry covers the number. Numbers of the same length sort as text. */
export function coversNumber(
  { phone_number, last_phone_number }: Pick<DirectoryEntry, 'phone_number' | 'last_phone_number'>,
  number: string,
): boolean {
  const last = last_phone_number ?? phone_number;
  return number.length === phone_number.length && phone_number <= number && number <= last;
}

/** The intersection of two windows; null when they are disjoint. Two-digit times of day sort as text. */
export function commonWindow<Window extends WeeklyWindow>(one: Window, other: WeeklyWindow): Window | null {
  const opens = one.opens.localeCompare(other.opens) > 0 ? one.opens : other.opens;
  const closes = one.closes.localeCompare(other.closes) < 0 ? one.closes : other.closes;
  const days = one.days.filter((day) => other.days.includes(day));
  return opens < closes && days.length > 0 ? { ...one, opens, closes, days } : null;
}
