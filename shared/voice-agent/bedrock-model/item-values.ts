import * as z from 'zod/mini';
import type { RecordedAnswer } from '../dialogue/dialogue-record.ts';
import { dayOf, weekdayOf } from '../language/calendar.ts';
import { findDays } from '../language/day-mentions.ts';
import { plainOf } from '../language/text.ts';
import { findTimes } from '../language/time-mentions.ts';
import { findMoney, findPercentages } from '../language/values.ts';
import type { ItemKind } from '../plan/call-plan.ts';

const text = z.string().check(z.minLength(1), z.maxLength(500));

const claimStatuses = [
  'paid',
  'partially paid',
  'approved',
  'denied',
  'pending',
  'received',
  'not on file',
  'closed',
  'processed',
] as const;

const isDay = (value: string): boolean => {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(value) ?? [];
  return dayOf(Number(year), Number(month), Number(day)) === value.slice(0, 10);
};
const day = z.string().check(
  z.regex(/^\d{4}-\d{2}-\d{2}$/),
  z.refine((value) => isDay(value)),
);
const dayAndTime = z.string().check(
  z.regex(/^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d$/),
  z.refine((value) => isDay(value)),
);

/** What the machine-readable value of each kind of item is, in words for the model and as a check. */
const kinds: Record<ItemKind, { readonly meaning: string; readonly schema: z.ZodMiniType }> = {
  'yes-no': { meaning: 'true or false', schema: z.boolean() },
  money: { meaning: 'amount in dollars as a number', schema: z.number().check(z.gte(0)) },
  percentage: { meaning: 'number from 0 to 100', schema: z.number().check(z.gte(0), z.lte(100)) },
  number: { meaning: 'number', schema: z.number() },
  date: { meaning: 'date as YYYY-MM-DD', schema: day },
  'date-time': { meaning: 'local date and time as YYYY-MM-DDTHH:MM', schema: dayAndTime },
  identifier: {
    meaning: 'the characters as written, without spaces',
    schema: z.string().check(z.regex(/^\S{2,40}$/)),
  },
  'phone-number': {
    meaning: 'number as +1 and ten digits',
    schema: z.string().check(z.regex(/^\+?\d{7,15}$/)),
  },
  name: { meaning: 'the name', schema: text },
  'claim-status': { meaning: `one of ${claimStatuses.join(', ')}`, schema: z.enum(claimStatuses) },
  text: { meaning: 'true or false if that answers it, otherwise null', schema: z.union([text, z.boolean()]) },
};

/** What `value` must be for an item of this kind: "amount in dollars as a number". */
export function valueMeaning(kind: ItemKind): string {
  return kinds[kind].meaning;
}

export type CheckedValue =
  | { readonly isValid: true; readonly value: RecordedAnswer['value'] }
  | { readonly isValid: false; readonly problem: string };

/**
 * Whether a value fits the item's kind and the words that it is said to rest on: a number that was not said is none.
 * Without a value the words themselves are the answer.
 */
export function checkValue(
  kind: ItemKind,
  value: RecordedAnswer['value'],
  { quote, today }: { readonly quote: string; readonly today: string },
): CheckedValue {
  if (value === null) {
    return kind === 'yes-no' || kind === 'claim-status' || kind === 'date-time'
      ? { isValid: false, problem: `value must be: ${kinds[kind].meaning}` }
      : { isValid: true, value };
  }
  // Models write numbers as strings now and then.
  const read =
    isNumeric(kind) && typeof value === 'string' ? Number(value.replaceAll(/[$,%\s]/g, '')) : value;
  if (!kinds[kind].schema.safeParse(read).success) {
    return { isValid: false, problem: `value must be: ${kinds[kind].meaning}` };
  }
  return isSaid(kind, read, plainOf(quote), today)
    ? { isValid: true, value: read }
    : { isValid: false, problem: 'the quote does not contain this value; quote the words that say it' };
}

function isNumeric(kind: ItemKind): boolean {
  return kind === 'money' || kind === 'percentage' || kind === 'number';
}

function isSaid(kind: ItemKind, value: RecordedAnswer['value'], plain: string, today: string): boolean {
  switch (kind) {
    case 'money':
      return (
        findMoney(plain, { bare: true }).some(({ amount }) => amount === value) ||
        saysNumber(plain, value) ||
        (value === 0 && saysNothing(plain))
      );
    case 'percentage':
      // "The plan pays eighty percent" leaves twenty.
      return (
        findPercentages(plain).some(({ percent }) => percent === value || 100 - percent === value) ||
        saysNumber(plain, value) ||
        (value === 0 && saysNothing(plain)) ||
        (value === 100 && /\b(?:all|full|fully)\b/.test(plain))
      );
    case 'number':
      return saysNumber(plain, value) || (value === 0 && saysNothing(plain));
    case 'identifier':
    case 'phone-number':
      return isSpelledIn(String(value), plain);
    case 'date':
      return namesNoOtherDay(String(value), plain, today);
    case 'date-time':
      return (
        namesNoOtherDay(String(value).slice(0, 10), plain, today) &&
        namesTime(String(value).slice(11), plain, today)
      );
    case 'yes-no':
    case 'name':
    case 'claim-status':
    case 'text':
      return true;
  }
}

function saysNumber(plain: string, value: RecordedAnswer['value']): boolean {
  return (plain.match(/\d[\d,]*(?:\.\d+)?/g) ?? []).some(
    (found) => Number(found.replaceAll(',', '')) === value,
  );
}

/** The year may be left out, and a weekday stands for a day that was named before. */
function namesNoOtherDay(day: string, plain: string, today: string): boolean {
  const named = [...findDays(plain, today, 'past'), ...findDays(plain, today, 'future')];
  return (
    named.length === 0 ||
    named.some(
      ({ first, last }) =>
        first.slice(5) === day.slice(5) ||
        weekdayOf(first) === weekdayOf(day) ||
        (first < last && first <= day && day <= last),
    )
  );
}

/** Which half of the day is meant often goes without saying. */
function namesTime(time: string, plain: string, today: string): boolean {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const halfDay = 12 * 60;
  return findTimes(plain, findDays(plain, today)).some(
    (mention) => mention.kind === 'time' && mention.minutes % halfDay === (hours * 60 + minutes) % halfDay,
  );
}

function saysNothing(plain: string): boolean {
  return /\b(?:no|none|nothing|zero|free|waived|not|n't)\b|n't\b/.test(plain);
}

/** All digits of the value in the order in which they were said; letters may have been said as "B as in boy". */
function isSpelledIn(value: string, plain: string): boolean {
  const said = plain
    .replaceAll(/\b(double|triple) ([a-z0-9])\b/g, (_, times: string, one: string) =>
      one.repeat(times === 'double' ? 2 : 3),
    )
    .replaceAll(/\D/g, '');
  const digits = value.replace(/^\+1(?=\d{10}$)/, '').replaceAll(/\D/g, '');
  return said.includes(digits);
}
