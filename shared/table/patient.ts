import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { Patient } from '#shared/domain/patient.ts';
import { Timestamp } from '#shared/domain/values.ts';
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

/** Holds when the patient exists and belongs to the project. */
export function deletePatientItem(table: Table, patientId: string, projectId: string): TransactionItem {
  return {
    Delete: {
      TableName: table.name,
      Key: patientKey(patientId),
      ConditionExpression: 'project_id = :project_id',
      ExpressionAttributeValues: { ':project_id': projectId },
    },
  };
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

/** Holds when the patient exists and belongs to the project; from then on a task was last created for them at `at`. */
export function usePatientItem(
  table: Table,
  patientId: string,
  projectId: string,
  at: Date,
): TransactionItem {
  return {
    Update: {
      TableName: table.name,
      Key: patientKey(patientId),
      UpdateExpression: 'SET last_task_at = :at',
      ConditionExpression: 'project_id = :project_id',
      ExpressionAttributeValues: { ':project_id': projectId, ':at': at.toISOString() },
    },
  };
}

const PatientUse = z.object({ created_at: Timestamp, last_task_at: z.optional(Timestamp) });
/** When a patient was registered, and when a task was last created for them, if that was noted. */
export type PatientUse = z.infer<typeof PatientUse>;

export async function getPatientUse(table: Table, patientId: string): Promise<PatientUse | null> {
  const { Item } = await table.client.send(
    new GetCommand({
      TableName: table.name,
      Key: patientKey(patientId),
      ProjectionExpression: 'created_at, last_task_at',
      ConsistentRead: true,
    }),
  );
  return Item === undefined ? null : PatientUse.parse(Item);
}

/** Holds when no task was created for the patient since their use was read. */
export function deleteUnneededPatientItem(
  table: Table,
  patientId: string,
  { created_at, last_task_at }: PatientUse,
): TransactionItem {
  const condition =
    last_task_at === undefined
      ? { ConditionExpression: 'created_at = :created AND attribute_not_exists(last_task_at)' }
      : { ConditionExpression: 'created_at = :created AND last_task_at = :last' };
  return {
    Delete: {
      TableName: table.name,
      Key: patientKey(patientId),
      ...condition,
      ExpressionAttributeValues: {
        ':created': created_at,
        ...(last_task_at === undefined ? {} : { ':last': last_task_at }),
      },
    },
  };
}
