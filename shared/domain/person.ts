import * as z from 'zod/mini';
import { Uuid } from './identifiers.ts';
import { Timestamp } from './values.ts';

/** The email address that identifies a person: in lower case, because identity providers disagree on case. */
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

/** False for addresses whose lower case is another person's, as the Kelvin sign becomes a k. */
function staysItself(text: string): boolean {
  return !/[\u212a\u0130]/.test(text);
}

/** A signed-in person; the identity provider has verified the email address. */
export const Person = z.object({
  /** The provider's own ID of the person, which survives a change of address. */
  subject: z.string(),
  email: EmailAddress,
  name: z.nullable(z.string()),
});
export type Person = z.infer<typeof Person>;

/** `permissions.ts` says what each may do in a project. */
export const Role = z.enum(['owner', 'manager', 'staff', 'viewer', 'auditor']);
export type Role = z.infer<typeof Role>;

/** A person's role in one project. Keyed by email address, so that people can be added before they first sign in. */
export const Member = z.object({
  project_id: Uuid,
  email: EmailAddress,
  role: Role,
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Member = z.infer<typeof Member>;

/** The caller of the management API, and the request. */
export interface AdminCaller {
  readonly person: Person;
  readonly requestId: string;
  /** The IP address that the request came from, if known. */
  readonly sourceIp?: string | null;
  /** Their reason, if given. */
  readonly reason?: string | null;
  /** Their dashboard session; absent with a token. */
  readonly sessionId?: string;
}
