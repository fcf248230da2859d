import { BatchGetCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { Patient } from '#shared/domain/patient.ts';
import { Timestamp } from '#shared/domain/values.ts';
import type { Table } from './client.ts';
import { indexNames, projectIndexAttributes, projectPartitions } from './indexes.ts';
import { type IndexedItems, type Page, type PageRequest, readNewestFirst } from './newest-first.ts';
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

/** Replaces what is known of a patient who still is as `previous` was read. What the item notes besides stays. */
export function replacePatientItem(table: Table, previous: Patient, next: Patient): TransactionItem {
  const [known, gone] = [Object.keys(next), Object.keys(previous).filter((name) => !(name in next))];
  const sets = known.map((name) => `#${name} = :${name}`).join(', ');
  const removals = gone.length === 0 ? '' : ` REMOVE ${gone.map((name) => `#${name}`).join(', ')}`;
  return {
    Update: {
      TableName: table.name,
      Key: patientKey(next.id),
      UpdateExpression: `SET ${sets}${removals}`,
      ConditionExpression: '#updated_at = :read',
      ExpressionAttributeNames: Object.fromEntries([...known, ...gone].map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ':read': previous.updated_at,
        ...Object.fromEntries(Object.entries(next).map(([name, value]) => [`:${name}`, value])),
      },
    },
  };
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

/** At most so many items are read in one request. */
const batchSize = 100;

/** What is looked for by of some patients, in any order; those that there are not are left out. Eventually consistent. */
export async function getPatientEntries(
  table: Table,
  patientIds: readonly string[],
): Promise<(PatientEntry & Pick<Patient, 'project_id'>)[]> {
  const found: (PatientEntry & Pick<Patient, 'project_id'>)[] = [];
  for (let start = 0; start < patientIds.length; start += batchSize) {
    let keys: Record<string, unknown>[] = patientIds.slice(start, start + batchSize).map(patientKey);
    // What an answer has no room for is asked for again.
    while (keys.length > 0) {
      const { Responses = {}, UnprocessedKeys = {} } = await table.client.send(
        new BatchGetCommand({
          RequestItems: {
            [table.name]: {
              Keys: keys,
              ProjectionExpression: Object.keys(OwnedPatientEntry.shape).join(', '),
            },
          },
        }),
      );
      found.push(...(Responses[table.name] ?? []).map((item) => OwnedPatientEntry.parse(item)));
      keys = UnprocessedKeys[table.name]?.Keys ?? [];
    }
  }
  return found;
}

/** Patients of a project, newest first. Eventually consistent. */
export function listProjectPatients(
  table: Table,
  projectId: string,
  page: PageRequest,
): Promise<Page<Patient>> {
  return readNewestFirst(table, patientsOf(projectId), page, (item) => Patient.parse(item));
}

/** What a patient is looked for by. */
export const PatientEntry = z.pick(Patient, {
  id: true,
  first_name: true,
  last_name: true,
  date_of_birth: true,
  phone_number: true,
});
export type PatientEntry = z.infer<typeof PatientEntry>;

const OwnedPatientEntry = z.extend(PatientEntry, { project_id: Patient.shape.project_id });

/** Patients of a project by what they are looked for, newest first. Eventually consistent. */
export function listPatientEntries(
  table: Table,
  projectId: string,
  page: PageRequest,
): Promise<Page<PatientEntry>> {
  const source = { ...patientsOf(projectId), attributes: Object.keys(PatientEntry.shape) };
  return readNewestFirst(table, source, page, (item) => PatientEntry.parse(item));
}

function patientsOf(projectId: string): IndexedItems {
  return {
    index: indexNames.project,
    partitionKey: 'project_pk',
    sortKey: 'project_sk',
    partitions: projectPartitions(projectId, 'PATIENT'),
  };
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
