import * as z from 'zod/mini';
import { Uuid } from './identifiers.ts';
import { EmailAddress, Role } from './person.ts';
import { Timestamp } from './values.ts';

/** `failed`: the email service refused the email or accepted none for a day, so that no link works. */
export const InvitationState = z.enum(['sending', 'sent', 'failed']);

/** A person who may become a member through an emailed link; they have no access before. */
export const Invitation = z.object({
  project_id: Uuid,
  email: EmailAddress,
  role: Role,
  /** Email address of the owner who invited them. */
  invited_by: z.string(),
  state: InvitationState,
  /** SHA-256 of the newest link's token, the only one that works; null before the first. */
  token_hash: z.nullable(z.string()),
  /** When it was last requested. */
  created_at: Timestamp,
  /** The link's expiry. */
  expires_at: Timestamp,
  /** When to send the email; null for never. */
  due_at: z.nullable(Timestamp),
  /** Counts writes, so that no one overwrites changes they have not seen. */
  version: z.int(),
});
export type Invitation = z.infer<typeof Invitation>;

/** How long a link works. */
export const invitationDays = 7;
/** Open invitations per project. */
export const mostInvitations = 100;

export function isOpen({ expires_at, state }: Invitation, now: Date): boolean {
  return state !== 'failed' && Date.parse(expires_at) > now.getTime();
}
