import type { Token } from '../entities/tokens.ts';
import { wordsOf } from './features.ts';

/** A part of the words that one mask stands for. */
export interface MaskedSpan {
  readonly start: number;
  readonly end: number;
  readonly mask: string;
}

/**
 * The words of tokens, with spans and some words masked.
 * @param maskOf what stands for a word; null if the word itself does
 */
export function maskedWords(
  tokens: readonly Token[],
  spans: readonly MaskedSpan[],
  maskOf: (word: string) => string | null,
): string[] {
  const words: string[] = [];
  let last: MaskedSpan | undefined;
  for (const token of tokens) {
    const within = spans.find(({ start, end }) => token.start >= start && token.end <= end);
    if (within !== undefined && within !== last) words.push(within.mask);
    if (within === undefined) words.push(...wordsOf([token]).map((word) => maskOf(word) ?? word));
    last = within;
  }
  return words;
}
