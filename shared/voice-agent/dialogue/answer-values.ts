import * as z from 'zod/mini';
import type { ItemKind, PlanItem } from '../call-plan/call-plan.ts';
import { findEntities } from '../entities/find-entities.ts';
import { tokenize, wordSet } from '../entities/tokens.ts';
import { weekdayOf } from '../language/calendar.ts';
import words from '../language/en-US/entities/words.json' with { type: 'json' };
import type { RecordedAnswer } from './dialogue-record.ts';
import { digitsIn, wordsIn } from './quotes.ts';

const text = z.string().check(z.minLength(1), z.maxLength(500));
const written = z.string().check(z.minLength(2), z.maxLength(40));
const claimStatuses =
  'paid, partially paid, approved, denied, pending, received, not on file, closed, processed';
/** Models sometimes write numbers as text: "$1,250.50", "80 %". */
const amount = z.pipe(
  z.transform((value) => (typeof value === 'string' ? Number(bareNumber(value) || Number.NaN) : value)),
  z.number().check(z.gte(0)),
);
/** They also write "true", "Received", "2026-12-02T09:10:00" and "202-555-0177". */
const yesOrNo = z.pipe(
  z.transform((value) => (value === 'true' ? true : value === 'false' ? false : value)),
  z.boolean(),
);
const dayAndTime = z.pipe(
  z.transform((value) => (typeof value === 'string' ? value.replace(/(T\d\d:\d\d):00$/, '$1') : value)),
  z.iso.datetime({ local: true, precision: -1 }),
);
const status = z.pipe(
  z.transform((value) => (typeof value === 'string' ? value.toLowerCase() : value)),
  z.enum(claimStatuses.split(', ')),
);
const phone = z.pipe(
  z.transform((value) => {
    const digits = typeof value === 'string' ? value.replaceAll(/[^\d]/g, '') : '';
    return digits.length === 10 ? `+1${digits}` : value;
  }),
  z.e164(),
);

/** The machine-readable value of each kind of item, described for the model and checked. */
const kinds: Record<ItemKind, readonly [meaning: string, schema: z.ZodMiniType]> = {
  'yes-no': ['true or false', yesOrNo],
  money: ['amount in dollars as a number', amount],
  percentage: ['number from 0 to 100', amount.check(z.refine((value) => value <= 100))],
  number: ['number', amount],
  date: ['date as YYYY-MM-DD', z.iso.date()],
  'date-time': ['local date and time as YYYY-MM-DDTHH:MM', dayAndTime],
  identifier: ['the characters as written, without spaces', written],
  'phone-number': ['number as +1 and ten digits', phone],
  name: ['the name', text],
  'claim-status': [`one of ${claimStatuses}`, status],
  text: [
    'a name alone as they say it, or true or false if asked whether there is any; otherwise null',
    z.union([yesOrNo, text]),
  ],
};
const needed: ReadonlySet<ItemKind> = new Set(['yes-no', 'claim-status', 'date-time', 'name']);

/** The required `value` of an item: "amount in dollars as a number". */
export function valueMeaning({ key, kind }: Pick<PlanItem, 'key' | 'kind'>): string {
  const whose = key === 'coinsurance' ? 'what the patient pays, as a ' : '';
  return `${whose}${kinds[kind][0]}`;
}

type Value = RecordedAnswer['value'];

/**
 * The value, or its problem: it must match the item's kind and its quote. A number
 * that was not said is invalid. Without a value the words themselves are the answer.
 */
export function checkValue(
  { key, kind }: Pick<PlanItem, 'key' | 'kind'>,
  value: Value,
  quote: string,
  today: string,
): { readonly value: Value; readonly problem: null } | { readonly problem: string } {
  if (value === null && !needed.has(kind)) return { value, problem: null };
  const { data, success } = z
    .union([z.string(), z.number(), z.boolean()])
    .safeParse(kinds[kind][1].safeParse(value).data);
  if (!success) return { problem: `value must be: ${valueMeaning({ key, kind })}` };
  if (isSaid(kind, data, readQuote(quote, today))) return { value: data, problem: null };
  // Without a value the words themselves are the answer.
  return kind === 'text'
    ? { value: null, problem: null }
    : { problem: 'the quote does not contain this value; correct it, or quote the words that say it' };
}

