import type { Project } from '#shared/domain/project.ts';
import type { Table } from './client.ts';
import { putItem } from './create-item.ts';
import { dueIndexAttributes } from './indexes.ts';
import type { PrimaryKey } from './primary-key.ts';
import type { TransactionItem } from './transaction.ts';
import { itemDelete, itemPut } from './transaction-items.ts';

const prefix = 'RETENTION#';

function retentionKey(projectId: string): PrimaryKey {
  return { pk: `${prefix}${projectId}`, sk: 'RETENTION' };
}

export function retentionProjectOfKey({ pk }: { readonly pk: string }): string {
  return pk.slice(prefix.length);
}

export function hasRetention(project: Project): boolean {
  const { task_retention_days, patient_retention_days, audit_retention_days } = project;
  return [task_retention_days, patient_retention_days, audit_retention_days].some((days) => days !== null);
}

/** Written with a project that has a retention limit: when its next retention run is due. */
export function retentionItems(table: Table, project: Project, now: Date): TransactionItem[] {
  return hasRetention(project) ? [itemPut(table, retentionItem(project.id, now))] : [];
}

/** Schedules the next retention run of a project. */
export async function putRetention(table: Table, projectId: string, dueAt: Date): Promise<void> {
  await putItem(table, retentionItem(projectId, dueAt));
}

export function deleteRetentionItem(table: Table, projectId: string): TransactionItem {
  return itemDelete(table, retentionKey(projectId));
}

function retentionItem(projectId: string, dueAt: Date): Record<string, unknown> {
  return {
    ...retentionKey(projectId),
    type: 'retention',
    project_id: projectId,
    ...dueIndexAttributes(projectId, dueAt.toISOString()),
  };
}
