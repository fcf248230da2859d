import { PatientExport } from '#shared/domain/patient-export.ts';
import type { Table } from './client.ts';
import { getItem } from './get-item.ts';
import { dueIndexAttributes } from './indexes.ts';
import type { PrimaryKey } from './primary-key.ts';
import type { TransactionItem } from './transaction.ts';
import { type Condition, isNew, itemCheck, itemDelete, itemPut, when } from './transaction-items.ts';

const prefix = 'EXPORT#';

function exportKey(patientId: string): PrimaryKey {
  return { pk: `${prefix}${patientId}`, sk: 'EXPORT' };
}

export function exportPatientOfKey({ pk }: { readonly pk: string }): string {
  return pk.slice(prefix.length);
}

function exportItem(made: PatientExport): Record<string, unknown> {
  return {
    ...exportKey(made.patient_id),
    type: 'patient-export',
    ...made,
    ...dueIndexAttributes(made.patient_id, made.due_at),
  };
}

/** Holds when the patient has no export, or a finished one that is not being deleted. */
export function createPatientExportItem(table: Table, made: PatientExport, now: Date): TransactionItem {
  return itemPut(
    table,
    exportItem(made),
    when('attribute_not_exists(pk) OR (#status <> :pending AND due_at > :now)', {
      pending: 'PENDING',
      now: now.toISOString(),
    }),
  );
}

/** Holds while the export's state and run are unchanged since it was read. */
export function replacePatientExportItem(
  table: Table,
  previous: PatientExport,
  next: PatientExport,
): TransactionItem {
  return itemPut(table, exportItem(next), isUnchanged(previous));
}

/** Holds under the same condition. */
export function deletePatientExportItem(table: Table, previous: PatientExport): TransactionItem {
  return itemDelete(table, exportKey(previous.patient_id), isUnchanged(previous));
}

function isUnchanged({ id, status, runs }: PatientExport): Condition {
  return when('id = :id AND #status = :status AND runs = :runs', { id, status, runs });
}

/** Holds when the patient has no export, so that no export contains data deleted in the same transaction. */
export function checkNoPatientExport(table: Table, patientId: string): TransactionItem {
  return itemCheck(table, exportKey(patientId), isNew);
}

/** Strongly consistent, so that a caller finds what they just requested. */
export async function getPatientExport(table: Table, patientId: string): Promise<PatientExport | null> {
  return getItem(table, exportKey(patientId), PatientExport.parse);
}
