import type { Page, PageRequest } from '#shared/table/newest-first.ts';
import { decodeListCursor, encodeListCursor, type ListIdentity } from './list-cursor.ts';
import type { OpenBudget } from './response-budget.ts';

/** The requested page of a list; the cursor is still unparsed. */
export interface ListPosition {
  readonly limit: number;
  readonly cursor: string | null;
  readonly openBudget: OpenBudget;
}

/** Where the table continues. Throws `invalid_request` for a cursor of another list, or an invalid one. */
export function toPageRequest(list: ListIdentity, { limit, cursor }: ListPosition): PageRequest {
  return { limit, before: cursor === null ? null : decodeListCursor(list, cursor) };
}

/** As much of a page as fits into a response, and the cursor to the rest; null at the end. */
export function fitPage<Resource extends { readonly id: string }>(
  list: ListIdentity,
  { items, next }: Page<Resource>,
  { openBudget }: ListPosition,
): { readonly resources: Resource[]; readonly nextCursor: string | null } {
  const budget = openBudget({});
  const rest = items.findIndex((item) => !budget.take(item));
  const resources = rest === -1 ? items : items.slice(0, rest);
  const end = rest === -1 ? next : (resources.at(-1)?.id ?? next);
  return { resources, nextCursor: end === null ? null : encodeListCursor(list, end) };
}
