import { invalidField } from '#shared/domain/errors.ts';
import type { Page, PageRequest } from '#shared/table/newest-first.ts';
import type { RawRequest } from '#shared/triggers/http.ts';
import { AnswerBudget } from './answer-budget.ts';
import { decodeListCursor, encodeListCursor, type ListIdentity } from './list-cursor.ts';
import { readText } from './parameters.ts';

/** Which page of a list was asked for; the cursor is still as it came. */
export interface ListPosition {
  readonly limit: number;
  readonly cursor: string | null;
}

export const defaultLimit = 50;
export const maxLimit = 100;

/** Reads `limit` and `cursor` from the query. */
export function readListPosition(request: Pick<RawRequest, 'query'>): ListPosition {
  const limit = readText(request, 'limit');
  return { limit: limit === null ? defaultLimit : toLimit(limit), cursor: readText(request, 'cursor') };
}

function toLimit(text: string): number {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > maxLimit) {
    throw invalidField('limit', `limit must be a whole number from 1 to ${maxLimit}`);
  }
  return limit;
}

/** Where the table has to read on. Throws `invalid_request` for a cursor of another list, or of none. */
export function toPageRequest(list: ListIdentity, { limit, cursor }: ListPosition): PageRequest {
  return { limit, before: cursor === null ? null : decodeListCursor(list, cursor) };
}

/**
 * As much of a page as fits into one answer, and the cursor that leads to the rest; null when there is none. One thing
 * always fits.
 */
export function toAnswer<Resource extends { readonly id: string }>(
  list: ListIdentity,
  { items, next }: Page<Resource>,
): { readonly resources: Resource[]; readonly nextCursor: string | null } {
  const budget = new AnswerBudget({});
  const rest = items.findIndex((item) => !budget.take(item));
  const resources = rest === -1 ? items : items.slice(0, rest);
  const end = rest === -1 ? next : (resources.at(-1)?.id ?? next);
  return { resources, nextCursor: end === null ? null : encodeListCursor(list, end) };
}

/** The `Link` header that leads to the next page (RFC 8288), or none. @param query what else the list was asked for */
export function nextPageHeader(
  url: string,
  query: Readonly<Record<string, string | null>>,
  { limit }: ListPosition,
  nextCursor: string | null,
): Record<string, string> {
  if (nextCursor === null) return {};
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, limit: String(limit), cursor: nextCursor })) {
    if (value !== null) parameters.set(name, value);
  }
  return { Link: `<${url}?${parameters.toString()}>; rel="next"` };
}
