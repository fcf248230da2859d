import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type * as z from 'zod/mini';
import type { DashboardServices } from '../dashboard-services.ts';
import { cookieAttributes } from '../session/session.ts';
import type { DashboardContext } from './request-context.ts';

const shownWithinSeconds = 60;

/** Carries a secret, which must not appear in a URL, to the one page that shows it. */
export interface ShownOnce<Content> {
  /** For the page that the response redirects to: reloading that page does nothing again. */
  carry(context: DashboardContext, content: Content): Promise<void>;
  /** The content carried to this page; null on every later one. */
  take(context: DashboardContext): Promise<Content | null>;
}

/** @param name of the cookie, without prefix */
export function shownOnce<Content extends object>(
  { links, sealer }: Pick<DashboardServices, 'links' | 'sealer'>,
  name: string,
  schema: z.ZodMiniType<Content>,
): ShownOnce<Content> {
  const [cookieName, path] = [`vat_${name}`, links.root];
  return {
    async carry(context, content) {
      const token = await sealer.seal(name, content, shownWithinSeconds);
      setCookie(context, cookieName, token, { ...cookieAttributes(links, shownWithinSeconds), path });
    },
    async take(context) {
      const token = getCookie(context, cookieName);
      if (token === undefined) return null;
      deleteCookie(context, cookieName, { path });
      return schema.safeParse(await sealer.open(name, token)).data ?? null;
    },
  };
}
