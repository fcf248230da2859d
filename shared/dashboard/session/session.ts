import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import * as z from 'zod/mini';
import { Person } from '#shared/domain/person.ts';
import type { Links } from '../links.ts';
import type { TokenSealer } from './sealed-token.ts';

/** Somebody who is signed in. The provider's tokens are not kept: they have said who it is, and nothing else is asked. */
export const Session = z.object({
  person: Person,
  /** Stands in every form, so that no other site can send one in this person's name. */
  formToken: z.string(),
});
export type Session = z.infer<typeof Session>;

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
  const session = Session.safeParse(await sealer.open(purpose, token));
  return session.success ? session.data : null;
}

export async function beginSession(
  context: Context,
  { sealer, links }: { readonly sealer: TokenSealer; readonly links: Links },
  person: Person,
): Promise<void> {
  const session: Session = { person, formToken: randomBytes(24).toString('base64url') };
  const token = await sealer.seal(purpose, session, lifetimeSeconds);
  setCookie(context, cookieName, token, cookieAttributes(links, lifetimeSeconds));
}

export function endSession(context: Context, { root }: Links): void {
  deleteCookie(context, cookieName, { path: root });
}

/** Whether a form carries the token of the session. */
export function isFormOf({ formToken }: Session, sent: unknown): boolean {
  if (typeof sent !== 'string') return false;
  const [expected, given] = [Buffer.from(formToken), Buffer.from(sent)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}