function bareNumber(value: string): string {
  return [...value].filter((character) => !'$,% '.includes(character)).join('');
}

const titles = wordSet(`${words.titles} doctor`);
const halves = wordSet('am pm morning mornings afternoon afternoons evening evenings tonight noon midnight');
const halfDay = 12 * 60;
const none = new Set(['no', 'none', 'nothing', 'zero', 'free', 'waived', 'not']);

/** Everything that words can mean, whatever their topic. Days without a year may be in the future or past. */
function readQuote(quote: string, today: string) {
  const tokens = tokenize(quote);
  const saysNone = tokens.some(({ norm }) => norm.split(' ').some((word) => none.has(word)));
  const said = {
    numbers: [...tokens.flatMap(({ number }) => number?.value ?? []), ...(saysNone ? [0] : [])],
    days: [] as { first: string; last: string }[],
    /** Minutes since midnight; without a word for it, either half of the day. */
    times: [] as number[],
    isHalfSaid: tokens.some(({ norm }) => halves.has(norm)),
    /** Spelled or dialed characters, without separators. */
    spelled: [digitsIn(quote), bare(quote)],
    words: bare(quote),
  };
  // Where both are expected, "twelve fifty" is an identifier alone.
  const readings = [
    ['past', 'money'],
    ['future', 'money'],
    ['past', 'identifier'],
  ] as const;
  for (const [direction, expected] of readings) {
    for (const found of findEntities(tokens, { today, direction, expecting: [expected] })) {
      const { type, value } = found;
      if (type === 'quantity') said.numbers.push(value.value);
      if (type === 'money') said.numbers.push(value, ...(found.alternatives ?? []));
      if (type === 'identifier' || type === 'phone') said.spelled.push(bare(value));
      if (type === 'date') said.days.push({ first: value.day, last: value.lastDay });
      if (type === 'moment') said.days.push({ first: value.day, last: value.day });
      if (type === 'moment') said.times.push(value.minutes);
      if (type === 'time') said.times.push(value);
    }
  }
  return said;
}
type Said = ReturnType<typeof readQuote>;

function isSaid(kind: ItemKind, value: string | number | boolean, said: Said): boolean {
  const [day = '', time = ''] = String(value).split('T');
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  switch (kind) {
    case 'money':
    case 'number':
      return said.numbers.includes(Number(value));
    case 'percentage':
      // "The plan pays eighty percent" leaves twenty.
      return said.numbers.includes(Number(value)) || said.numbers.includes(100 - Number(value));
    case 'identifier':
    case 'phone-number':
      return isSpelledIn(String(value), said);
    case 'date':
      return namesNoOtherDay(day, said);
    case 'date-time':
      return namesNoOtherDay(day, said) && isTimeOf(hours * 60 + minutes, said);
    case 'name':
    case 'text':
      return typeof value === 'boolean' || isNamedIn(String(value), said);
    default:
      return true;
  }
}

function isTimeOf(minutes: number, { times, isHalfSaid }: Said): boolean {
  return times.some((time) => time === minutes || (!isHalfSaid && (time - minutes) % halfDay === 0));
}

/** The year may be omitted, and a weekday stands for a day named before. */
function namesNoOtherDay(day: string, { days }: Said): boolean {
  const isNamed = days.some(
    ({ first, last }) =>
      first.slice(5) === day.slice(5) || weekdayOf(first) === weekdayOf(day) || (first <= day && day <= last),
  );
  return isNamed || days.length === 0;
}

/** "Dr. Maki": "with Doctor Maki", "M A K I". */
function isNamedIn(name: string, said: Said): boolean {
  const named = wordsIn(name).filter(({ lower }) => !titles.has(lower));
  return named.length > 0 && said.words.includes(named.map(({ lower }) => lower).join(''));
}

/** All digits of the value in spoken order; its letters may have been said as "B as in boy". */
function isSpelledIn(value: string, { spelled }: Said): boolean {
  const digits = digitsIn(value).slice(value.startsWith('+1') ? 1 : 0);
  return spelled.some((run) => (digits === '' ? run.includes(bare(value)) : digitsIn(run).includes(digits)));
}

/** Only letters and digits. */
function bare(words: string): string {
  return wordsIn(words).reduce((all, { lower }) => all + lower, '');
}
