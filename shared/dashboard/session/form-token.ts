import * as z from 'zod/mini';
import type { Person } from '#shared/domain/person.ts';
import type { TokenSealer } from './sealed-token.ts';

const FormToken = z.object({ subject: z.string() });

const purpose = 'form';
/** No longer than a form's result is remembered, so that no form creates something twice. */
const lifetimeSeconds = 24 * 60 * 60;

/**
 * The token in every form, so that no other site can send one in a person's name. It is bound to the person, not to a
 * session, so that a form survives signing in again.
 */
export function newFormToken(sealer: TokenSealer, { subject }: Person): Promise<string> {
  return sealer.seal(purpose, { subject } satisfies z.infer<typeof FormToken>, lifetimeSeconds);
}

/** The `subject` of the person whom our page issued the form to; null for any other form. */
export async function readFormToken(sealer: TokenSealer, sent: unknown): Promise<string | null> {
  if (typeof sent !== 'string') return null;
  const token = FormToken.safeParse(await sealer.open(purpose, sent));
  return token.success ? token.data.subject : null;
}
