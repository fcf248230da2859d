import * as z from 'zod/mini';
import { hourMs, utcDay } from './time.ts';

/** E.164, as the interface specification gives it. */
export const phoneNumberPattern = /^\+[1-9]\d{1,14}$/;
export const PhoneNumber = z.string().check(z.regex(phoneNumberPattern, 'must match ^\\+[1-9]\\d{1,14}$'));

/** Text that a person could read out. */
export const notBlank = z.refine<string>((text) => /[^\s\p{Cc}\p{Cf}]/u.test(text), 'must not be blank');

/** A calendar date that exists, `YYYY-MM-DD`. */
export const CalendarDate = z
  .string()
  .check(z.refine(isCalendarDate, 'must be a calendar date in the form YYYY-MM-DD'));

/** Earliest plausible date of birth; an earlier year is a typo or placeholder. */
const earliestBirth = '1900-01-01';

/** What is wrong with a birth date before 1900 or in the future. */
export const implausibleBirth = 'must be a date from 1900-01-01 to today';

/** A calendar date from 1900 on that has begun somewhere on earth. */
export const DateOfBirth = CalendarDate.check(
  z.refine((date) => date >= earliestBirth && date <= latestToday(), {
    error: implausibleBirth,
    // Reports only the format error for what is no date at all.
    when: ({ issues }) => issues.length === 0,
  }),
);

/** ISO 8601 date-time in UTC with `Z`. */
export const Timestamp = z.string();

/** A client's date-time, with a UTC offset; stored in UTC. */
export const GivenTime = z.string().check(
  z.refine(isDateTime, {
    error: 'must be a date-time with its offset, such as 2026-11-20T15:00:00Z',
    abort: true,
  }),
  z.overwrite((text) => new Date(text).toISOString()),
);

/** All five members are required by the specification. */
export const Address = z.object({
  street_name: z.string(),
  city: z.string(),
  state: z.string(),
  postal_code: z.string(),
  country_code: z.string().check(z.regex(/^[A-Za-z]{2}$/, 'must be a two-letter country code')),
});

export const Provider = z.object({
  name: z.optional(z.string()),
  npi: z.optional(z.string()),
  specialty: z.optional(z.string()),
  facility: z.optional(z.string()),
  address: z.optional(Address),
  phone_number: z.optional(PhoneNumber),
});

export const PrimarySubscriber = z.object({
  first_name: z.nullish(z.string()),
  last_name: z.nullish(z.string()),
});

/** Members given as null are returned as null. */
export const MemberInsurance = z.object({
  company_name: z.nullish(z.string()),
  member_id: z.nullish(z.string()),
  group_number: z.nullish(z.string()),
  plan_name: z.nullish(z.string()),
  phone_number: z.nullish(PhoneNumber),
  relationship_to_subscriber: z.nullish(
    z.enum(['RELATIONSHIP_TO_SUBSCRIBER_UNSPECIFIED', 'SELF', 'SPOUSE', 'DEPENDENT']),
  ),
  primary_subscriber: z.nullish(PrimarySubscriber),
});
export type MemberInsurance = z.infer<typeof MemberInsurance>;

/** Of the years 0 to 9999 in UTC too: others have more digits there, by which they would sort before all. */
function isDateTime(text: string): boolean {
  return z.iso.datetime({ offset: true }).safeParse(text).success && /^\d/.test(new Date(text).toISOString());
}

/** Today's date where the day begins first, 14 hours ahead of UTC. */
function latestToday(): string {
  return utcDay(new Date(Date.now() + 14 * hourMs));
}

function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
