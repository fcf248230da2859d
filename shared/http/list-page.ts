import { invalidField } from '#shared/domain/errors.ts';
import type { ListPosition } from '#shared/lists/list-page.ts';
import type { RawRequest } from '#shared/triggers/http.ts';
import { readCursor, readText } from './parameters.ts';
import { openResponseBudget } from './response-size-budget.ts';

export const defaultLimit = 50;
export const maxLimit = 100;

/** Reads `limit` and `cursor` from the query. */
export function readListPosition(request: Pick<RawRequest, 'query'>): ListPosition {
  const limit = readText(request, 'limit');
  return {
    limit: limit === null ? defaultLimit : toLimit(limit),
    cursor: readCursor(request),
    openBudget: openResponseBudget,
  };
}

function toLimit(text: string): number {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > maxLimit) {
    throw invalidField('limit', `limit must be a whole number from 1 to ${maxLimit}`);
  }
  return limit;
}

/**
 * A page and, if there is more, the `Link` header to the next one (RFC 8288).
 *
 * @param query the other parameters of the list
 */
export function withNextPage<Body extends { readonly next_cursor: string | null }>(
  body: Body,
  url: string,
  { limit }: Pick<ListPosition, 'limit'>,
  query: Readonly<Record<string, string | null>> = {},
): { body: Body; headers: Record<string, string> } {
  if (body.next_cursor === null) return { body, headers: {} };
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, limit: String(limit), cursor: body.next_cursor })) {
    if (value !== null) parameters.set(name, value);
  }
  return { body, headers: { Link: `<${url}?${parameters.toString()}>; rel="next"` } };
}
