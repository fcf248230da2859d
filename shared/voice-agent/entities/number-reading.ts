import numbers from '../language/en-US/entities/numbers.json' with { type: 'json' };

/** A word, a sign or a run of digits, verbatim. */
export interface Piece {
  readonly text: string;
  readonly lower: string;
  readonly start: number;
  readonly end: number;
  readonly before: string;
}

export interface NumberReading {
  readonly value: number;
  /** As dialed or spelled: `007` keeps its zeros, "two fifty" is two tokens `2` and `50`. */
  readonly digits: string;
  /** "twenty-fourth", "24th" */
  readonly ordinal: boolean;
  /** Spoken in words, not written in digits. */
  readonly spoken: boolean;
}

/** A number, and the position after its last piece. */
interface NumberRun {
  readonly reading: NumberReading;
  readonly next: number;
}

/** A token before a number, as far as it tells how to read it. */
interface Preceding {
  readonly kind: string;
  readonly norm: string;
  readonly number: NumberReading | null;
}

const cardinals = new Map(Object.entries(numbers.cardinals));
const ordinals = new Map(Object.entries(numbers.ordinals));
const scales = new Map(Object.entries(numbers.scales));
const suffixes = new Set(numbers.suffixes.split(' '));
export const seldomNumbers = new Set(numbers.seldomNumbers.split(' '));

export const isDigit = (text: string): boolean => text >= '0' && text <= ':' && text[0] !== ':';
export const isLetter = (text: string): boolean => text.toLowerCase() !== text.toUpperCase();

export function isNumeric(piece: Piece): boolean {
  return isDigit(piece.lower) || cardinals.has(piece.lower);
}

/** The one number that starts at a piece: "twenty four" is one, "ten thirty" starts with `10`. */
export function numberAt(
  pieces: readonly Piece[],
  at: number,
  before: readonly Preceding[],
): NumberRun | null {
  const piece = pieces[at];
  if (piece === undefined) return null;
  if (isOh(pieces, at, before)) return runOf(0, '0', at + 1, true);
  const ordinal = ordinals.get(piece.lower);
  if (ordinal !== undefined) return runOf(ordinal, String(ordinal), at + 1, true, true);
  const run = cardinalAt(pieces, at);
  return run === null ? null : withScale(pieces, withFraction(pieces, run), before);
}

function runOf(value: number, said: string, next: number, spoken: boolean, ordinal = false): NumberRun {
  return { reading: { value, digits: said, ordinal, spoken }, next };
}

/** "four oh two", "eight four oh" */
function isOh(pieces: readonly Piece[], at: number, before: readonly Preceding[]): boolean {
  const piece = pieces[at];
  if (piece?.lower !== 'oh' && piece?.lower !== 'o') return false;
  const [earlier, previous] = [before.at(-2), before.at(-1)];
  if (previous?.kind !== 'number' || previous.number?.ordinal !== false) return false;
  const next = pieces[at + 1];
  const isZeroNext = next?.lower === 'oh' || next?.lower === 'o';
  return (
    (next !== undefined && isNumeric(next)) ||
    isZeroNext ||
    (earlier?.kind === 'number' && next?.lower !== 'clock')
  );
}

/** Skips the hyphen of "forty-five" and "12-fifty". */
export function afterHyphen(pieces: readonly Piece[], at: number): number {
  const isHyphen = pieces[at]?.lower === '-' && pieces[at]?.before === '' && pieces[at + 1]?.before === '';
  return isHyphen && isLetter(pieces[at + 1]?.lower ?? '') ? at + 1 : at;
}

function cardinalAt(pieces: readonly Piece[], from: number): NumberRun | null {
  const first = pieces[from];
  if (first === undefined) return null;
  const leads =
    first.lower === 'a' &&
    (pieces[from + 1]?.lower ?? '') !== 'million' &&
    scales.has(pieces[from + 1]?.lower ?? '');
  if (!isNumeric(first) && !leads) return null;
  if (isDigit(first.lower) && !scales.has(pieces[from + 1]?.lower ?? '')) return writtenAt(pieces, from);
  return spokenAt(pieces, from, leads);
}

function writtenAt(pieces: readonly Piece[], from: number): NumberRun {
  const said = (pieces[from]?.lower ?? '').replaceAll(',', '');
  const next = pieces[from + 1];
  const isOrdinal =
    next !== undefined && next.before === '' && suffixes.has(next.lower) && !said.includes('.');
  return runOf(Number(said), said, from + (isOrdinal ? 2 : 1), false, isOrdinal);
}

