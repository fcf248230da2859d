import { DialogueFailure } from '../dialogue/dialogue-failure.ts';
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

/**
 * Holds the numbers that a model is about to say until they are complete, and passes only those in
 * the plan or the conversation: a language model can invent one, or carry one over from elsewhere.
 */
export class NumberGuard {
  readonly #sources: readonly string[];
  #held: string[] = [];

  /** @param sources texts with allowed numbers */
  constructor(sources: readonly string[]) {
    this.#sources = sources;
  }

  /**
   * The words that may be spoken now.
   *
   * @throws DialogueFailure `unknown-number`
   */
  pass(words: readonly string[]): string[] {
    return words.flatMap((word) => {
      if (!this.#isPartOfNumber(word)) return [...this.release(), word];
      this.#held.push(word);
      return [];
    });
  }

  /** Releases the held words, because the text has ended. */
  release(): string[] {
    const held = this.#held;
    this.#held = [];
    const digits = digitsIn(held.join(' '));
    const isKnown = digits.length < minDigits || isNumberOf(this.#sources, digits);
    if (!isKnown) throw new DialogueFailure('unknown-number');
    return held;
  }

  /** Digits, and the letters and dashes between those of a spelled identifier: "X G H, 1 2 3", "four oh two". */
  #isPartOfNumber(word: string): boolean {
    const tokens = tokenize(word);
    if (tokens.some(({ number }) => number !== null)) return true;
    const [{ norm } = { norm: '' }] = tokens;
    return this.#held.length > 0 && (norm.length === 1 || norm === 'oh');
  }
}
