import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import * as z from 'zod/mini';
import { Person } from '#shared/domain/person.ts';
import type { Links } from '../links.ts';
import { newFormToken } from './form-token.ts';
import type { TokenSealer } from './sealed-token.ts';

/** What the cookie carries. The provider's tokens are not kept: they have said who it is, and nothing else is asked. */
const SealedSession = z.object({ person: Person });
type SealedSession = z.infer<typeof SealedSession>;

/** Somebody who is signed in. */
export interface Session extends SealedSession {
  /** For the forms that they are shown. */
  readonly formToken: string;
}

const cookieName = 'vat_session';
const purpose = 'session';
/** A working day. */
const lifetimeSeconds = 8 * 60 * 60;

/** Attributes of the dashboard's cookies: no script reads them, and no other site's form sends them. */
export function cookieAttributes({ root, isHttps }: Links, lifetime: number) {
  return { path: root, httpOnly: true, sameSite: 'Lax', secure: isHttps, maxAge: lifetime } as const;
}

export async function readSession(context: Context, sealer: TokenSealer): Promise<Session | null> {
  const token = getCookie(context, cookieName);
  if (token === undefined) return null;
  const session = SealedSession.safeParse(await sealer.open(purpose, token));
  if (!session.success) return null;
  const { person } = session.data;
  return { person, formToken: await newFormToken(sealer, person) };
}

export async function beginSession(
  context: Context,
  { sealer, links }: { readonly sealer: TokenSealer; readonly links: Links },
  person: Person,
): Promise<void> {
  const session: SealedSession = { person };
  const token = await sealer.seal(purpose, session, lifetimeSeconds);
  setCookie(context, cookieName, token, cookieAttributes(links, lifetimeSeconds));
}

export function endSession(context: Context, { root }: Links): void {
  deleteCookie(context, cookieName, { path: root });
}
