import words from '../language/en-US/entities/words.json' with { type: 'json' };
import {
  afterHyphen,
  isLetter,
  isNumeric,
  type NumberReading,
  numberAt,
  type Piece,
  seldomNumbers,
} from './number-reading.ts';

/** Fillers are meaningless sounds ("um"); signs are `$ % # - / : ( ) @ &` and the like. */
export type TokenKind = 'word' | 'number' | 'filler' | 'sign' | 'comma' | 'question' | 'stop';

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

export const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(' '));

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

/** "¿Algo más?": the mark at its end says enough. */
const invertedMarks: ReadonlySet<string> = new Set(['¿', '¡']);

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let previous = 0;
  for (const match of text.matchAll(scanner)) {
    if (invertedMarks.has(match[0])) continue;
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
  const isOfName = titles.has(piece.lower) || isInitial || isSaint(pieces, at);
  return isAbbreviation && !closesSentence(pieces, at + 1, isOfName) ? at + 2 : at + 1;
}

/** "You've reached St. Alder", not "12 Main St. We open at nine". */
function isSaint(pieces: readonly Piece[], at: number): boolean {
  const [first, before] = [pieces[at - 2], pieces[at - 1]];
  const begins = first === undefined || '.?!'.includes(first.lower);
  const isStreet = before !== undefined && before.text !== before.lower && !begins;
  return pieces[at]?.lower === 'st' && !isStreet;
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
