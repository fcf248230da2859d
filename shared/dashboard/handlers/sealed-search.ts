import * as z from 'zod/mini';
import type { DashboardServices } from '../dashboard-services.ts';
import { type DashboardContext, viewOf } from './request-context.ts';

const purpose = 'search';
const lifetimeSeconds = 60 * 60;
/** Keeps the URL short enough for the gateway. */
const longestText = 500;
const SealedSearch = z.object({ subject: z.string(), text: z.string() });

/**
 * Carries a typed search to the page of its results, which Back and a reload open again. Sealed, because names must not
 * appear in a URL, and for the person who typed it.
 */
export function sealSearch(
  context: DashboardContext,
  services: DashboardServices,
  text: string,
): Promise<string> {
  const content: z.infer<typeof SealedSearch> = {
    subject: viewOf(context, services).session.person.subject,
    text: text.slice(0, longestText),
  };
  return services.sealer.seal(purpose, content, lifetimeSeconds);
}

/** The text in the URL's `q`; null without one that is this person's and still valid. */
export async function openSearch(
  context: DashboardContext,
  services: DashboardServices,
): Promise<string | null> {
  const token = context.req.query('q');
  if (token === undefined) return null;
  const search = SealedSearch.safeParse(await services.sealer.open(purpose, token));
  const { subject } = viewOf(context, services).session.person;
  return search.success && search.data.subject === subject ? search.data.text : null;
}
