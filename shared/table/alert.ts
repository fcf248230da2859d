import { Alert } from '#shared/domain/alert.ts';
import { addressHash } from './address-hash.ts';
import type { Table } from './client.ts';
import { getItem } from './get-item.ts';
import { dueIndexAttributes } from './indexes.ts';
import type { PrimaryKey } from './primary-key.ts';
import { queryPrefix } from './query-pages.ts';
import type { TransactionItem } from './transaction.ts';
import { isVersion, itemDelete, itemPut } from './transaction-items.ts';

const prefix = 'ALERT#';

export function alertKey({ project_id, email }: Pick<Alert, 'project_id' | 'email'>): PrimaryKey {
  return { pk: `PROJECT#${project_id}`, sk: `${prefix}${addressHash(email)}` };
}

export function isAlertKey({ sk }: Pick<PrimaryKey, 'sk'>): boolean {
  return sk.startsWith(prefix);
}

/** Requires that the alert is unchanged since it was read; null for none. */
export function putAlertItem(table: Table, previous: Alert | null, next: Alert): TransactionItem {
  // Index keys are strings or absent, never null.
  const due = { due_at: undefined, ...dueIndexAttributes(next.project_id, next.due_at) };
  return itemPut(table, { ...alertKey(next), type: 'alert', ...next, ...due }, isVersion(previous));
}

/** Deletes a member's alert, if any. */
export function deleteAlertItem(table: Table, member: Pick<Alert, 'project_id' | 'email'>): TransactionItem {
  return itemDelete(table, alertKey(member));
}

/** Strongly consistent, so that disabling alerts takes effect at once. */
export async function getAlert(table: Table, { pk, sk }: PrimaryKey): Promise<Alert | null> {
  return getItem(table, { pk, sk }, toAlert);
}

/** The alerts of all members of a project, in any order. */
export async function listAlerts(table: Table, projectId: string): Promise<Alert[]> {
  const items = await queryPrefix(table, `PROJECT#${projectId}`, prefix);
  return items.map(toAlert);
}

function toAlert(item: object): Alert {
  return Alert.parse({ due_at: null, ...item });
}
