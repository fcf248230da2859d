import contexts from '../language/en-US/entities/contexts.json' with { type: 'json' };
import { quantityAt } from './quantities.ts';
import {
  countAt,
  isBoundary,
  normAt,
  phraseAt,
  phrasesOf,
  type Reading,
  readAll,
  type Scan,
  touches,
} from './readings.ts';
import { type Token, wordSet } from './tokens.ts';

const currency = new Map(Object.entries(contexts.currency));
const nothing = phrasesOf(contexts.nothing.map((phrase) => [phrase, 0]));
const nothingOwed = phrasesOf(contexts.nothingWhenAsked.map((phrase) => [phrase, 0]));
const splitShares = wordSet(contexts.splits);
const smallAmounts = wordSet(contexts.smallAmounts);
const largeAmounts = wordSet(contexts.largeAmounts);
type Size = 'small' | 'large' | null;
const percentSigns = phrasesOf(contexts.percent.map((sign) => [sign, true]));
/** Words after which a number is an hour, or a label. */
const beforeHours = wordSet('at around until till by');
const otherNumbers = wordSet('tier level step option line floor suite plan # /');

/** An amount, the position after it, and the alternative meanings. */
interface Amount {
  readonly value: number;
  readonly to: number;
  readonly certainty: number;
  readonly alternatives?: readonly number[];
}

/** "$1,250.00", "forty dollars", "a buck fifty", "no charge"; bare numbers if money is mentioned or expected. */
export function findMoney(scan: Scan): Reading<'money'>[] {
  return readAll(scan, (_, at) => {
    const amount = amountAt(scan, at);
    if (amount === null) return null;
    const { to, ...value } = amount;
    return { type: 'money', ...value, from: at, to };
  });
}

function amountAt(scan: Scan, at: number): Amount | null {
  const free = phraseAt(scan, at, nothing);
  if (free !== null) return { value: 0, to: free.to, certainty: 0.9 };
  const owed = isExpected(scan) ? phraseAt(scan, at, nothingOwed) : null;
  if (owed !== null) return { value: 0, to: owed.to, certainty: 0.6 };
  if (normAt(scan, at) === '$') return afterSign(scan, at + 1);
  return withCurrency(scan, at) ?? withCents(scan, at) ?? centsOnly(scan, at) ?? bareAmount(scan, at);
}

/** "$40", "$187 and 42 cents" */
function afterSign(scan: Scan, at: number): Amount | null {
  const value = countAt(scan, at);
  if (value === null) return null;
  const cents = centsAt(scan, at + 1);
  return { value: inCents(value + (cents?.value ?? 0) / 100), to: cents?.to ?? at + 1, certainty: 0.98 };
}

/** "forty dollars", "187 dollars and 42 cents", "one eighty seven dollars", and the 40 of "40 or 50 dollars" */
function withCurrency(scan: Scan, at: number): Amount | null {
  const said = groupAt(scan, at);
  if (said === null) return null;
  // "a twenty-dollar copay"
  const isHyphen = normAt(scan, said.to) === '-' && touches(scan, said.to) && touches(scan, said.to + 1);
  const sign = isHyphen ? said.to + 1 : said.to;
  const factor = factorAt(scan, sign);
  if (factor === null) return sharesCurrency(scan, said);
  const cents = centsAt(scan, sign + 1) ?? oddCents(scan, sign + 1) ?? halfAt(scan, sign + 1);
  const value = inCents(said.value * factor + (cents?.value ?? 0) / 100);
  return { ...said, value, to: cents?.to ?? sign + 1, certainty: Math.max(said.certainty, 0.7) };
}

function factorAt(scan: Scan, at: number): number | null {
  if (normAt(scan, at) === '$' && touches(scan, at) && !touches(scan, at + 1)) return 1;
  return currency.get(normAt(scan, at)) ?? null;
}

function sharesCurrency(scan: Scan, said: Amount): Amount | null {
  const joint = normAt(scan, said.to);
  if (!['to', 'or', '-', 'and'].includes(joint)) return null;
  const other = groupAt(scan, said.to + 1);
  return other !== null && factorAt(scan, other.to) === 1
    ? { ...said, certainty: joint === 'and' ? 0.6 : 0.8 }
    : null;
}

/** "and 42 cents", "and oh five cents" */
function centsAt(scan: Scan, at: number): { value: number; to: number } | null {
  const from = normAt(scan, at) === ',' ? at + 1 : at;
  const joined = normAt(scan, from) === 'and' ? from + 1 : from;
  const first = ['oh', 'o', 'zero'].includes(normAt(scan, joined)) ? joined + 1 : joined;
  const value = countAt(scan, first);
  const isCents = ['cents', 'cent'].includes(normAt(scan, first + 1));
  return value !== null && value < 100 && isCents ? { value, to: first + 2 } : null;
}

