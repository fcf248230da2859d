import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { Patient } from '#shared/domain/patient.ts';
import type { Table } from './client.ts';
import { indexNames, projectIndexAttributes, projectPartitions } from './indexes.ts';
import { type Page, type PageRequest, readNewestFirst } from './newest-first.ts';
import type { TransactionItem } from './transaction.ts';

export function patientKey(patientId: string): { pk: string; sk: string } {
  return { pk: `PATIENT#${patientId}`, sk: 'PATIENT' };
}

function patientItem(patient: Patient): Record<string, unknown> {
  return {
    ...patientKey(patient.id),
    type: 'patient',
    ...projectIndexAttributes(patient.project_id, 'PATIENT', patient.id),
    ...patient,
  };
}

/**
 * Without a condition that the item is new: identifiers are random, and when the answer to a write is lost, the SDK's
 * second try must find that writing the same again is no mistake.
 */
export async function putPatient(table: Table, patient: Patient): Promise<void> {
  await table.client.send(new PutCommand({ TableName: table.name, Item: patientItem(patient) }));
}

/** The same write as part of a transaction, which costs twice as much. */
export function putPatientItem(table: Table, patient: Patient): TransactionItem {
  return { Put: { TableName: table.name, Item: patientItem(patient) } };
}

/**
 * Strongly consistent: a client who was just given the identifier must find the patient, and a first call,
 * which follows at once, goes by the clock of the patient's address.
 */
export async function getPatient(table: Table, patientId: string): Promise<Patient | null> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: patientKey(patientId), ConsistentRead: true }),
  );
  return Item === undefined ? null : Patient.parse(Item);
}

/** Patients of a project, newest first. Eventually consistent. */
export function listProjectPatients(
  table: Table,
  projectId: string,
  page: PageRequest,
): Promise<Page<Patient>> {
  const source = {
    index: indexNames.project,
    partitionKey: 'project_pk',
    sortKey: 'project_sk',
    partitions: projectPartitions(projectId, 'PATIENT'),
  };
  return readNewestFirst(table, source, page, (item) => Patient.parse(item));
}

/** Holds when the patient exists and belongs to the project. */
export function checkPatientInProject(table: Table, patientId: string, projectId: string): TransactionItem {
  return {
    ConditionCheck: {
      TableName: table.name,
      Key: patientKey(patientId),
      ConditionExpression: 'project_id = :project_id',
      ExpressionAttributeValues: { ':project_id': projectId },
    },
  };
}
