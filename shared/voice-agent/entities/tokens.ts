import numbers from '../language/en-US/entities/numbers.json' with { type: 'json' };
import words from '../language/en-US/entities/words.json' with { type: 'json' };

/** Fillers are meaningless sounds ("um"); signs are `$ % # - / : ( ) @ &` and the like. */
export type TokenKind = 'word' | 'number' | 'filler' | 'sign' | 'comma' | 'question' | 'stop';

export interface NumberReading {
  readonly value: number;
  /** As dialed or spelled: `007` keeps its zeros, "two fifty" is two tokens `2` and `50`. */
  readonly digits: string;
  /** "twenty-fourth", "24th" */
  readonly ordinal: boolean;
  /** Spoken in words, not written in digits. */
  readonly spoken: boolean;
}

export interface Token {
  readonly kind: TokenKind;
  /** Verbatim. */
  readonly text: string;
  /**
   * Lower case with straight quotes; contractions expanded ("isn't" and "isnt" are "is not"); numbers in digits
   * ("twenty-fourth" is "24th"). "one", "first", "second" and "third" alone stay words, as they rarely count anything.
   */
  readonly norm: string;
  /** Offsets into the original text; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** The text between the previous token and this one: white space, quotes. */
  readonly before: string;
  /** Set for number tokens, and for words that can be numbers: "one", "first", "second", "third". */
  readonly number: NumberReading | null;
}

/** A word, a sign or a run of digits, verbatim. */
interface Piece {
  readonly text: string;
  readonly lower: string;
  readonly start: number;
  readonly end: number;
  readonly before: string;
}

/** A number, and the position after its last piece. */
interface NumberRun {
  readonly reading: NumberReading;
  readonly next: number;
}

export const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const cardinals = new Map(Object.entries(numbers.cardinals));
const ordinals = new Map(Object.entries(numbers.ordinals));
const scales = new Map(Object.entries(numbers.scales));
const suffixes = wordSet(numbers.suffixes);
const seldomNumbers = wordSet(numbers.seldomNumbers);
const fillers = wordSet(words.fillers);
const abbreviations = wordSet(words.abbreviations);
const initialisms = wordSet(words.initialisms);
const titles = wordSet(words.titles);
const isAfter = wordSet(words.isAfter);
const contractions = new Map(Object.entries(words.contractions));
const endings = Object.entries(words.endings);

const word = /\p{L}[\p{L}\p{M}]*(?:['’‘`]\p{L}+)*/u;
const digits = /\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d\d?(?!\d))?|\d+(?:\.\d\d?(?!\d|\.\d))?/;
const scanner = new RegExp(`${word.source}|${digits.source}|\\.{2,}|[^\\s"“”'’‘\`]`, 'gu');
const isDigit = (text: string): boolean => text >= '0' && text <= ':' && text[0] !== ':';
const isLetter = (text: string): boolean => text.toLowerCase() !== text.toUpperCase();

/** Whether a question mark is among the tokens; some recognizers give none. */
export function hasQuestionMark(tokens: readonly Token[]): boolean {
  return tokens.some(({ kind }) => kind === 'question');
}

export function isCapitalized(text: string): boolean {
  return text.slice(0, 1) !== text.slice(0, 1).toLowerCase();
}

/** The words of tokens in their normal form. */
export function plain(tokens: readonly Token[]): string {
  return tokens
    .filter(({ kind }) => kind === 'word')
    .map(({ norm }) => norm)
    .join(' ');
}

/** Splits words into tokens. Linear in the length of the text. */
export function tokenize(text: string): Token[] {
  const pieces = piecesOf(text);
  const tokens: Token[] = [];
  for (let at = 0; at < pieces.length; ) {
    // The hyphen of "12-fifty" means nothing.
    const from = tokens.at(-1)?.kind === 'number' ? afterHyphen(pieces, at) : at;
    const run = numberAt(pieces, from, tokens);
    const first = run === null ? at : from;
    const next = run?.next ?? nextPiece(pieces, at, tokens);
    tokens.push(tokenOf(pieces.slice(first, next), run?.reading ?? null, text, pieces[next], tokens));
    at = next;
  }
  return tokens;
}

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let previous = 0;
  for (const match of text.matchAll(scanner)) {
    const end = match.index + match[0].length;
    const lower = match[0].toLowerCase().replaceAll('’', "'").replaceAll('‘', "'").replaceAll('`', "'");
    pieces.push({
      text: match[0],
      lower,
      start: match.index,
      end,
      before: text.slice(previous, match.index),
    });
    previous = end;
  }
  return pieces;
}

