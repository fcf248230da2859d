import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Person } from '#shared/domain/person.ts';
import { hashOfToken } from '#shared/domain/token-hash.ts';
import type { Table } from '#shared/table/client.ts';
import {
  deleteSession,
  getSession,
  putSession,
  type StoredSession,
  touchSession,
} from '#shared/table/session.ts';
import { expiresIn } from '#shared/table/time-to-live.ts';
import type { Links } from '../links.ts';
import { newFormToken } from './form-token.ts';
import type { TokenSealer } from './sealed-token.ts';

/** A signed-in person. The provider's tokens are not stored: they have served their purpose. */
export interface Session {
  readonly id: string;
  readonly person: Person;
  /** For the forms they are shown. */
  readonly formToken: string;
  /** Until the session ends, without further activity. */
  readonly secondsLeft: number;
}

/** The dependencies of sessions. */
export interface SessionServices {
  readonly table: Table;
  readonly sealer: TokenSealer;
  readonly links: Links;
  readonly now?: () => Date;
}

/** A working day. */
const longestSeconds = 8 * 60 * 60;
/** Signs out an unattended screen after this time. */
const idleSeconds = 15 * 60;
/** Activity is recorded no more often than this. */
const touchEverySeconds = 60;

/** Marks automatic requests of a page, which do not extend a session. */
const backgroundHeader = 'x-background';

/**
 * With this prefix, browsers accept a cookie only over https, for this host and all of its paths, so that no sibling
 * domain can plant one. They refuse it without https, so the local stack omits it.
 */
export function cookieName(name: string, { isHttps }: Links): string {
  return isHttps ? `__Host-${name}` : name;
}

/** Attributes of the dashboard's cookies: no script reads them, and no other site's form sends them. */
export function cookieAttributes({ isHttps }: Links, lifetime: number) {
  return { path: '/', httpOnly: true, sameSite: 'Lax', secure: isHttps, maxAge: lifetime } as const;
}

/** The request's session; null if missing, ended or idle for too long. */
export async function readSession(context: Context, services: SessionServices): Promise<Session | null> {
  const { table, sealer, now = () => new Date() } = services;
  const cookieHash = presentedHash(context, services);
  if (cookieHash === null) return null;
  const stored = await getSession(table, cookieHash);
  if (stored === null) return null;
  const at = now();
  if (secondsLeft(stored, at) <= 0) return null;
  const session = { ...stored };
  const isIdle = at.getTime() - Date.parse(stored.seen_at) >= touchEverySeconds * 1000;
  if (isIdle && context.req.header(backgroundHeader) === undefined) {
    session.seen_at = at.toISOString();
    if (!(await touchSession(table, cookieHash, session.seen_at))) return null;
  }
  const { id, person } = session;
  return {
    id,
    person,
    formToken: await newFormToken(sealer, person),
    secondsLeft: Math.floor(secondsLeft(session, at)),
  };
}

/** Signs a person in with a new session; ends the browser's previous one. */
export async function beginSession(
  context: Context,
  services: SessionServices,
  person: Person,
): Promise<void> {
  const { table, links, now = () => new Date() } = services;
  const before = presentedHash(context, services);
  if (before !== null) await deleteSession(table, before);
  const token = await newSession(table, person, now());
  setCookie(context, nameOf(links), token, cookieAttributes(links, longestSeconds));
}

/** Ends the session, wherever its cookie may have been copied to. */
export async function endSession(context: Context, services: SessionServices): Promise<void> {
  const cookieHash = presentedHash(context, services);
  if (cookieHash !== null) await deleteSession(services.table, cookieHash);
  const { links } = services;
  deleteCookie(context, nameOf(links), { path: '/', secure: links.isHttps });
}

/** Stores a new session; returns its cookie's content, which is stored nowhere else. */
export async function newSession(table: Table, person: Person, now: Date): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const at = now.toISOString();
  await putSession(table, hashOfToken(token), {
    id: uuidv7(now.getTime()),
    person,
    started_at: at,
    seen_at: at,
    ...expiresIn(longestSeconds, now.getTime()),
  });
  return token;
}

function nameOf(links: Links): string {
  return cookieName('vat_session', links);
}

function presentedHash(context: Context, { links }: Pick<SessionServices, 'links'>): string | null {
  const token = getCookie(context, nameOf(links));
  return token === undefined || token === '' ? null : hashOfToken(token);
}

function secondsLeft({ started_at, seen_at }: StoredSession, now: Date): number {
  const endsAtMs = Math.min(
    Date.parse(started_at) + longestSeconds * 1000,
    Date.parse(seen_at) + idleSeconds * 1000,
  );
  return (endsAtMs - now.getTime()) / 1000;
}
