import numbers from '../language/en-US/entities/numbers.json' with { type: 'json' };
import spelling from '../language/en-US/entities/spelling.json' with { type: 'json' };
import { commonWords } from './names.ts';
import { quantityAt } from './quantities.ts';
import { countAt, isBoundary, normAt, type Reading, type Scan, touches } from './readings.ts';
import { wordSet } from './tokens.ts';

const alphabet = new Map(Object.entries(spelling.alphabet));
const repeats = new Map(Object.entries(spelling.repeats));
const separators = new Map(Object.entries(spelling.separators));
const keys = new Map(Object.entries(spelling.keys));
const inside = wordSet(spelling.inside);
const ordinaryShort = wordSet(spelling.ordinaryShort);
const knownCapitals = wordSet(spelling.knownCapitals);
const cardinals = new Map(Object.entries(numbers.cardinals));
const zeros = new Set(['oh', 'o', 'zero', 'nought']);

interface Pause {
  /** Of the text before it. */
  readonly length: number;
  /** The token that is the pause. */
  readonly to: number;
  /** A period after a code in one or two pieces: "E7189." */
  readonly endsCode: boolean;
}

/** A spelled or grouped sequence, from one token to another. */
export interface Spelled {
  /** Lower case, with spoken or written separators. */
  readonly text: string;
  /** Without separators. */
  readonly characters: string;
  readonly from: number;
  readonly to: number;
  /** The number of spoken pieces, and of single characters among them. */
  readonly pieces: number;
  readonly singles: number;
  /** The speaker's pauses: the part of `text` before this token. */
  readonly pauses: readonly Pause[];
  /** Only digits, all in one written piece. */
  readonly isPlainNumber: boolean;
}

/** The spelled parts of a text; each token belongs to at most one, so time is linear. */
export function spelledRuns(scan: Scan): Spelled[] {
  const runs: Spelled[] = [];
  for (let at = 0; at < scan.tokens.length; ) {
    const run = runAt(scan, at);
    if (run !== null) runs.push(run);
    at = Math.max(at + 1, run?.to ?? 0);
  }
  return runs;
}

interface Piece {
  readonly text: string;
  readonly to: number;
}

function runAt(scan: Scan, from: number): Spelled | null {
  const said: string[] = [];
  const pauses: Pause[] = [];
  let [to, pieces, singles, length, joint] = [from, 0, 0, 0, ''];
  for (let at = from; ; ) {
    const separator = separatorAt(scan, at, said.length > 0);
    if (separator !== null) {
      [joint, at] = [separator.text, separator.to];
      continue;
    }
    const piece = pieceAt(scan, at, said.length > 0);
    if (piece === null) break;
    said.push(joint, piece.text);
    length += joint.length + piece.text.length;
    pieces += 1;
    singles += piece.text.length === 1 ? 1 : 0;
    [to, at, joint] = [piece.to, behindPiece(scan, piece), ''];
    // "We do have one, BV695": a complete written identifier starts a new one.
    if (pieces === 1 && scan.tokens[from]?.number?.spoken === true && isWritten(scan, at)) break;
    if (pieces === 1 && at !== to && isPronoun(scan, from)) break;
    if (at !== to) pauses.push({ length, to, endsCode: normAt(scan, to) === '.' && pieces <= 2 });
  }
  if (pieces === 0) return null;
  const text = said.join('');
  const characters = text.replaceAll('-', '').replaceAll('/', '');
  const isPlainNumber = pieces === 1 && countAt(scan, from) !== null;
  return { text, characters, pauses, from, to, pieces, singles, isPlainNumber };
}

/** "I'll make you one. B, J, 5 2 3": no part of the number. */
function isPronoun(scan: Scan, at: number): boolean {
  return normAt(scan, at) === 'one' && beforePronouns.has(normAt(scan, at - 1));
}

const beforePronouns = wordSet('you this that new another me us have got');

/** "dash", or a written "-" or "/" between two pieces; "C-R-dash-four" writes what was spoken as one. */
function separatorAt(scan: Scan, at: number, isInside: boolean): Piece | null {
  if (!isInside) return null;
  const word = normAt(scan, at);
  const isWritten = (word === '-' || word === '.') && touches(scan, at) && touches(scan, at + 1);
  const text = separators.get(word) ?? (isWritten ? (word === '-' ? '-' : '') : null);
  if (text === null) return null;
  if (pieceAt(scan, at + 1, true) !== null) return { text, to: at + 1 };
  const next = separatorAt(scan, at + 1, true);
  return next === null ? null : { text: text || next.text, to: next.to };
}

