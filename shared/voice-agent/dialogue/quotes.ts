import type { Turn } from '#shared/domain/conversation.ts';
import { tokenize } from '../entities/tokens.ts';

/** Words of the person, with the position that they have in the transcript. */
export type HeardWords = Pick<Turn, 'index' | 'content'>;

/** The words and amounts of a text, in lower case, and where they end. */
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

/** All digits of a text in their order, whether they are written or said in words. */
export function digitsIn(text: string): string {
  const digits = tokenize(text).map(({ number }) => number?.digits ?? '');
  return digits.join('').replaceAll('.', '');
}

/**
 * Finds a quote in what the person said, the newest words first, and gives it back as it stands there: a model writes
 * capitals and punctuation as it likes. `null` when they never said it.
 */
export function findQuote(
  quote: string,
  heard: readonly HeardWords[],
): { quote: string; turn: number } | null {
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
