import { DialogueFailure } from '../dialogue/dialogue-failure.ts';
import { plainOf } from '../language/text.ts';

/** From this many digits in a row on, a number is somebody's: an identifier, a telephone number, a date of birth. */
const minDigits = 7;

/**
 * Holds back the numbers that a model is about to say until they are whole, and lets none pass that neither the plan nor
 * the conversation holds: a language model can make one up, or carry one over from elsewhere.
 */
export class NumberGuard {
  readonly #known: readonly string[];
  #held: string[] = [];

  /** @param sources texts whose numbers may be said */
  constructor(sources: readonly string[]) {
    this.#known = sources.flatMap((source) => [digitsIn(source), digitsIn(plainOf(source))]);
  }

  /**
   * The words that may be said now.
   *
   * @throws DialogueFailure `unknown-number`
   */
  pass(words: readonly string[]): string[] {
    const passed: string[] = [];
    for (const word of words) {
      if (isDigits(word) || (this.#held.length > 0 && isJoint(word))) this.#held.push(word);
      else passed.push(...this.release(), word);
    }
    return passed;
  }

  /** Lets go of what is held, because the text has ended. */
  release(): string[] {
    const held = this.#held;
    this.#held = [];
    if (!this.#isAllowed(held)) throw new DialogueFailure('unknown-number');
    return held;
  }

  #isAllowed(words: readonly string[]): boolean {
    const run = words.join(' ');
    const digits = digitsIn(plainOf(run));
    if (digits.length < minDigits || isDayAndYear(run)) return true;
    return this.#known.some((known) => known.includes(digits));
  }
}

function isDigits(word: string): boolean {
  return /\d|^(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)[,.;]?$/i.test(word);
}

/** Letters and dashes between the digits of a spelled identifier: "X G H, 1 2 3". */
function isJoint(word: string): boolean {
  return /^[A-Z][,.;]?$/.test(word) || /^[-–—]$/.test(word);
}

/** "24, 2026" after the name of a month. */
function isDayAndYear(run: string): boolean {
  return /^\d{1,2}(?:st|nd|rd|th)?,? (?:19|20)\d\d[,.?!]?$/.test(run);
}

function digitsIn(text: string): string {
  return text.replaceAll(/\D/g, '');
}
