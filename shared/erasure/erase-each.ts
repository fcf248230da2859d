import type { Delay, ErasureServices } from './erasure-services.ts';

export interface ErasedSoFar {
  readonly found: number;
  /** The first of what was in the way; null when all that was found is gone. */
  readonly delay: Delay | null;
}

/** Less than the function that erases can run, by as much as one of the things may take. */
const longestPassMs = 8 * 60_000;

/**
 * Erases one after the other. What cannot be erased yet does not hold up the others; what is more than one run of a
 * function can do is left to the next.
 */
export async function eraseEach(
  { now }: Pick<ErasureServices, 'now'>,
  pages: AsyncIterable<readonly string[]>,
  erase: (id: string) => Promise<Delay | null>,
): Promise<ErasedSoFar> {
  const startedMs = now().getTime();
  let found = 0;
  let delay: Delay | null = null;
  for await (const ids of pages) {
    for (const id of ids) {
      if (now().getTime() - startedMs > longestPassMs) {
        return { found, delay: { reason: 'There is more than can be erased at once.', until: now() } };
      }
      found += 1;
      const delayed = await erase(id);
      delay ??= delayed;
    }
  }
  return { found, delay };
}
