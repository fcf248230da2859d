import type { Table } from '#shared/table/client.ts';
import { type FoundKind, findByTerm } from '#shared/table/search-term.ts';

/** The most entries read per word, newest first. */
const entriesAtMost = 500;
/** The most words looked up; others only narrow the results. */
const wordsLookedUp = 6;
/** The most patients or tasks read and matched, newest first. */
const readAtMost = 100;

/** Candidates of a search, newest first; `isAll` is false when there may be more. */
export interface Candidates {
  readonly ids: readonly string[];
  readonly isAll: boolean;
}

/**
 * Finds entries with all of the terms. A term with too many entries is left to the caller to match, if another one is
 * rarer.
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
