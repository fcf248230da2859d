import { endsSentence } from '../core/spoken-guard.ts';
import { digitsIn } from '../dialogue/quotes.ts';
import { tokenize } from '../entities/tokens.ts';

/** From this many consecutive digits on, a number identifies someone: an ID, a phone number, a date of birth. */
const minDigits = 7;

/**
 * Whether one of the texts contains these digits; `YYYY-MM-DD` dates also match the formats of people and
 * machines.
 */
export function isNumberOf(texts: readonly string[], digits: string): boolean {
  return texts.some((text) => {
    const [year = '', month = '', day = ''] = text.split('-');
    const orders =
      text.length === 10 ? [month + day + year, day + month + year, month + day + year.slice(2)] : [];
    return [digitsIn(text), ...orders].some((known) => known.includes(digits));
  });
}

/** From this many digits on, a number of the sources stands for itself among others. */
const minWhole = 3;
/** Fewer digits beside known numbers identify no one: "One moment", "39 years", "$1,250". */
const mostBeside = 4;

/** The digits of each number in a text: of single words, and of those that follow one another. */
function wholeNumbersIn(text: string): string[] {
  const runs: string[] = [];
  let run = '';
  for (const { number, kind, norm } of tokenize(text)) {
    if (number !== null) {
      run += number.digits;
      runs.push(number.digits);
    } else if (kind === 'word' && norm.length > 1) {
      runs.push(run);
      run = '';
    }
  }
  return [...runs, run]
    .map((digits) => digits.replaceAll('.', ''))
    .filter(({ length }) => length >= minWhole);
}

/**
 * Holds the numbers that a model is about to say until they are complete, and passes only those in
 * the plan or the conversation: a language model can invent one, or carry one over from elsewhere. The rest of a
 * sentence with another number is not spoken.
 */
export class NumberGuard {
  readonly #sources: readonly string[];
  readonly #refusal: string;
  #wholeNumbers: ReadonlySet<string> | null = null;
  #held: string[] = [];
  #isWithholding = false;
  /** The last word before the held ones. */
  #last = '';
  /** Sentences that were withheld, for the log. */
  withheld = 0;

  /**
   * @param sources texts with allowed numbers
   * @param refusal said once in place of withheld words
   */
  constructor(sources: readonly string[], refusal: string) {
    this.#sources = sources;
    this.#refusal = refusal;
  }

  /** The words that may be spoken now. */
  pass(words: readonly string[]): string[] {
    return words.flatMap((word) => {
      if (isAmount(word) || !this.#isPartOfNumber(word))
        return [...this.#judge(), ...this.#unlessWithheld(word)];
      this.#held.push(word);
      return [];
    });
  }

  /** Releases the held words, because the text has ended. */
  release(): string[] {
    const released = this.#judge();
    this.#isWithholding = false;
    return released;
  }

  #unlessWithheld(word: string): string[] {
    if (this.#isWithholding) {
      this.#isWithholding = !endsSentence(word);
      return [];
    }
    this.#last = word;
    return [word];
  }

  #judge(): string[] {
    const held = this.#held.splice(0);
    const last = held.at(-1);
    if (last === undefined) return [];
    if (this.#isKnown(held)) return held.flatMap((word) => this.#unlessWithheld(word));
    this.#isWithholding = !endsSentence(last);
    this.withheld += 1;
    if (this.withheld > 1) return [];
    return [endsSentence(this.#last) || this.#last === '' ? this.#refusal : `... ${this.#refusal}`];
  }

  #isKnown(words: readonly string[]): boolean {
    return digitsIn(words.join(' ')).length < minDigits || this.#unknownIn(words) <= mostBeside;
  }

  /** The digits of words that belong to no known number: several may follow one another. */
  #unknownIn(words: readonly string[]): number {
    const digits = digitsIn(words.join(' '));
    if (digits.length >= minDigits && isNumberOf(this.#sources, digits)) return 0;
    this.#wholeNumbers ??= new Set(this.#sources.flatMap(wholeNumbersIn));
    for (let length = words.length; length > 0; length -= 1) {
      for (let from = 0; from + length <= words.length; from += 1) {
        if (this.#wholeNumbers.has(digitsIn(words.slice(from, from + length).join(' '))))
          return this.#unknownIn(words.slice(0, from)) + this.#unknownIn(words.slice(from + length));
      }
    }
    return digits.length;
  }

  /** Digits, and the letters and dashes between those of a spelled identifier: "X G H, 1 2 3", "four oh two". */
  #isPartOfNumber(word: string): boolean {
    const tokens = tokenize(word);
    if (tokens.some(({ number }) => number !== null)) return true;
    const [{ norm } = { norm: '' }] = tokens;
    return this.#held.length > 0 && (norm.length === 1 || norm === 'oh');
  }
}

/** "$640", "15%" and "10:30" are part of no longer number, and identify no one. */
function isAmount(word: string): boolean {
  return digitsIn(word).length < minDigits && /^\$\d|\d%|\d:\d\d/.test(word);
}
