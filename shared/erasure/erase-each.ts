import type { Delay, ErasureServices } from './erasure-services.ts';
import { legalHold } from './legal-hold.ts';

export interface ErasedSoFar {
  readonly found: number;
  /** The first obstacle; null when everything found is gone. */
  readonly delay: Delay | null;
}

/** Less than the erasing function's timeout, by as much as one item may take. */
const longestPassMs = 8 * 60_000;

/**
 * Erases items of a project one by one. A blocked item does not hold up the others, but a legal hold does; what exceeds
 * one run is left to the next.
 */
export async function eraseEach(
  { table, now }: Pick<ErasureServices, 'table' | 'now'>,
  projectId: string,
  pages: AsyncIterable<readonly string[]>,
  erase: (id: string) => Promise<Delay | null>,
): Promise<ErasedSoFar> {
  const startedMs = now().getTime();
  let found = 0;
  let delay: Delay | null = null;
  for await (const ids of pages) {
    for (const id of ids) {
      if (now().getTime() - startedMs > longestPassMs) {
        return { found, delay: { reason: 'There is more to erase than fits in one run.', until: now() } };
      }
      const held = await legalHold(table, projectId);
      if (held !== null) return { found, delay: held };
      found += 1;
      const delayed = await erase(id);
      delay ??= delayed;
    }
  }
  return { found, delay };
}
