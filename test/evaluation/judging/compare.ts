import type { CallAnswer } from '#shared/domain/call-result.ts';
import { digitsForWords } from '#shared/sandbox-phone/person/number-words.ts';
import { withoutDates } from './dates-in-prose.ts';
import { numbersIn, squeezed } from './spoken-numbers.ts';

/** A fact as the person knew it in the call. */
export interface KnownFact {
  readonly type: string;
  readonly value: string | number | boolean;
}

type Reported = Pick<CallAnswer, 'answer' | 'value'>;

/**
 * Whether the report is what the person knew; `incomparable` if their kinds say nothing about
 * each other.
 */
export type Comparison = 'right' | 'wrong' | 'incomparable';

/** Compares a reported answer with the truth, by the type of the truth. */
export function compareFact(known: KnownFact, reported: Reported): Comparison {
  switch (known.type) {
    case 'money':
    case 'percent':
    case 'number':
      return compareNumber(Number(known.value), reported);
    case 'yes':
      return compareYes(known.value === true, reported);
    case 'phone':
      return compareText(digits(String(known.value)).slice(-10), digits(textOf(reported)));
    case 'identifier':
      return compareText(letters(String(known.value)), letters(textOf(reported)));
    case 'date':
      return compareDate(String(known.value), reported);
    case 'moment':
      return typeof reported.value === 'string'
        ? verdict(reported.value.slice(0, 16) === known.value)
        : 'incomparable';
    default:
      return compareWords(String(known.value), reported);
  }
}

function verdict(isRight: boolean): Comparison {
  return isRight ? 'right' : 'wrong';
}

function textOf({ answer, value }: Reported): string {
  return typeof value === 'string' ? value : (answer ?? '');
}

function compareYes(known: boolean, { answer, value }: Reported): Comparison {
  if (typeof value === 'boolean') return verdict(value === known);
  const words = /^\W*(?:(yes|yeah|yep|yup|correct)|(no|nope|nah))\b/i.exec(answer ?? '');
  return words === null ? 'incomparable' : verdict((words[1] !== undefined) === known);
}

function compareNumber(known: number, reported: Reported): Comparison {
  if (typeof reported.value === 'number') return verdict(Math.abs(reported.value - known) < 0.005);
  const numbers = [...(reported.answer ?? '').replaceAll(',', '').matchAll(/\d+(?:\.\d+)?/g)].map(Number);
  if (numbers.length === 0) return numbersIn(reported.answer ?? '').has(known) ? 'right' : 'incomparable';
  return verdict(numbers.some((number) => Math.abs(number - known) < 0.005));
}

function compareDate(known: string, { answer, value }: Reported): Comparison {
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value))
    return verdict(value.slice(0, 10) === known);
  // Sentences rarely contain the year.
  const { dates } = withoutDates(answer ?? '');
  return dates.length === 0
    ? 'incomparable'
    : verdict(dates.some(({ iso }) => iso.slice(-5) === known.slice(-5)));
}

function compareText(known: string, reported: string): Comparison {
  return reported === '' ? 'incomparable' : verdict(reported.includes(known));
}

/** Free text is right if it contains most of the words that carry the truth, or is a short form of it. */
function compareWords(known: string, reported: Reported): Comparison {
  // "*206" is "star two zero six".
  if (squeezed(known) !== '' && squeezed(known) === squeezed(textOf(reported))) return 'right';
  if (isPending(known) && isPending(textOf(reported))) return 'right';
  const truth = wordsOf(known);
  // "Approved, but not paid yet"
  if (isStatus(textOf(reported)) && known.toLowerCase().startsWith(textOf(reported))) return 'right';
  if (isDenied(known) && !isDenied(`${reported.answer ?? ''} ${String(reported.value ?? '')}`))
    return 'wrong';
  const isShortAndDenied = truth.length <= shortAnswer && isDenied(textOf(reported)) && isShort(reported);
  if (!isDenied(known) && isShortAndDenied && !standsBeside(known, textOf(reported))) return 'wrong';
  const said = new Set([...wordsOf(reported.answer ?? ''), ...wordsOf(String(reported.value ?? ''))]);
  if (truth.length === 0 || said.size === 0) return 'incomparable';
  // "Eleven hundred dollars" is 1,100.
  const numbers = numbersIn(reported.answer ?? '');
  const isSaid = (word: string): boolean => said.has(word) || numbers.has(Number(word));
  const share = truth.filter(isSaid).length / truth.length;
  const value = wordsOf(textOf(reported));
  const isShortForm = value.length > 0 && value.every((word) => truth.includes(word));
  return verdict(share >= 0.5 || isShortForm);
}

/** The result calls a claim in process pending. */
function isPending(status: string): boolean {
  return /^(?:still )?(?:pend(?:ing|ed)|(?:in|under|being) (?:process|review)\w*|process(?:ing)?|reviewed)$/i.test(
    status.trim(),
  );
}

/** Our word for the status of a claim. */
function isStatus(text: string): boolean {
  return /^(?:approved|paid|denied|received|processed)$/.test(text);
}

const shortAnswer = 6;

function isShort(reported: Reported): boolean {
  return wordsOf(textOf(reported)).length <= shortAnswer;
}

/** "Tuesday to Friday, never on a weekend", "eight thirty to five saturday no": what is denied is something else. */
function standsBeside(known: string, reported: string): boolean {
  const truth = wordsOf(known);
  const rest = wordsOf(reported).slice(truth.length).join(' ');
  const comesFirst =
    truth.length > 1 && wordsOf(reported).join(' ').startsWith(truth.join(' ')) && isDenied(rest);
  const clauses = reported.split(/[,;.]/).filter((clause) => !isDenied(clause));
  const holds = (clause: string): boolean =>
    truth.filter((word) => wordsOf(clause).includes(word)).length >= Math.max(2, truth.length / 2);
  return comesFirst || clauses.some(holds);
}

/**
 * "not required" is not "required"; "that and nothing else" is that, "no later than five" is five, and "no lunch after
 * one" is one.
 */
function isDenied(text: string): boolean {
  const plain = text
    .replaceAll(/\b(?:nothing (?:else|more|but)|no (?:later|earlier|more|less) than)\b/gi, '')
    .replaceAll(/\b(?:no|nothing)(?: \w+){0,2} (?:after|before|past)\b/gi, '');
  return /\b(?:no|not|never|none|nothing|without|isn['’]t|doesn['’]t|don['’]t|won['’]t|can['’]t|cannot)\b/i.test(
    plain,
  );
}

const emptyWords = new Set(
  'a an and as at by doctor dr for from in is it mr mrs ms of on or our the to until was we with you your'.split(
    ' ',
  ),
);

function wordsOf(text: string): string[] {
  return digitsForWords(
    text
      .toLowerCase()
      .replaceAll('-', ' ')
      .replaceAll(/(\d),(?=\d{3})/g, '$1'),
  )
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !emptyWords.has(word));
}

function digits(text: string): string {
  return text.replaceAll(/\D/g, '');
}

function letters(text: string): string {
  return text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
}
