import * as z from 'zod/mini';
import type { Person } from '#shared/domain/person.ts';
import type { TokenSealer } from './sealed-token.ts';

const FormToken = z.object({ subject: z.string() });

const purpose = 'form';
/** No longer than what a form has made is remembered, so that no form makes something a second time. */
const lifetimeSeconds = 24 * 60 * 60;

/**
 * The token in every form, so that no other site can send one in a person's name: it
 * says for whom the form was made. It holds for the person and not for one session of theirs, so that a form
 * that was opened before they had to sign in again is not lost.
 */
export function newFormToken(sealer: TokenSealer, { subject }: Person): Promise<string> {
  return sealer.seal(purpose, { subject } satisfies z.infer<typeof FormToken>, lifetimeSeconds);
}

/** The `subject` of the person for whom a page of ours has made the form; null for what no such form carries. */
export async function readFormToken(sealer: TokenSealer, sent: unknown): Promise<string | null> {
  if (typeof sent !== 'string') return null;
  const token = FormToken.safeParse(await sealer.open(purpose, sent));
  return token.success ? token.data.subject : null;
}
