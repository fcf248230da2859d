import * as z from 'zod/mini';
import type { AuditAction } from '#shared/audit/access-entry.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { Invitation } from '#shared/domain/invitation.ts';
import { type AdminCaller, Member, Role } from '#shared/domain/person.ts';
import { logError } from '#shared/observability/log.ts';
import { deleteAlertItem } from '#shared/table/alert.ts';
import type { Table } from '#shared/table/client.ts';
import { listInvitations } from '#shared/table/invitation.ts';
import {
  addMemberItem,
  checkMemberItem,
  getMember,
  listMembers,
  listMemberships,
  removeMemberItem,
  replaceMemberItem,
} from '#shared/table/member.ts';
import { getProject } from '#shared/table/project.ts';
import { isConflict, retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { deleteSessionsOf } from '#shared/table/session.ts';
import { type TransactionItem, writeTransaction } from '#shared/table/transaction.ts';
import type { DeliveryQueue } from '#shared/webhooks/delivery-queue.ts';
import { auditItem, commandAuditItem } from './audit.ts';
import { authorizeProject, type ProjectAccess } from './authorize-project.ts';
import { invite, revokeInvitation } from './invitations.ts';

/** A member, or an invited person who has not joined yet. */
export const MemberResource = z.extend(z.omit(Member, { project_id: true }), {
  invitation: z.nullable(z.pick(Invitation, { state: true, expires_at: true })),
});
export type MemberResource = z.infer<typeof MemberResource>;

export const MemberList = z.object({ members: z.array(MemberResource) });
export type MemberList = z.infer<typeof MemberList>;

/** The body of a PUT. */
export const NewMember = z.object({ role: Role });

/** The project's members and open invitations, by email address. */
export async function readMembers(table: Table, caller: AdminCaller, projectId: string): Promise<MemberList> {
  const { project } = await authorizeProject(table, caller, projectId, 'members.read');
  const [members, invitations] = await Promise.all([
    listMembers(table, project.id),
    listInvitations(table, project.id),
  ]);
  const roles = new Map(members.map(({ email, role }) => [email, role]));
  const invited = invitations
    .filter(({ email }) => !roles.has(email))
    .map((one) =>
      toInvitedResource(roles.get(one.invited_by) === 'owner' ? one : { ...one, state: 'failed' }),
    );
  const all = [...members.map(toResource), ...invited];
  return { members: all.toSorted((a, b) => (a.email < b.email ? -1 : 1)) };
}

/** How people become members: immediately, or, where the service sends email, by a link. */
export interface MemberServices {
  readonly table: Table;
  /** Receives email to send. */
  readonly queue: DeliveryQueue;
  readonly sendsMail: boolean;
}

/**
 * Changes a member's role, or invites a person: a new link replaces an open invitation. Without email they become a
 * member immediately. Throws `conflict` as `setMember`, and when too many invitations are open.
 */
export function addMember(
  { table, queue, sendsMail }: MemberServices,
  caller: AdminCaller,
  projectId: string,
  member: { email: string; role: Role },
): Promise<MemberResource> {
  if (!sendsMail) return setMember(table, caller, projectId, member);
  return retryOnMemberChange(async () => {
    const access = await authorizeProject(table, caller, projectId, 'members.change');
    const isMember = (await getMember(table, access.project.id, member.email)) !== null;
    return isMember
      ? setMember(table, caller, projectId, member)
      : toInvitedResource(await invite(table, queue, access, member));
  });
}

/**
 * Sets a person's role in the project, whether or not they are a member; they need not have signed in yet. Throws
 * `conflict` when the project would lose its last owner.
 */
export function setMember(
  table: Table,
  caller: AdminCaller,
  projectId: string,
  { email, role }: { email: string; role: Role },
): Promise<MemberResource> {
  return retryOnMemberChange(async () => {
    const access = await authorizeProject(table, caller, projectId, 'members.change');
    const previous = await getMember(table, access.project.id, email);
    if (previous?.role === role) return toResource(previous);
    const at = new Date();
    const next = memberAfter(previous, { project_id: access.project.id, email, role }, at);
    await writeTransaction(table, [
      memberItem(table, previous, next),
      await remainingOwner(table, access, email),
      auditItem(table, access, roleAction(previous, next), at),
    ]);
    return toResource(next);
  });
}

/** Makes a person an owner at the operator's command, whatever their role so far. Idempotent. Throws `not_found`. */
export function addOwner(table: Table, projectId: string, email: string): Promise<MemberResource> {
  return retryOnMemberChange(async () => {
    const project = await getProject(table, projectId, { consistently: true });
    if (project === null) throw new ServiceError('not_found', 'Project not found');
    const previous = await getMember(table, project.id, email);
    if (previous?.role === 'owner') return toResource(previous);
    const at = new Date();
    const next = memberAfter(previous, { project_id: project.id, email, role: 'owner' }, at);
    await writeTransaction(table, [
      memberItem(table, previous, next),
      commandAuditItem(table, project.id, roleAction(previous, next), at),
    ]);
    return toResource(next);
  });
}

/**
 * Removes a person from the project, and signs them out of the dashboard if it was their last; revokes the invitation
 * of someone who has not joined. Throws `not_found` for a person who is neither and `conflict` for the last owner.
 */
export async function removeMember(
  table: Table,
  caller: AdminCaller,
  projectId: string,
  email: string,
): Promise<void> {
  await retryOnMemberChange(async () => {
    const access = await authorizeProject(table, caller, projectId, 'members.change');
    const member = await getMember(table, access.project.id, email);
    if (member === null) {
      if (await revokeInvitation(table, access, email)) return;
      throw new ServiceError('not_found', 'Member not found');
    }
    await writeTransaction(table, [
      removeMemberItem(table, member),
      deleteAlertItem(table, member),
      await remainingOwner(table, access, email),
      auditItem(table, access, {
        action: 'member.removed',
        target: { type: 'member', id: email },
        before: { role: member.role },
      }),
    ]);
  });
  if (email !== caller.person.email) await endSessionsWithoutProject(table, email, projectId);
}

/**
 * A person with another project stays signed in: owners decide only for their own project, and each request checks
 * membership. The removal has already taken effect, so a failure here must not fail it.
 */
async function endSessionsWithoutProject(table: Table, email: string, leftId: string): Promise<void> {
  try {
    // Memberships are read with eventual consistency, so the one just removed may still be listed.
    const others = (await listMemberships(table, email)).filter(({ project_id }) => project_id !== leftId);
    if (others.length === 0) await deleteSessionsOf(table, email);
  } catch (error) {
    logError('sessions-not-ended', error);
  }
}

function memberAfter(
  previous: Member | null,
  { project_id, email, role }: Pick<Member, 'project_id' | 'email' | 'role'>,
  at: Date,
): Member {
  const updated_at = at.toISOString();
  return { project_id, email, role, created_at: previous?.created_at ?? updated_at, updated_at };
}

function memberItem(table: Table, previous: Member | null, next: Member): TransactionItem {
  return previous === null ? addMemberItem(table, next) : replaceMemberItem(table, previous, next);
}

function roleAction(previous: Member | null, { email, role }: Member): AuditAction {
  return {
    action: previous === null ? 'member.added' : 'member.changed',
    target: { type: 'member', id: email },
    before: previous === null ? null : { role: previous.role },
    after: { role },
  };
}

/**
 * Requires that the project has another owner than the person being changed: the person making the change or, when
 * they change themselves, another owner. If two owners remove each other at once, one fails.
 */
async function remainingOwner(
  table: Table,
  { caller, project }: ProjectAccess,
  changedEmail: string,
): Promise<TransactionItem> {
  const others = (await listMembers(table, project.id)).filter(
    ({ email, role }) => role === 'owner' && email !== changedEmail,
  );
  const owner = others.find(({ email }) => email === caller.person.email) ?? others[0];
  if (owner === undefined) {
    throw new ServiceError('conflict', 'The project must keep an owner: make someone else an owner first');
  }
  return checkMemberItem(table, owner);
}

/** Retries with fresh data when a membership has changed since it was read. */
async function retryOnMemberChange<Result>(change: () => Promise<Result>): Promise<Result> {
  try {
    return await retryOnConflict(change, { tries: 8 });
  } catch (error) {
    throw isConflict(error)
      ? new ServiceError('conflict', 'The members are being changed: try again')
      : error;
  }
}

function toResource({ email, role, created_at, updated_at }: Member): MemberResource {
  return { email, role, created_at, updated_at, invitation: null };
}

function toInvitedResource({ email, role, created_at, state, expires_at }: Invitation): MemberResource {
  return { email, role, created_at, updated_at: created_at, invitation: { state, expires_at } };
}
