import { sayMoment } from '#shared/sandbox-phone/person/moment.ts';
import type { Held } from '../held.ts';
import { type FoundDate, withoutDates } from './dates-in-prose.ts';
import { numbersIn, squeezed } from './spoken-numbers.ts';
import type { Truth } from './truth.ts';
import { wordsOfPerson } from './truth.ts';

/*
 * Errors in sentences for readers: numbers, dates and names that nobody on the call said, a booking that
 * does not exist, and values beside the wrong item.
 */

/** Everything that sentences about a call may rest on. */
export interface Grounds {
  readonly numbers: ReadonlySet<number>;
  readonly squeezed: string;
  readonly words: string;
  /** The person's words in lower case, and the numbers in them. */
  readonly personsWords: string;
  readonly personsNumbers: ReadonlySet<number>;
  /** Known days, `YYYY-MM-DD`. */
  readonly dates: ReadonlySet<string>;
  /** Figures of a slip of the tongue that was corrected, and the corrected ones. */
  readonly slip: { readonly wrong: ReadonlySet<number>; readonly right: ReadonlySet<number> };
}

export function groundsOf(held: Held): Grounds {
  const { plan, casting, called } = held;
  const { booked = null, knows = {} } = called ?? {};
  const [day = '', time = ''] = (booked?.moment ?? '').split('T');
  const known = Object.values(knows).map(({ value }) => value);
  const personsWords = wordsOfPerson(held).join('\n');
  const given = [
    personsWords,
    plan.instructions,
    casting.task,
    JSON.stringify(casting.taskData),
    ...plan.facts.flatMap(({ value, spoken }) => [value, spoken]),
    ...plan.items.map(({ question }) => question),
    plan.voicemail?.callback_number ?? '',
    casting.phoneNumber,
    ...known.map(String),
    ...(booked === null ? [] : [spokenMoment(day, time), booked.with]),
  ].join('\n');
  return {
    numbers: numbersIn(given),
    squeezed: squeezed(given),
    words: given.toLowerCase(),
    personsWords: personsWords.toLowerCase(),
    personsNumbers: numbersIn(personsWords),
    dates: new Set([day, ...withoutDates(given).dates.map(({ iso }) => iso)]),
    slip: slipOf(held),
  };
}

function slipOf({ casting, called }: Held): Grounds['slip'] {
  const { misspeaks } = casting.person.temper;
  const truth = misspeaks === undefined ? undefined : called?.knows[misspeaks.fact];
  if (misspeaks === undefined || truth === undefined || called?.told.includes(misspeaks.fact) !== true)
    return { wrong: new Set(), right: new Set() };
  const right = numbersIn(String(truth.value));
  // "We cut $640": the billed amount, reported as the paid one, remains the billed amount.
  const told = numbersIn(called.told.map((name) => String(called.knows[name]?.value ?? '')).join('\n'));
  return { wrong: new Set([...numbersIn(misspeaks.instead)].filter((number) => !told.has(number))), right };
}

function spokenMoment(day: string, time: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return sayMoment({ year, month, day: date }, time, 'long');
}

/** Claims in this text that were never said on the call. Each as `"what": why`. */
export function unfounded(text: string, grounds: Grounds): string[] {
  const { rest, dates } = withoutDates(text);
  return [
    ...dates
      .filter((date) => !isKnownDate(date, grounds))
      .map(({ text: date }) => `"${date}" was never said`),
    ...figuresIn(rest)
      .filter((figure) => !isKnownFigure(figure, grounds))
      .map((figure) => `"${figure}" was never said`),
    ...slipsIn(figuresIn(rest), grounds).map((figure) => `"${figure}" was put right`),
    ...doctorsIn(rest)
      .filter((name) => !grounds.words.includes(name.toLowerCase()))
      .map((name) => `"${name}" was never named`),
  ];
}

