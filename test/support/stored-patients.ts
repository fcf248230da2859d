import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { Patient } from '#shared/domain/patient.ts';
import type { Table } from '#shared/table/client.ts';
import { patientKey, putPatientItem } from '#shared/table/patient.ts';
import { writeTransaction } from '#shared/table/transaction.ts';

/** As an erasure leaves the table. */
export async function deletePatientForTest(table: Table, patientId: string): Promise<void> {
  await table.client.send(new DeleteCommand({ TableName: table.name, Key: patientKey(patientId) }));
}

/** Stores a patient, replacing an earlier one. */
export function storePatient(table: Table, patient: Patient): Promise<void> {
  return writeTransaction(table, [putPatientItem(table, patient)]);
}
