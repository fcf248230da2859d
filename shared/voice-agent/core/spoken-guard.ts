import type { Fact } from '../call-plan/call-plan.ts';
import { type Token, tokenize } from '../entities/tokens.ts';
import { toldFacts } from '../result/told-facts.ts';

/** Facts with more words than this are recognized by their longer words. */
const shortText = 6;
const tellingLetters = 4;

/**
 * Releases the words of a turn as they arrive, in any pieces, unless they tell a secret. From the
 * first word that could begin a secret, the rest of the sentence is held until it is clear that it
 * tells none; a sentence that does is not spoken. Earlier words count, so a secret spread over several
 * sentences is caught, too.
 */
export class SpokenGuard {
  readonly #secrets: readonly Fact[];
  readonly #today: string;
  readonly #refusal: string;
  readonly #suspicious: ReadonlySet<string>;
  #said: string[] = [];
  #held: string[] = [];
  #hasRefused = false;

  /**
   * @param secrets what the person on the line may not hear
   * @param refusal said once in place of withheld words
   */
  constructor(secrets: readonly Fact[], today: string, refusal: string) {
    this.#secrets = secrets;
    this.#today = today;
    this.#refusal = refusal;
    this.#suspicious = new Set(secrets.flatMap(({ value, spoken }) => [value, spoken].flatMap(tellingWords)));
  }

  /** The words that may be spoken now, possibly none. */
  pass(text: string): string {
    if (this.#secrets.length === 0) return text;
    const out: string[] = [];
    for (const word of text.split(' ')) {
      // "It is 4 4 7. 1 9 0 2.": spelling or counting continues after a period.
      if (endsSentence(this.#held.at(-1) ?? '') && !isSpelled(word)) out.push(...this.#judge());
      if (this.#held.length === 0 && !this.#isSuspicious(word)) {
        this.#said.push(word);
        out.push(word);
        continue;
      }
      this.#held.push(word);
      if (endsSentence(word) && !isSpelled(word)) out.push(...this.#judge());
    }
    return out.join(' ');
  }

  /** The held words, once the text has ended. */
  release(): string {
    return this.#judge().join(' ');
  }

  #judge(): string[] {
    const held = this.#held.splice(0);
    if (toldFacts(this.#secrets, [...this.#said, ...held].join(' '), this.#today).length === 0) {
      this.#said.push(...held);
      return held;
    }
    if (this.#hasRefused) return [];
    this.#hasRefused = true;
    const last = this.#said.at(-1);
    const refusal = last === undefined || endsSentence(last) ? this.#refusal : `... ${this.#refusal}`;
    this.#said.push(refusal);
    return [refusal];
  }

  #isSuspicious(word: string): boolean {
    return tokenize(word).some(
      (token) => token.kind === 'number' || isLetter(token) || this.#suspicious.has(stemOf(token.norm)),
    );
  }
}

/** The words that identify a told text. */
function tellingWords(text: string): string[] {
  const norms = tokenize(text).flatMap(({ kind, norm }) => (kind === 'word' ? [stemOf(norm)] : []));
  return norms.length <= shortText ? norms : norms.filter((norm) => norm.length >= tellingLetters);
}

/** Without a genitive ending. */
function stemOf(norm: string): string {
  return norm.split("'")[0] ?? norm;
}

/** A number or part of one, such as "one" or a single letter. */
function isSpelled(word: string): boolean {
  return tokenize(word).some((token) => token.number !== null || isLetter(token));
}

/** "A" and "I" are words. */
function isLetter({ kind, norm }: Token): boolean {
  return kind === 'word' && norm.length === 1 && norm !== 'a' && norm !== 'i';
}

/** The last punctuation mark, without surrounding quotes and parentheses. */
export function endMark(words: string): string {
  return [...words].findLast((character) => !`"')`.includes(character)) ?? '';
}

/** Whether words reach the end of a sentence. */
export function endsSentence(words: string): boolean {
  const mark = endMark(words);
  return mark !== '' && '.?!'.includes(mark);
}
