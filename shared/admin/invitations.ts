import { tryToEnqueue } from '#shared/aws/message-queue.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import { type Invitation, invitationDays, isOpen, mostInvitations } from '#shared/domain/invitation.ts';
import type { AdminCaller, Member, Role } from '#shared/domain/person.ts';
import type { Project } from '#shared/domain/project.ts';
import { dayMs, timestampAfter } from '#shared/domain/time.ts';
import { hashOfToken } from '#shared/domain/token-hash.ts';
import type { Table } from '#shared/table/client.ts';
import {
  deleteInvitationItem,
  getInvitation,
  invitationKey,
  listInvitations,
  putInvitationItem,
} from '#shared/table/invitation.ts';
import { addMemberItem, checkMemberItem, getMember } from '#shared/table/member.ts';
import { getProject } from '#shared/table/project.ts';
import { isConflict } from '#shared/table/retry-on-conflict.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { type DeliveryQueue, enqueueDelivery } from '#shared/webhooks/delivery-queue.ts';
import { auditItem } from './audit.ts';
import type { ProjectAccess } from './authorize-project.ts';

/** A repeated request within this time sends no second email. */
const onceWithinMs = 60_000;

/**
 * Invites a person, or replaces their open invitation by a new link. Stores the invitation and sends the email in the
 * background. Throws a conflict for `retryOnConflict` when the invitation has changed meanwhile, and `conflict` when
 * too many are open.
 */
export async function invite(
  table: Table,
  queue: DeliveryQueue,
  access: ProjectAccess,
  { email, role }: { readonly email: string; readonly role: Role },
): Promise<Invitation> {
  const now = new Date();
  const { project, caller } = access;
  const previous = await getInvitation(table, project.id, email);
  const isSame = previous?.role === role && previous.invited_by === caller.person.email;
  if (isSame && wasJustAsked(previous, now)) return previous;
  if (previous === null && (await listInvitations(table, project.id)).length >= mostInvitations) {
    throw new ServiceError('conflict', 'Too many invitations are open: revoke some first');
  }
  const invitation: Invitation = {
    project_id: project.id,
    email,
    role,
    invited_by: caller.person.email,
    state: 'sending',
    token_hash: null,
    created_at: now.toISOString(),
    expires_at: timestampAfter(now, invitationDays * dayMs),
    due_at: now.toISOString(),
    version: (previous?.version ?? 0) + 1,
  };
  await writeTransaction(table, [
    putInvitationItem(table, previous, invitation),
    auditItem(
      table,
      access,
      { action: 'member.invited', target: { type: 'member', id: email }, after: { role } },
      now,
    ),
  ]);
  const sending = enqueueDelivery(queue, invitationKey(invitation));
  await tryToEnqueue(sending, 'invitation-not-enqueued', { project_id: project.id });
  return invitation;
}

function wasJustAsked({ created_at, state }: Invitation, now: Date): boolean {
  return state !== 'failed' && now.getTime() - Date.parse(created_at) < onceWithinMs;
}

/** Revokes an invitation; false if the person has none. Throws a conflict for `retryOnConflict`. */
export async function revokeInvitation(table: Table, access: ProjectAccess, email: string): Promise<boolean> {
  const invitation = await getInvitation(table, access.project.id, email);
  if (invitation === null) return false;
  await writeTransaction(table, [
    deleteInvitationItem(table, invitation),
    auditItem(table, access, {
      action: 'invitation.revoked',
      target: { type: 'member', id: email },
      before: { role: invitation.role },
    }),
  ]);
  return true;
}

/** The page behind the link in an email. */
export interface OpenInvitation {
  readonly invitation: Invitation;
  readonly project: Project;
  readonly inviter: Member;
}

/**
 * The invitation behind a link, if it is the caller's. Throws the same `not_found` for a link that was used, revoked,
 * has expired, belongs to another person, came from someone who is no longer an owner, or never existed, so that
 * nothing can be inferred from it.
 */
export async function readInvitation(
  table: Table,
  { person }: AdminCaller,
  projectId: string,
  token: string,
  now: Date = new Date(),
): Promise<OpenInvitation> {
  const id = Uuid.safeParse(projectId);
  const invitation = id.success ? await getInvitation(table, id.data, person.email) : null;
  // The token has 256 random bits, so it cannot be guessed.
  if (invitation === null || invitation.token_hash !== hashOfToken(token) || !isOpen(invitation, now)) {
    throw notInvited();
  }
  const [project, inviter] = await Promise.all([
    getProject(table, invitation.project_id, { consistently: true }),
    getMember(table, invitation.project_id, invitation.invited_by),
  ]);
  if (project === null || inviter?.role !== 'owner') throw notInvited();
  return { invitation, project, inviter };
}

/** Makes the caller a member and uses up the link. Throws `not_found` as above. */
export async function acceptInvitation(
  table: Table,
  caller: AdminCaller,
  projectId: string,
  token: string,
  now: Date = new Date(),
): Promise<Project> {
  const { invitation, project, inviter } = await readInvitation(table, caller, projectId, token, now);
  const { email, role } = invitation;
  // Meanwhile an operator's command may have made them an owner.
  const member = await getMember(table, project.id, email);
  const at = now.toISOString();
  const joins = [
    addMemberItem(table, { project_id: project.id, email, role, created_at: at, updated_at: at }),
    auditItem(
      table,
      { caller, project },
      { action: 'member.joined', target: { type: 'member', id: email }, after: { role } },
      now,
    ),
  ];
  try {
    await writeTransaction(table, [
      deleteInvitationItem(table, invitation),
      checkMemberItem(table, inviter),
      ...(member === null ? joins : []),
    ]);
  } catch (error) {
    // It was just revoked, replaced or used, or the inviter has left.
    throw isConflict(error) ? notInvited() : error;
  }
  return project;
}

function notInvited(): ServiceError {
  return new ServiceError('not_found', 'Invitation not found');
}
