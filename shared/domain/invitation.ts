import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { Uuid } from './identifiers.ts';
import { EmailAddress, Role } from './person.ts';
import { Timestamp } from './values.ts';

/** `failed`: the mail service refused the mail or took none for a day, so that no link works. */
export const InvitationState = z.enum(['sending', 'sent', 'failed']);

/** Somebody who may become a member by the link that is mailed to them; they have no access before. */
export const Invitation = z.object({
  project_id: Uuid,
  email: EmailAddress,
  role: Role,
  /** Email address of the owner who invited them. */
  invited_by: z.string(),
  state: InvitationState,
  /** SHA-256 of what the newest link carries, the only one that works; null until one is made. */
  token_hash: z.nullable(z.string()),
  /** When it was asked for the last time. */
  created_at: Timestamp,
  /** Of the link. */
  expires_at: Timestamp,
  /** When to send the mail; null for never. */
  due_at: z.nullable(Timestamp),
  /** Counts writes, so that nobody overwrites what they have not seen. */
  version: z.int(),
});
export type Invitation = z.infer<typeof Invitation>;

/** How long a link works. */
export const invitationDays = 7;
/** Invitations of a project that wait for an answer. */
export const mostInvitations = 100;

/** What is stored of the token in a link. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

export function isOpen({ expires_at, state }: Invitation, now: Date): boolean {
  return state !== 'failed' && Date.parse(expires_at) > now.getTime();
}
