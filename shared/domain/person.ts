import * as z from 'zod/mini';
import { Uuid } from './identifiers.ts';
import { Timestamp } from './values.ts';

/**
 * An email address as people are known by: in lower case, because identity providers do not agree on the
 * letter case.
 */
export const EmailAddress = z.pipe(
  z
    .string()
    .check(
      z.maxLength(254),
      z.regex(/^[^\s@/#]+@[^\s@/#]+\.[^\s@/#]+$/, 'must be an email address'),
      z.refine(staysItself, 'must be an email address'),
    ),
  z.transform((text: string) => text.toLowerCase()),
);

/** False for what becomes another person's address in lower case, as the Kelvin sign becomes a k. */
function staysItself(text: string): boolean {
  return !/[\u212a\u0130]/.test(text);
}

/** A signed-in person; the identity provider has verified the email address. */
export const Person = z.object({
  /** The provider's own identifier of the person, which outlives a change of address. */
  subject: z.string(),
  email: EmailAddress,
  name: z.nullable(z.string()),
});
export type Person = z.infer<typeof Person>;

/** `permissions.ts` says what each may do in a project. */
export const Role = z.enum(['owner', 'manager', 'staff', 'viewer', 'auditor']);
export type Role = z.infer<typeof Role>;

/**
 * What a person may do in one project. Known by the email address, so that people can be added before they
 * first sign in.
 */
export const Member = z.object({
  project_id: Uuid,
  email: EmailAddress,
  role: Role,
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Member = z.infer<typeof Member>;

/** Who asks something of the management API, and by which request. */
export interface AdminCaller {
  readonly person: Person;
  readonly requestId: string;
  /** The IP address that the request came from, where that is known. */
  readonly sourceIp?: string | null;
  /** Why they ask, if they said so. */
  readonly reason?: string | null;
  /** Of their session at the dashboard; absent when they came with a token. */
  readonly sessionId?: string;
}