/** After a comma, a period or "then" after a piece, if the spelling continues. */
function behindPiece(scan: Scan, { to }: Piece): number {
  const token = scan.tokens[to];
  if (token === undefined) return to;
  const isPause = token.kind === 'comma' || token.norm === '.' || inside.has(token.norm);
  if (!isPause) return to;
  const at = inside.has(normAt(scan, to + 1)) ? to + 2 : to + 1;
  return pieceAt(scan, at, true) !== null && !(token.norm === '.' && isWritten(scan, at)) ? at : to;
}

/** "I'll make you one. GT361554": a complete written identifier after a period does not continue the previous one. */
function isWritten(scan: Scan, at: number): boolean {
  const word = normAt(scan, at);
  const isLong = word.length > 1 || normAt(scan, at + 1).length > 1;
  const isCode = scan.tokens[at]?.kind === 'word' && isLong && touches(scan, at + 1);
  return word.length > 4 || isCode;
}

/** One letter, one number, "double seven", "R as in Robert", "bravo", or the letters of "RC 482". */
function pieceAt(scan: Scan, at: number, isInside: boolean): Piece | null {
  const token = scan.tokens[at];
  if (token === undefined) return null;
  const repeat = repeats.get(token.norm);
  if (repeat !== undefined) {
    const repeated = characterAt(scan, at + 1, true);
    return repeated?.text.length === 1 ? { text: repeated.text.repeat(repeat), to: repeated.to } : null;
  }
  // "Star two zero six"
  const key = isInside ? undefined : keys.get(token.norm);
  if (key !== undefined) return scan.tokens[at + 1]?.number == null ? null : { text: key, to: at + 1 };
  const { number } = token;
  if (number !== null)
    return number.ordinal || number.digits.includes('.') ? null : { text: number.digits, to: at + 1 };
  // "Nine one zero's the number": the last digit, and a verb.
  const last = isInside && token.norm.endsWith("'s") ? cardinals.get(token.norm.slice(0, -2)) : undefined;
  if (last !== undefined) return { text: String(last), to: at + 1 };
  return (
    characterAt(scan, at, isInside) ?? lettersAt(scan, at) ?? (isInside ? lastLettersAt(scan, at) : null)
  );
}

/** "523-PH": letters after a written hyphen, but not "5-star" and "24-hr". */
function lastLettersAt(scan: Scan, at: number): Piece | null {
  const { text = '', norm = '', kind } = scan.tokens[at] ?? {};
  const isJoined = normAt(scan, at - 1) === '-' && touches(scan, at - 1) && touches(scan, at);
  const isWord = commonWords.has(norm) || ordinaryShort.has(norm);
  const isShort = text === text.toUpperCase() ? norm.length <= mostLastLetters : norm.length === 2;
  return isJoined && kind === 'word' && isShort && !isWord ? { text: norm, to: at + 1 } : null;
}

const mostLastLetters = 4;

function characterAt(scan: Scan, at: number, isInside: boolean): Piece | null {
  const [word, next] = [normAt(scan, at), scan.tokens[at + 1]];
  const isBeside = isPieceWord(next?.norm) || (next?.number != null && !next.number.ordinal);
  if (word === 'oh' || (word === 'o' && scan.tokens[at - 1]?.kind === 'number')) {
    return next?.number != null || (isInside && zeros.has(next?.norm ?? ''))
      ? { text: '0', to: at + 1 }
      : null;
  }
  const digit = scan.tokens[at]?.number;
  if (digit != null) return { text: digit.digits, to: at + 1 };
  const letter = alphabet.get(word);
  if (letter !== undefined) return isAlphabet(scan, at) ? { text: letter, to: at + 1 } : null;
  if (word.length !== 1 || word.toUpperCase() === word.toLowerCase()) return null;
  // "8271's the number"
  if (apostrophes.has(scan.tokens[at]?.before ?? '')) return null;
  // "P, as in Paul"
  const isPaused = normAt(scan, at + 1) === ',' && normAt(scan, at + 2) === 'as';
  const isNamed = isPaused || ['as', 'for', 'like'].includes(next?.norm ?? '');
  // "A 30 day supply" and "I 2 …" are words; "A 4 7" and "I as in India" are spelled.
  const isLast = isInside && isBoundary(scan, at + 1) && normAt(scan, at - 1).length === 1;
  if ((word === 'a' || word === 'i') && !isNamed && !isBeside && !isLast) return null;
  // "A98-8916"
  const isGlued = next?.number != null && next.start === scan.tokens[at]?.end;
  // "A twenty", "a 40 dollar copay"
  const { digits: figures = '', spoken: isSpoken = false } = next?.number ?? {};
  const isCounted =
    figures.length === 2 ||
    figures.length === 3 ||
    (isSpoken && figures.length > 1) ||
    quantityAt(scan, at + 1) !== null;
  if (word === 'a' && !isInside && isCounted && !isGlued) return null;
  return { text: word, to: isNamed ? behindExample(scan, isPaused ? at + 2 : at + 1, word) : at + 1 };
}