/** "forty dollars and fifty", "a buck fifty" */
function oddCents(scan: Scan, at: number): { value: number; to: number } | null {
  const first = normAt(scan, at) === 'and' ? at + 1 : at;
  const value = countAt(scan, first);
  const isCents = value !== null && value >= 10 && value < 100 && Number.isInteger(value);
  return isCents && !measures(scan, first) && factorAt(scan, first + 1) === null
    ? { value, to: first + 1 }
    : null;
}

/** "Twelve dollars and a half" */
function halfAt(scan: Scan, at: number): { value: number; to: number } | null {
  const said = [0, 1, 2].map((ahead) => normAt(scan, at + ahead)).join(' ');
  return said === 'and a half' ? { value: 50, to: at + 3 } : null;
}

/** "two seventy-five and fifty cents"; "between forty and fifty cents" are two amounts */
function withCents(scan: Scan, at: number): Amount | null {
  const said = scan.tokens[at]?.kind === 'number' && !isLabelled(scan, at) ? groupAt(scan, at) : null;
  if (said === null || !Number.isInteger(said.value) || normAt(scan, said.to) !== 'and') return null;
  const cents = centsAt(scan, said.to);
  if (cents === null || normAt(scan, at - 1) === 'between') return null;
  return { value: inCents(said.value + cents.value / 100), to: cents.to, certainty: 0.9 };
}

function centsOnly(scan: Scan, at: number): Amount | null {
  const cents = scan.tokens[at]?.kind === 'number' ? centsAt(scan, at) : null;
  return cents === null ? null : { value: cents.value / 100, to: cents.to, certainty: 0.9 };
}

/** Numbers without a currency, if the sentence is about money or money was requested. */
function bareAmount(scan: Scan, at: number): Amount | null {
  const topic = scan.topics[at];
  const isAsked = isExpected(scan) && topic !== 'identifier' && topic !== 'number' && topic !== 'phone';
  if (scan.tokens[at]?.kind !== 'number' || isLabelled(scan, at)) return null;
  const said = groupAt(scan, at);
  if (said === null || measures(scan, said.to - 1)) return null;
  // "A 750 deductible"
  const isAbout = topic === 'money' || sizeOf(normAt(scan, said.to)) !== null;
  const isYear = said.value > 1990 && said.value < 2050 && said.value % 50 > 0 && said.to === at + 1;
  const isHour = beforeHours.has(normAt(scan, at - 1)) && (countAt(scan, at) ?? 0) <= 12 && said.value > 0;
  if ((!isAbout && !isAsked) || (isYear && !isAsked) || isHour) return null;
  if (!isAbout && countsThings(scan, at, said)) return null;
  if (isSerial(scan.tokens[at])) return null;
  const inHundreds = hundredsOf(scan, at, said);
  return { ...(inHundreds ?? said), certainty: Math.min((inHundreds ?? said).certainty, 0.8) };
}

/** "Two and a quarter" of a deductible is $225; without a topic it may be $2.25, too. */
function hundredsOf(scan: Scan, at: number, said: Amount): Amount | null {
  const isFraction = scan.tokens[at]?.number?.spoken === true && !Number.isInteger(said.value);
  const size = sizeBefore(scan, at) ?? sizeOf(normAt(scan, said.to));
  if (!isFraction || said.value >= 10 || size === 'small') return null;
  const [value, other] = [inCents(said.value * 100), said.value];
  return size === 'large'
    ? { ...said, value, alternatives: [other], certainty: 0.7 }
    : { ...said, alternatives: [value], certainty: 0.5 };
}

/** "The old one, 711739", "check 00412": many digits without a comma, or leading zeros, are not an amount. */
function isSerial(token: Token | undefined): boolean {
  if (token?.number?.spoken !== false || token.text.includes(',')) return false;
  return token.number.value >= leastSerial || /^0\d/.test(token.text);
}

const leastSerial = 100_000;

/** "Two different animals", "there are two": a count, although an amount was requested. */
function countsThings(scan: Scan, at: number, { to, value }: Amount): boolean {
  const isSmall = scan.tokens[to - 1]?.number?.spoken === true && value < 10;
  const before = `${normAt(scan, at - 2)} ${normAt(scan, at - 1)}`;
  if (isSmall && (before.endsWith('there are') || before.endsWith('there is'))) return true;
  return isSmall && !isBoundary(scan, to) && !behindAmounts.has(normAt(scan, to).split(' ')[0] ?? '');
}

const behindAmounts = wordSet(
  'and a an per for each even flat with plus if unless at to or on after is it that',
);

const isExpected = ({ context }: Scan): boolean => context.expecting?.includes('money') === true;

