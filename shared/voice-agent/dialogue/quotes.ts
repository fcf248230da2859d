import type { Turn } from '#shared/domain/conversation.ts';
import { tokenize } from '../entities/tokens.ts';

/** The person's words, with their position in the transcript. */
export type HeardWords = Pick<Turn, 'index' | 'content'>;

/** The person's exact words, and the index of their turn. */
export interface Quote {
  readonly quote: string;
  readonly turn: number;
}

/** The words and amounts of a text, in lower case, with their end offsets. */
export function wordsIn(
  text: string,
): { readonly lower: string; readonly start: number; readonly end: number }[] {
  const found = text.matchAll(/[\p{L}\p{N}$%]+/gu);
  return [...found].map(({ 0: word, index }) => ({
    lower: word.toLowerCase(),
    start: index,
    end: index + word.length,
  }));
}

/** All digits of a text in order, written or spoken. */
export function digitsIn(text: string): string {
  const digits = tokenize(text).map(({ number }) => number?.digits ?? '');
  return digits.join('').replaceAll('.', '');
}

/**
 * Finds a quote in the person's words, newest first, and returns it verbatim: models vary
 * capitals and punctuation. `null` if they never said it.
 */
export function findQuote(quote: string, heard: readonly HeardWords[]): Quote | null {
  const wanted = wordsIn(quote).map(({ lower }) => lower);
  for (const { index, content } of heard.toReversed()) {
    const said = wordsIn(content);
    const at = said.findIndex((_, start) =>
      wanted.every((word, offset) => said[start + offset]?.lower === word),
    );
    const [first, last] = [said[at], said[at + wanted.length - 1]];
    if (first === undefined || last === undefined || wanted.length === 0) continue;
    const mark = '.?!'.includes(content.charAt(last.end)) ? 1 : 0;
    return { quote: content.slice(first.start, last.end + mark), turn: index };
  }
  return null;
}