/** The end of the token that starts at a piece: "a.m." and "Dr." are one token each. */
function nextPiece(pieces: readonly Piece[], at: number, tokens: readonly Token[]): number {
  const piece = pieces[at];
  if (piece === undefined) return at + 1;
  if (tokens.at(-1)?.number != null && (piece.lower === 'a' || piece.lower === 'p')) {
    const second = pieces[at + 1]?.lower === '.' ? at + 2 : at + 1;
    if (pieces[second]?.lower === 'm') return closesSentence(pieces, second + 1) ? second + 1 : second + 2;
  }
  const isAfterTitle = titles.has(tokens.at(-1)?.norm ?? '');
  const afterLetters = afterInitialism(pieces, at);
  if (afterLetters !== null)
    return closesSentence(pieces, afterLetters, isAfterTitle) ? afterLetters : afterLetters + 1;
  const isShort = isLetterAlone(piece);
  const isInitial = isShort && isAfterTitle;
  const isAbbreviation =
    isShort || abbreviations.has(piece.lower) || piece.lower === 'am' || piece.lower === 'pm';
  return isAbbreviation && !closesSentence(pieces, at + 1, titles.has(piece.lower) || isInitial)
    ? at + 2
    : at + 1;
}

/** The position after the last letter of "I.D." or "M.R.I.", which are one token each; other letters spell. */
function afterInitialism(pieces: readonly Piece[], at: number): number | null {
  let next = at + 1;
  while (
    isLetterAlone(pieces[next - 1]) &&
    pieces[next]?.lower === '.' &&
    pieces[next]?.before === '' &&
    pieces[next + 1]?.before === '' &&
    isLetterAlone(pieces[next + 1])
  )
    next += 2;
  return next > at + 1 && initialisms.has(lettersOf(pieces.slice(at, next))) ? next : null;
}

function lettersOf(pieces: readonly Piece[]): string {
  return pieces
    .map(({ lower }) => lower)
    .filter(isLetter)
    .join('');
}

function isLetterAlone(piece: Piece | undefined): boolean {
  return piece?.lower.length === 1 && isLetter(piece.lower);
}

/** Whether the text at a position is not an abbreviation's period. */
function closesSentence(pieces: readonly Piece[], at: number, isTitle = false): boolean {
  if (pieces[at]?.lower !== '.' || pieces[at]?.before !== '') return true;
  const next = pieces[at + 1];
  if (next === undefined) return true;
  const isNamed = next.text.length === 1 || dayWords.has(next.lower.slice(0, 3));
  return !isTitle && next.text !== next.lower && !isNamed;
}

const dayWords = wordSet('mon tue wed thu fri sat sun jan feb mar apr may jun jul aug sep oct nov dec');