const apostrophes: ReadonlySet<string> = new Set(["'", '’']);

const isPieceWord = (word: string | undefined): boolean =>
  word !== undefined &&
  (word.length === 1 || alphabet.has(word) || repeats.has(word) || separators.has(word));

/** After "as in Robert" and "for Robert"; a word with another initial is not one. */
function behindExample(scan: Scan, at: number, letter: string): number {
  const word = normAt(scan, at) === 'as' && normAt(scan, at + 1) === 'in' ? at + 2 : at + 1;
  const example = normAt(scan, word);
  return example.length > 1 && (example.startsWith(letter) || normAt(scan, at) === 'as') ? word + 1 : at;
}

/** "Charlie" and "November" are letters among other letters, and not before "24". */
function isAlphabet(scan: Scan, at: number): boolean {
  const isLetter = (word: string): boolean =>
    alphabet.has(word) || (word.length === 1 && word !== 'a' && word !== ',' && word !== '.' && word !== '-');
  const beside = [at - 1, at + 1].map((place) => normAt(scan, place));
  const isDigitBeside =
    scan.tokens[at + 1]?.number?.ordinal === false && scan.tokens[at + 2]?.kind === 'number';
  return (
    beside.some((word) => isLetter(word) && Number.isNaN(Number(word))) ||
    (isDigitBeside && normAt(scan, at) !== 'november')
  );
}

/** "RC 48213", "SO dash 7 1" */
function lettersAt(scan: Scan, at: number): Piece | null {
  const word = normAt(scan, at);
  if (scan.tokens[at]?.kind !== 'word' || word.length > 5 || word.length < 2 || word.includes(' '))
    return null;
  const isJoined =
    touches(scan, at + 1) && (scan.tokens[at + 1]?.kind === 'number' || isDashed(scan, at + 1));
  if (isJoined || separators.has(normAt(scan, at + 1))) return { text: word, to: at + 1 };
  const number = scan.tokens[at + 1]?.number;
  const isCode =
    number != null &&
    scan.tokens[at + 1]?.kind === 'number' &&
    !number.ordinal &&
    word.length < 4 &&
    !ordinaryShort.has(word) &&
    !(word.length > 2 && commonWords.has(word));
  return isCode ? { text: word, to: at + 1 } : null;
}

/** "CR-7451"; in words, "cr-seven four", it needs more than one number, or capitals and a large one. */
function isDashed(scan: Scan, at: number): boolean {
  const [number, next] = [scan.tokens[at + 1]?.number, scan.tokens[at + 2]?.number];
  const isWritten = number?.spoken === false;
  const letters = scan.tokens[at - 1]?.text ?? '';
  const isLarge = (number?.value ?? 0) >= 100 && letters === letters.toUpperCase();
  const goesOn = isLarge || (next?.ordinal === false && next.spoken);
  const isSpoken = number?.ordinal === false && goesOn;
  return normAt(scan, at) === '-' && touches(scan, at + 1) && (isWritten || isSpoken);
}

/** Reference numbers, codes and the like, written together or spelled; phone numbers are excluded. */
export function findIdentifiers(scan: Scan, runs: readonly Spelled[]): Reading<'identifier'>[] {
  const found = runs.flatMap((run) => identifierOf(scan, run) ?? []);
  return [...found, ...capitalCodes(scan)];
}