/** Values beside an item's name that are not the item's. */
export function misplaced(text: string, truths: ReadonlyMap<string, Truth>): string[] {
  const clauses = withoutDates(text).rest.split(/[;\n]|[.!?](?=\s|$)/);
  return [...truths].flatMap(([key, { known, isTold }]) => {
    if (!isTold || !['money', 'percent', 'number'].includes(known.type)) return [];
    const label = key.replaceAll('_', '[- ]');
    // Right after its name, so that the figure can belong to nothing else.
    const beside = new RegExp(`\\b${label}(?: is| of|:)? \\$?(\\d[\\d,]*(?:\\.\\d+)?)(?![\\w-])`, 'i');
    return clauses.flatMap((clause) => {
      const figure = beside.exec(clause)?.[1];
      if (figure === undefined || numberOf(figure) === Number(known.value)) return [];
      return [`says ${key} ${figure}, known ${String(known.value)}`];
    });
  });
}

/** Whether the text says that an appointment was made. */
export function claimsBooking(text: string): boolean {
  return text
    .split(/(?<=[.!?;])\s+/)
    .some(
      (sentence) =>
        bookings.some((expression) => expression.test(sentence)) &&
        !/\b(?:not|no|never|nothing|could|cannot|can't|wanted|tried|existing|old)\b/i.test(sentence),
    );
}

const bookings = [
  /\b(?:appointment|visit)\b[^.]*\b(?:booked|rescheduled|scheduled|moved) (?:for|to)\b/i,
  /^(?:booked|rescheduled|scheduled) (?:for|to)\b/i,
];

/** Amounts, numbers, times, telephone numbers and identifiers as written. */
function figuresIn(text: string): string[] {
  return [...text.matchAll(figures)].map(([figure]) => figure.replace(/,$/, ''));
}

const figures = new RegExp(
  [
    /\$?\b[A-Za-z]{1,6}-?\d[\dA-Za-z-]*\b/,
    /\+?\d{1,2}[- ]?\(?\d{3}\)?[- ]\d{3}[- ]\d{4}\b|\b\d{3}-\d{3}-\d{4}\b|\+\d{8,15}\b/,
    /\$?\d[\d,]*(?:\.\d+)?%?(?::\d\d)?/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

function isKnownFigure(figure: string, grounds: Grounds): boolean {
  // Counts of the report itself: "4 of 4 questions", "after 2 calls".
  if (/^\d{1,2}$/.test(figure) && Number(figure) <= 20) return true;
  const bare = figure.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase();
  // "K61": a letter beside it makes a short number an identifier.
  const least = /\p{L}/u.test(bare) ? 3 : 4;
  if (bare.length >= least && grounds.squeezed.includes(bare.replace(/^1(?=\d{10}$)/, ''))) return true;
  const time = /^(\d{1,2}):(\d\d)$/.exec(figure);
  if (time !== null) return isKnownTime(Number(time[1]), Number(time[2]), grounds);
  return grounds.numbers.has(numberOf(figure));
}

function isKnownTime(hours: number, minutes: number, { numbers }: Grounds): boolean {
  const hour = hours > 12 ? hours - 12 : hours;
  return minutes === 0 ? numbers.has(hour) || numbers.has(hour * 100) : numbers.has(hour * 100 + minutes);
}

/** A slip reported with its correction misleads nobody. */
function slipsIn(figures: readonly string[], { slip }: Grounds): string[] {
  if (figures.some((figure) => slip.right.has(numberOf(figure)))) return [];
  return figures.filter((figure) => slip.wrong.has(numberOf(figure)));
}

function numberOf(figure: string): number {
  return Number(figure.replaceAll(/[^\d.]/g, ''));
}

/** The day of the month was said, or the day relative to another one. */
function isKnownDate({ iso, day }: FoundDate, { dates, personsNumbers, personsWords }: Grounds): boolean {
  if (dates.has(iso) || personsNumbers.has(day)) return true;
  return relativeDay.test(personsWords);
}

const relativeDay =
  /\b(today|tomorrow|tonight|yesterday|next|this|coming|week|mon|tues?|wednes|thurs?|fri|satur|sun)(day)?s?\b/;

/** People with a title. */
function doctorsIn(text: string): string[] {
  return [...text.matchAll(/\b(?:Dr|Mr|Mrs|Ms)\. (?:\p{Lu}\p{L}+ )?(\p{Lu}[\p{L}'’-]+)/gu)].map(
    ([, surname = '']) => surname,
  );
}