function tokenOf(
  pieces: readonly Piece[],
  number: NumberReading | null,
  text: string,
  following: Piece | undefined,
  tokens: readonly Token[],
): Token {
  const [first] = pieces;
  const start = first?.start ?? 0;
  const end = pieces.at(-1)?.end ?? start;
  const lower = first?.lower ?? '';
  const isLone = number !== null && pieces.length === 1 && seldomNumbers.has(lower);
  const follows = tokens.at(-1)?.kind === 'number' && tokens.at(-1)?.number?.ordinal === false;
  const goesOn = following !== undefined && (isNumeric(following) || following.lower === 'oh');
  const beside = number?.ordinal === false && (follows || goesOn);
  const kind = number !== null ? (isLone && !beside ? 'word' : 'number') : kindOf(lower, following);
  const norm = kind === 'number' && number !== null ? writtenNumber(number) : normOf(pieces);
  return {
    kind,
    text: text.slice(start, end),
    norm,
    start,
    end,
    before: text.slice(tokens.at(-1)?.end ?? 0, start),
    number,
  };
}

function kindOf(lower: string, following: Piece | undefined): TokenKind {
  if (isLetter(lower)) return fillers.has(lower) && following?.lower !== '-' ? 'filler' : 'word';
  if (lower === ',') return 'comma';
  if (lower === '?') return 'question';
  const isEnd = following === undefined || following.before !== '';
  if (lower === '!' || lower === ';' || lower === '…' || lower.startsWith('..')) return 'stop';
  return lower === '.' && isEnd ? 'stop' : 'sign';
}

function writtenNumber({ digits: said, ordinal, value }: NumberReading): string {
  return ordinal ? `${value}${ordinalSuffix(value)}` : said;
}

/** `st`, `nd`, `rd` or `th` */
function ordinalSuffix(value: number): string {
  if (value % 100 >= 11 && value % 100 <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][value % 10] ?? 'th';
}

function normOf(pieces: readonly Piece[]): string {
  const letters = lettersOf(pieces);
  if (pieces.length > 2 && initialisms.has(letters)) return letters;
  if (pieces.length > 1 && pieces.some(({ lower }) => lower === 'm')) return `${pieces[0]?.lower}m`;
  return expanded(pieces[0]?.lower ?? '');
}

function expanded(lower: string): string {
  const known = contractions.get(lower);
  if (known !== undefined) return known;
  if (!lower.includes("'")) return lower;
  for (const [ending, meaning] of endings) {
    if (lower.endsWith(ending)) return `${lower.slice(0, -ending.length)} ${meaning}`;
  }
  const owner = lower.slice(0, -2);
  return lower.endsWith("'s") && isAfter.has(owner) ? `${owner} is` : lower;
}

function isNumeric(piece: Piece): boolean {
  return isDigit(piece.lower) || cardinals.has(piece.lower);
}

/** The one number that starts at a piece: "twenty four" is one, "ten thirty" starts with `10`. */
function numberAt(pieces: readonly Piece[], at: number, tokens: readonly Token[]): NumberRun | null {
  const piece = pieces[at];
  if (piece === undefined) return null;
  if (isOh(pieces, at, tokens)) return runOf(0, '0', at + 1, true);
  const ordinal = ordinals.get(piece.lower);
  if (ordinal !== undefined) return runOf(ordinal, String(ordinal), at + 1, true, true);
  const run = cardinalAt(pieces, at);
  return run === null ? null : withScale(pieces, withFraction(pieces, run), tokens);
}

function runOf(value: number, said: string, next: number, spoken: boolean, ordinal = false): NumberRun {
  return { reading: { value, digits: said, ordinal, spoken }, next };
}

/** "four oh two", "eight four oh" */
function isOh(pieces: readonly Piece[], at: number, tokens: readonly Token[]): boolean {
  const piece = pieces[at];
  if (piece?.lower !== 'oh' && piece?.lower !== 'o') return false;
  const [earlier, previous] = [tokens.at(-2), tokens.at(-1)];
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
function afterHyphen(pieces: readonly Piece[], at: number): number {
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
function withScale(pieces: readonly Piece[], run: NumberRun, tokens: readonly Token[]): NumberRun {
  const { reading, next } = run;
  const [said, after] = [pieces[next]?.lower, pieces[next + 1]?.lower ?? ''];
  const previous = tokens.at(-1);
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