/** "tier 2", "11/24" */
function isLabelled(scan: Scan, at: number): boolean {
  const before = normAt(scan, at - 1);
  const goesOn = scan.tokens[at - 1]?.kind === 'number' && countAt(scan, at - 1) !== null;
  return goesOn || otherNumbers.has(before) || (at > 0 && touches(scan, at) && before !== '-');
}

/** Whether a number continues as a percentage, a time, a date or a quantity. */
function measures(scan: Scan, at: number): boolean {
  const next = normAt(scan, at + 1);
  if (['am', 'pm', "o'clock", '/', '#'].includes(next) || (next === ':' && touches(scan, at + 2)))
    return true;
  if (next === '-' && touches(scan, at + 1)) return true;
  return phraseAt(scan, at + 1, percentSigns) !== null || quantityAt(scan, at) !== null;
}

/** The consecutive numbers at a position, up to a limit above any amount. */
function groupAt(scan: Scan, at: number): Amount | null {
  const values: number[] = [];
  let to = at;
  while (values.length < 8) {
    const value = amountPart(scan, to);
    if (value === null) break;
    values.push(value);
    to += 1;
  }
  // A number this long, read digit by digit, is not an amount.
  if (values.length === 0 || values.length === 8) return null;
  const amount = amountOf(values, sizeBefore(scan, at));
  return amount === null ? null : { ...amount, to };
}

function amountPart(scan: Scan, at: number): number | null {
  const isArticle = normAt(scan, at) === 'a' && currency.has(normAt(scan, at + 1));
  return isArticle ? 1 : countAt(scan, at);
}

/** Whether the amount's topic is usually in thousands ("deductible") or in a few dollars ("copay"). */
function sizeBefore(scan: Scan, at: number): Size {
  for (let back = at - 1; back >= Math.max(0, at - 8); back -= 1) {
    const size = sizeOf(normAt(scan, back));
    if (size !== null) return size;
  }
  return null;
}

function sizeOf(word: string): Size {
  if (smallAmounts.has(word)) return 'small';
  return largeAmounts.has(word) ? 'large' : null;
}

/**
 * The amount of consecutive numbers: "one eighty seven forty two" is 187.42, "one five zero zero" is 1,500, and
 * "twelve fifty" 1,250 or 12.50. "Eighty twenty" is not an amount but a plan's share and the patient's.
 */
function amountOf(values: readonly number[], size: Size): Omit<Amount, 'to'> | null {
  const [first = 0, second, third, ...rest] = values;
  if (second === undefined) return { value: first, certainty: 0.9 };
  if (values.length > 2 && values.every((value) => value < 10))
    return { value: Number(values.join('')), certainty: 0.8 };
  if (third === undefined) return pairOf(first, second, size);
  const dollars = wholeOf(values.slice(0, -1));
  const cents = rest.at(-1) ?? third;
  if (dollars === null || cents > 99) return null;
  return cents > 9 ? { value: inCents(dollars + cents / 100), certainty: 0.7 } : joinedDigits(values);
}

/** "one eighty seven" and "four oh nine" are three-digit whole numbers. */
function wholeOf(values: readonly number[]): number | null {
  const [first = 0, second = 0, third] = values;
  if (values.length === 2) return second > 9 && second < 100 && first < 100 ? first * 100 + second : null;
  if (values.length === 3 && second === 0 && third !== undefined && third < 10) return first * 100 + third;
  return null;
}

/** "four oh five": 405; "twelve oh five": 1,205 */
function joinedDigits(values: readonly number[]): Omit<Amount, 'to'> | null {
  const isOne = values.length === 3 && values[1] === 0;
  return isOne ? { value: (values[0] ?? 0) * 100 + (values[2] ?? 0), certainty: 0.7 } : null;
}

function pairOf(first: number, second: number, size: Size): Omit<Amount, 'to'> | null {
  const isSplit = first + second === 100 && splitShares.has(String(Math.max(first, second)));
  if (isSplit || second > 999) return null;
  if (first >= 1000 && first % 1000 > 0 && first % 1000 < 10 && second > 9) {
    // "three thousand two fifty"
    return { value: first - (first % 1000) + (first % 1000) * 100 + second, certainty: 0.7 };
  }
  if (first >= 1000 && first % 1000 === 0) return { value: first + second, certainty: 0.8 };
  if (second < 10 || second > 99) return null;
  if (first >= 100) return { value: inCents(first + second / 100), certainty: 0.7 };
  const [large, small] = [first * 100 + second, inCents(first + second / 100)];
  if (first < 10) return { value: large, certainty: 0.7, alternatives: [small] };
  const isSmall = size === 'small' || (size === null && first >= 20);
  return { value: isSmall ? small : large, certainty: 0.5, alternatives: [isSmall ? large : small] };
}

const inCents = (dollars: number): number => Math.round(dollars * 100) / 100;
