import { ServiceError } from '#shared/domain/errors.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import {
  hashOfToken,
  type Invitation,
  invitationDays,
  isOpen,
  mostInvitations,
} from '#shared/domain/invitation.ts';
import type { AdminCaller, Member, Role } from '#shared/domain/person.ts';
import type { Project } from '#shared/domain/project.ts';
import { logError } from '#shared/observability/log.ts';
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

/** Somebody who asks twice within it gets one mail. */
const onceWithinMs = 60_000;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Invites a person, or sends them another link, which ends the one before. It is stored and then mailed in the
 * background. Throws a conflict for `retryOnConflict` when the invitation has changed meanwhile, and `conflict`
 * when too many are open.
 */
export async function invite(
  table: Table,
  queue: DeliveryQueue,
  access: ProjectAccess,
  { email, role }: { readonly email: string; readonly role: Role },
  now: Date = new Date(),
): Promise<Invitation> {
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
    expires_at: new Date(now.getTime() + invitationDays * dayMs).toISOString(),
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
  await tryToEnqueue(queue, invitation);
  return invitation;
}

function wasJustAsked({ created_at, state }: Invitation, now: Date): boolean {
  return state !== 'failed' && now.getTime() - Date.parse(created_at) < onceWithinMs;
}

/** A failure is only logged, because the sweeper finds what is due. */
async function tryToEnqueue(queue: DeliveryQueue, invitation: Invitation): Promise<void> {
  try {
    await enqueueDelivery(queue, invitationKey(invitation));
  } catch (error) {
    logError('invitation-not-enqueued', error, { project_id: invitation.project_id });
  }
}

/** Ends an invitation; false when the person has none. Throws a conflict for `retryOnConflict`. */
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

/** What the link in a mail leads to. */
export interface OpenInvitation {
  readonly invitation: Invitation;
  readonly project: Project;
  readonly inviter: Member;
}

/**
 * The invitation that a link stands for, if it is the caller's. Throws the same `not_found` for one that was used,
 * was revoked, has expired, was given by somebody who is no owner any more, is another person's or never was, so
 * that nothing can be learned from it.
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
  // The token has 256 random bits, so there is nothing to guess.
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

/** Makes the caller a member by the link, which then is of no use any more. Throws `not_found` as above. */
export async function acceptInvitation(
  table: Table,
  caller: AdminCaller,
  projectId: string,
  token: string,
  now: Date = new Date(),
): Promise<Project> {
  const { invitation, project, inviter } = await readInvitation(table, caller, projectId, token, now);
  const { email, role } = invitation;
  // A command of the operator may have let them in meanwhile, as an owner.
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
    // It was revoked, replaced or used at the same moment, or the inviter has left.
    throw isConflict(error) ? notInvited() : error;
  }
  return project;
}

function notInvited(): ServiceError {
  return new ServiceError('not_found', 'Invitation not found');
}
