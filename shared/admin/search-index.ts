import type { Table } from '#shared/table/client.ts';
import { type FoundKind, findByTerm } from '#shared/table/search-term.ts';

/** So many entries of each word are read at most, the newest first. */
const entriesAtMost = 500;
/** So many words are looked up at most; the others only narrow what was found. */
const wordsLookedUp = 6;
/** So many patients or tasks are read at most, the newest first, to see whether they match. */
const readAtMost = 100;

/** What may match a search, the newest first; `isAll` is false when there may be more. */
export interface Candidates {
  readonly ids: readonly string[];
  readonly isAll: boolean;
}

/**
 * Finds what has all of the terms. A term that fits more than can be read is left to whoever reads the candidates, as
 * long as another one is rarer.
 */
export async function findCandidates(
  table: Table,
  projectId: string,
  kind: FoundKind,
  terms: readonly string[],
): Promise<Candidates> {
  const lookedUp = [...new Set(terms)].slice(0, wordsLookedUp);
  const matches = await Promise.all(
    lookedUp.map((term) => findByTerm(table, projectId, { kind, term }, entriesAtMost)),
  );
  const whole = matches.filter(({ isAll }) => isAll);
  const [first, ...others] = whole.length > 0 ? whole : matches;
  const rest = others.map(({ ids }) => new Set(ids));
  const ids = (first?.ids ?? []).filter((id) => rest.every((one) => one.has(id)));
  return {
    ids: ids.slice(0, readAtMost),
    isAll: ids.length <= readAtMost && (whole.length > 0 || matches.length === 0),
  };
}
