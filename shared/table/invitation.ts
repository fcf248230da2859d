import { Invitation } from '#shared/domain/invitation.ts';
import { addressHash } from './address-hash.ts';
import type { Table } from './client.ts';
import { getItem } from './get-item.ts';
import { dueIndexAttributes } from './indexes.ts';
import type { PrimaryKey } from './primary-key.ts';
import { queryPrefix } from './query-pages.ts';
import { expiresIn } from './time-to-live.ts';
import type { TransactionItem } from './transaction.ts';
import { isVersion, itemDelete, itemPut } from './transaction-items.ts';

const prefix = 'INVITATION#';
/** Keeps expired invitations visible to owners. */
const keptAfterExpirySeconds = 30 * 24 * 60 * 60;

export function invitationKey({ project_id, email }: Pick<Invitation, 'project_id' | 'email'>): PrimaryKey {
  return { pk: `PROJECT#${project_id}`, sk: `${prefix}${addressHash(email)}` };
}

export function isInvitationKey({ sk }: Pick<PrimaryKey, 'sk'>): boolean {
  return sk.startsWith(prefix);
}

/** Requires that the invitation is unchanged since it was read; null for none. */
export function putInvitationItem(
  table: Table,
  previous: Invitation | null,
  next: Invitation,
): TransactionItem {
  return itemPut(table, invitationItem(next), isVersion(previous));
}

/** Requires that the invitation is unchanged since it was read. */
export function deleteInvitationItem(table: Table, invitation: Invitation): TransactionItem {
  return itemDelete(table, invitationKey(invitation), isVersion(invitation));
}

/** Strongly consistent, so that a used or revoked link stops working at once. */
export function getInvitation(table: Table, projectId: string, email: string): Promise<Invitation | null> {
  return getInvitationByKey(table, invitationKey({ project_id: projectId, email }));
}

export async function getInvitationByKey(table: Table, key: PrimaryKey): Promise<Invitation | null> {
  return getItem(table, key, toInvitation);
}

/** All invitations of a project, in any order. */
export async function listInvitations(table: Table, projectId: string): Promise<Invitation[]> {
  const items = await queryPrefix(table, `PROJECT#${projectId}`, prefix);
  return items.map(toInvitation);
}

function toInvitation(item: object): Invitation {
  return Invitation.parse({ due_at: null, ...item });
}

function invitationItem(invitation: Invitation): Record<string, unknown> {
  return {
    ...invitationKey(invitation),
    type: 'invitation',
    ...invitation,
    // Index keys are strings or absent, never null.
    due_at: undefined,
    ...dueIndexAttributes(invitation.project_id, invitation.due_at),
    ...expiresIn(keptAfterExpirySeconds, Date.parse(invitation.expires_at)),
  };
}
