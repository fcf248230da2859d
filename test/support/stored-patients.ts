import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '#shared/table/client.ts';
import { patientKey } from '#shared/table/patient.ts';

/** As an erasure leaves the table. */
export async function deletePatientForTest(table: Table, patientId: string): Promise<void> {
  await table.client.send(new DeleteCommand({ TableName: table.name, Key: patientKey(patientId) }));
}
