import type { Turn } from '#shared/domain/conversation.ts';

/** Words of the person, with the position that they have in the transcript. */
export type HeardWords = Pick<Turn, 'index' | 'content'>;

/**
 * Finds a quote in what the person said, the newest words first, and gives it back as it stands there: a model writes
 * capitals and punctuation as it likes. `null` when they never said it.
 */
export function findQuote(
  quote: string,
  heard: readonly HeardWords[],
): { readonly quote: string; readonly turn: number } | null {
  const words = quote.match(/[\p{L}\p{N}$%]+/gu) ?? [];
  if (words.length === 0) return null;
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])${words.map(escaped).join('[^\\p{L}\\p{N}$%]*')}(?![\\p{L}\\p{N}])[.?!%]?`,
    'iu',
  );
  for (const { index, content } of heard.toReversed()) {
    const found = pattern.exec(content)?.[0];
    if (found !== undefined) return { quote: found, turn: index };
  }
  return null;
}

function escaped(word: string): string {
  return word.replaceAll(/[$]/g, '\\$&');
}
