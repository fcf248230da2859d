import { PatientExport } from '#shared/domain/patient-export.ts';
import type { Table } from './client.ts';
import { getItem } from './get-item.ts';
import { dueIndexAttributes } from './indexes.ts';
import type { TransactionItem } from './transaction.ts';

const prefix = 'EXPORT#';

function exportKey(patientId: string): { pk: string; sk: string } {
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
  return {
    Put: {
      TableName: table.name,
      Item: exportItem(made),
      ConditionExpression: 'attribute_not_exists(pk) OR (#status <> :pending AND due_at > :now)',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':pending': 'PENDING', ':now': now.toISOString() },
    },
  };
}

/** Holds while the export's state and run are unchanged since it was read. */
export function replacePatientExportItem(
  table: Table,
  previous: PatientExport,
  next: PatientExport,
): TransactionItem {
  return { Put: { TableName: table.name, Item: exportItem(next), ...asRead(previous) } };
}

/** Holds under the same condition. */
export function deletePatientExportItem(table: Table, previous: PatientExport): TransactionItem {
  return { Delete: { TableName: table.name, Key: exportKey(previous.patient_id), ...asRead(previous) } };
}

function asRead({ id, status, runs }: PatientExport) {
  return {
    ConditionExpression: 'id = :id AND #status = :status AND runs = :runs',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':id': id, ':status': status, ':runs': runs },
  };
}

/** Holds when the patient has no export, so that no export contains data deleted in the same transaction. */
export function checkNoPatientExport(table: Table, patientId: string): TransactionItem {
  return {
    ConditionCheck: {
      TableName: table.name,
      Key: exportKey(patientId),
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

/** Strongly consistent, so that a caller finds what they just requested. */
export async function getPatientExport(table: Table, patientId: string): Promise<PatientExport | null> {
  return getItem(table, exportKey(patientId), PatientExport.parse);
}