function identifierOf(scan: Scan, run: Spelled): Reading<'identifier'> | null {
  const { text, characters, pieces, singles, from, to } = run;
  const isAsked = isExpected(scan, from);
  const certainty = certaintyOf(scan, run, isAsked);
  if (certainty === 0 || characters.length < 3) return null;
  if (run.isPlainNumber && quantityAt(scan, to - 1) !== null) return null;
  if (normAt(scan, from - 1) === '$' || ['%', 'percent'].includes(normAt(scan, to))) return null;
  // "5-5-0-9" is spelled, not written with hyphens.
  const isSpelled = pieces > 2 && singles === pieces && text.split('-').length > pieces - 1;
  const whole = isSpelled ? null : saidBeforeSpelling(run);
  const once = isSpelled ? characters : text;
  const value = (whole === null ? withoutRepetition(once) : text.slice(0, whole.length)).toUpperCase();
  return { type: 'identifier', value, certainty, from, to: whole?.to ?? to };
}

/**
 * "EV567, E V 5 6 7", "RB34. R like run, B like boy": said as a whole, then spelled in full or in part. After a stop, a
 * single character explains a whole code: "E7189. Letter E", "CC-521. Two Cs".
 */
function saidBeforeSpelling({ text, pauses }: Spelled): Spelled['pauses'][number] | null {
  if (text.length > mostCharacters) return null;
  return (
    pauses.find(({ length, endsCode }) => {
      const [whole, rest] = [bare(text.slice(0, length)), bare(text.slice(length))];
      const isAgain = rest === whole && whole.length >= leastWhole;
      const isRemark = endsCode && rest.length === 1 && isCode(whole);
      return isAgain || isRemark || (isWord(rest) && whole.length > rest.length && whole.includes(rest));
    }) ?? null
  );
}

function withoutRepetition(text: string): string {
  const half = text.length / 2;
  const isTwice = half >= leastWhole && text.slice(0, half) === text.slice(half);
  return isTwice ? text.slice(0, half) : text;
}

const leastWhole = 4;
/** No code is this long, even repeated. */
const mostCharacters = 80;
const bare = (text: string): string => text.replaceAll('-', '').replaceAll('/', '');

/** Letters and digits. */
function isCode(text: string): boolean {
  return text.length >= leastWhole && /[a-z]/.test(text) && /\d/.test(text);
}

/** Only letters. */
const isWord = (text: string): boolean => text.length > 1 && [...text].every((one) => one >= 'a');

function isExpected(scan: Scan, at: number): boolean {
  const topic = scan.topics[at];
  return (
    topic === 'identifier' || topic === 'number' || scan.context.expecting?.includes('identifier') === true
  );
}

/** The certainty that a run is an identifier: letters with digits are one, digits alone may be a time or an amount. */
function certaintyOf(scan: Scan, run: Spelled, isAsked: boolean): number {
  const { characters, pieces, singles, from } = run;
  const letters = [...characters].filter((character) => character < '0' || character > '9').length;
  if (letters === characters.length) {
    return singles === pieces && pieces >= (isAsked ? 3 : 4) ? (isAsked ? 0.8 : 0.5) : 0;
  }
  if (letters > 0) return characters.length > 3 || isAsked ? 0.9 : 0.6;
  if (isAsked) return run.isPlainNumber && characters.length < 4 ? 0.6 : 0.85;
  if (scan.topics[from] === 'money') return 0;
  if (run.isPlainNumber) return characters.length >= 5 && Number(characters) % 100 > 0 ? 0.6 : 0;
  if (singles < pieces && characters.length < 6) return 0;
  return characters.length < 4 ? 0 : singles === pieces ? 0.7 : 0.5;
}

/** "your code is QWXZPL": capitals mark a code only if one is mentioned and not everything is in capitals. */
function capitalCodes(scan: Scan): Reading<'identifier'>[] {
  const isShouted = !scan.tokens.some(({ kind, text }) => kind === 'word' && text === text.toLowerCase());
  if (isShouted) return [];
  return scan.tokens.flatMap(({ kind, text }, at) => {
    const value = text.replaceAll('.', '');
    const isCode =
      kind === 'word' && value.length >= 4 && text === text.toUpperCase() && !knownCapitals.has(value);
    return isCode && isExpected(scan, at)
      ? [{ type: 'identifier', value, certainty: 0.7, from: at, to: at + 1 } as const]
      : [];
  });
}
