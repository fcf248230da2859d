import * as z from 'zod/mini';
import type { Page } from '../store/sandbox-store.ts';
import { invalidParameter } from './rest-error.ts';

export interface PageRequest {
  readonly page: number;
  readonly pageSize: number;
  readonly after: { readonly sid: string; readonly createdAt: string } | null;
}

const Token = z.tuple([z.string(), z.string()]);

export function readPageRequest(query: URLSearchParams): PageRequest {
  const token = query.get('PageToken');
  return {
    page: wholeNumber(query, 'Page', 0, 0, 1_000_000),
    pageSize: wholeNumber(query, 'PageSize', 50, 1, 1000),
    after: token === null ? null : readToken(token),
  };
}

function wholeNumber(
  query: URLSearchParams,
  name: string,
  standard: number,
  low: number,
  high: number,
): number {
  const text = query.get(name);
  if (text === null) return standard;
  if (!/^\d+$/.test(text) || Number(text) < low || Number(text) > high) {
    throw invalidParameter(`Invalid ${name}`);
  }
  return Number(text);
}

/** The page of all that there is, newest first. */
export function pageOf<Item extends { readonly sid: string; readonly created_at: string }>(
  all: readonly Item[],
  { after, pageSize }: PageRequest,
): Page<Item> {
  const start = after === null ? 0 : all.findIndex(({ sid }) => sid === after.sid) + 1;
  const items = all.slice(start, start + pageSize);
  const last = items.at(-1);
  const hasMore = last !== undefined && start + items.length < all.length;
  return { items, next: hasMore ? { sid: last.sid, createdAt: last.created_at } : null };
}

/** The carrier's page object; addresses are paths below the carrier's host and keep the filters. */
export function pageObject<Item>({
  name,
  path,
  query,
  request,
  found,
  toResource,
}: {
  name: 'calls' | 'recordings' | 'incoming_phone_numbers' | 'outgoing_caller_ids';
  path: string;
  query: URLSearchParams;
  request: PageRequest;
  found: Page<Item>;
  toResource: (item: Item) => Record<string, unknown>;
}): Record<string, unknown> {
  const { page, pageSize } = request;
  const filters = [...query].filter(([key]) => !['Page', 'PageSize', 'PageToken'].includes(key));
  const address = (number: number, token: string | null): string => {
    const parameters = new URLSearchParams(filters);
    parameters.set('PageSize', String(pageSize));
    parameters.set('Page', String(number));
    if (token !== null) parameters.set('PageToken', token);
    return `${path}?${parameters}`;
  };
  const start = page * pageSize;
  return {
    [name]: found.items.map(toResource),
    page,
    page_size: pageSize,
    start,
    end: found.items.length === 0 ? start : start + found.items.length - 1,
    uri: address(page, query.get('PageToken')),
    first_page_uri: address(0, null),
    next_page_uri: found.next === null ? null : address(page + 1, writeToken(found.next)),
    // Tokens lead forward only; the first page needs none.
    previous_page_uri: page === 1 ? address(0, null) : null,
  };
}

function writeToken({ sid, createdAt }: { sid: string; createdAt: string }): string {
  return `PA${Buffer.from(JSON.stringify([sid, createdAt])).toString('base64url')}`;
}

function readToken(token: string): { sid: string; createdAt: string } {
  try {
    const [sid, createdAt] = Token.parse(
      JSON.parse(Buffer.from(token.replace(/^PA/, ''), 'base64url').toString('utf8')),
    );
    return { sid, createdAt };
  } catch {
    throw invalidParameter('Invalid PageToken');
  }
}

/**
 * Whether a time passes the filters `name`, `name>` and `name<`, each a day of UTC or an instant. A time that is not
 * known yet passes none of them.
 */
export function isWithin(query: URLSearchParams, name: string, time: string | null): boolean {
  const [exact, least, most] = [query.get(name), query.get(`${name}>`), query.get(`${name}<`)];
  if (time === null) return exact === null && least === null && most === null;
  const instant = new Date(time);
  const day = instant.toISOString().slice(0, 10);
  const compare = (limit: string): number => {
    if (/^\d{4}-\d{2}-\d{2}$/.test(limit)) return day.localeCompare(limit);
    const limitMs = Date.parse(limit);
    if (Number.isNaN(limitMs)) throw invalidParameter(`Invalid ${name}`);
    return instant.getTime() - limitMs;
  };
  return (
    (exact === null || compare(exact) === 0) &&
    (least === null || compare(least) >= 0) &&
    (most === null || compare(most) <= 0)
  );
}