/** Adds up words while they belong to the number: each must be smaller than the open magnitude. */
function spokenAt(pieces: readonly Piece[], from: number, leads: boolean): NumberRun {
  let [scaled, part, room, scale] = [0, leads ? 1 : 0, leads ? 0 : Infinity, Infinity];
  let next = leads ? from + 1 : from;
  for (;;) {
    const at = next === from ? next : afterHyphen(pieces, next);
    const lower = pieces[at]?.lower ?? '';
    const joined = lower === 'and' && room >= 100 && room !== Infinity ? at + 1 : at;
    const said = pieces[joined]?.lower ?? '';
    const ordinal = ordinals.get(said);
    if (ordinal !== undefined && ordinal < room && room !== Infinity) {
      return runOf(scaled + part + ordinal, String(scaled + part + ordinal), joined + 1, true, true);
    }
    const value = isDigit(said) ? Number(said.replaceAll(',', '')) : cardinals.get(said);
    const factor = joined === at ? scales.get(said) : undefined;
    if (value !== undefined && value < room && (value > 0 || room === Infinity)) {
      part += value;
      room = value >= 20 && value < 100 && !isDigit(said) && value % 10 === 0 ? Math.min(room, 10) : 0;
      next = joined + 1;
    } else if (factor === 100 && part > 0 && part < 100) {
      [part, room, next] = [part * 100, 100, at + 1];
    } else if (factor !== undefined && factor > 100 && factor < scale && part > 0) {
      [scaled, part, room, scale, next] = [scaled + part * factor, 0, factor, factor, at + 1];
    } else return runOf(scaled + part, String(scaled + part), next, true);
  }
}

/** "two point five", "forty two point fifty", "two and a half", "nine and three quarters" */
function withFraction(pieces: readonly Piece[], run: NumberRun): NumberRun {
  const { reading, next } = run;
  const said = pieces[next]?.lower;
  if (reading.ordinal) return run;
  const part = said === 'and' && Number.isInteger(reading.value) ? fractionAt(pieces, next + 1) : null;
  if (part !== null) {
    const value = reading.value + part.value;
    return runOf(value, String(value), part.next, reading.spoken);
  }
  if (said !== 'point' || reading.digits.includes('.')) return run;
  let [decimals, at] = ['', next + 1];
  for (let piece = pieces[at]; piece !== undefined && decimals.length < 4; piece = pieces[at]) {
    const isZero = piece.lower === 'oh' || piece.lower === 'o';
    const decimal = isZero ? runOf(0, '0', at + 1, true) : cardinalAt(pieces, at);
    if (decimal === null || decimal.reading.ordinal || decimal.reading.digits.includes('.')) break;
    [decimals, at] = [decimals + decimal.reading.digits, decimal.next];
  }
  const digitsSaid = `${reading.digits}.${decimals}`;
  return decimals === '' ? run : runOf(Number(digitsSaid), digitsSaid, at, reading.spoken);
}

/** "a half", "one half", "three quarters" */
function fractionAt(pieces: readonly Piece[], at: number): { value: number; next: number } | null {
  const first = pieces[at]?.lower ?? '';
  const count = fractionCounts.get(first);
  const size = fractions.get(pieces[count === undefined ? at : at + 1]?.lower ?? '');
  if (size === undefined || (count ?? 1) * size >= 1) return null;
  return { value: (count ?? 1) * size, next: at + (count === undefined ? 1 : 2) };
}

const fractionCounts = new Map([...cardinals, ['a', 1] as const]);
const fractions = new Map(Object.entries(numbers.fractions));

/** "2k", "two k", "two and a half thousand"; but not the letter of "2 K 7". */
function withScale(pieces: readonly Piece[], run: NumberRun, before: readonly Preceding[]): NumberRun {
  const { reading, next } = run;
  const [said, after] = [pieces[next]?.lower, pieces[next + 1]?.lower ?? ''];
  const previous = before.at(-1);
  const isSpelled =
    (after.length === 1 && isLetter(after) && after !== 'a') ||
    isDigit(after) ||
    cardinals.has(after) ||
    previous?.kind === 'number' ||
    (previous?.norm.length === 1 && previous.kind === 'word' && previous.norm !== 'a');
  const isThousand = said === 'thousand' || (said === 'k' && !isSpelled);
  if (!isThousand || reading.ordinal || reading.value >= 1000) return run;
  return runOf(reading.value * 1000, String(reading.value * 1000), next + 1, reading.spoken);
}
