import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { AuditEntry } from '#shared/domain/audit-entry.ts';
import type { Table } from './client.ts';
import { createItem, putItem } from './create-item.ts';
import type { Page, PageRequest } from './newest-first.ts';
import type { PrimaryKey } from './primary-key.ts';
import type { TransactionItem } from './transaction.ts';
import { itemPut } from './transaction-items.ts';

/** Entries live as long as the table or until they expire; nothing deletes or changes them. */
function auditKey({ project_id, id }: Pick<AuditEntry, 'project_id' | 'id'>): PrimaryKey {
  return { pk: auditPartition(project_id), sk: `AUDIT#${id}` };
}

export function auditPartition(projectId: string): string {
  return `AUDIT#${projectId}`;
}

/** The entry as part of the change's transaction, so that neither exists without the other. */
export function auditEntryItem(table: Table, entry: AuditEntry): TransactionItem {
  return itemPut(table, auditItem(entry));
}

/** An entry for an access that changes nothing. */
export async function writeAuditEntry(table: Table, entry: AuditEntry): Promise<void> {
  await createItem(table, auditItem(entry));
}

/** Copies of the entries about one patient share a partition, so that who saw the patient is one query. */
function patientAccessPartition(projectId: string, patientId: string): string {
  return `SEEN#${projectId}#${patientId}`;
}

/** Files an entry's copy under the patient. Idempotent. */
export async function putPatientAccess(table: Table, entry: AuditEntry, patientId: string): Promise<void> {
  await putItem(table, patientAccessItem(entry, patientId));
}

export function patientAccessItem(entry: AuditEntry, patientId: string): Record<string, unknown> {
  const copy = { ...entry, patient_ids: [patientId], after: null };
  return {
    pk: patientAccessPartition(entry.project_id, patientId),
    sk: `AUDIT#${entry.id}`,
    type: 'patient-access',
    ...copy,
  };
}

/** Entries of a project, newest first. */
export function listAuditEntries(
  table: Table,
  projectId: string,
  page: PageRequest,
): Promise<Page<AuditEntry>> {
  return listEntries(table, auditPartition(projectId), page);
}

/** Entries about a patient, newest first. Lags a moment behind the audit log. */
export function listPatientAccess(
  table: Table,
  projectId: string,
  patientId: string,
  page: PageRequest,
): Promise<Page<AuditEntry>> {
  return listEntries(table, patientAccessPartition(projectId, patientId), page);
}

async function listEntries(
  table: Table,
  partition: string,
  { limit, before }: PageRequest,
): Promise<Page<AuditEntry>> {
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND sk < :before',
      // Sorts after every ID, which is hexadecimal.
      ExpressionAttributeValues: { ':pk': partition, ':before': `AUDIT#${before ?? 'g'}` },
      ScanIndexForward: false,
      Limit: limit,
      ConsistentRead: true,
    }),
  );
  const items = Items.map((item) => AuditEntry.parse(item));
  return { items, next: LastEvaluatedKey === undefined ? null : (items.at(-1)?.id ?? null) };
}

function auditItem(entry: AuditEntry): Record<string, unknown> {
  return { ...auditKey(entry), type: 'audit-entry', ...entry };
}
