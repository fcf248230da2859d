import * as z from 'zod/mini';
import { Patient } from '#shared/domain/patient.ts';
import { Timestamp } from '#shared/domain/values.ts';
import { batchGet } from './batch-get.ts';
import type { Table } from './client.ts';
import { createItem } from './create-item.ts';
import { deleteNameItems, patientName } from './external-id.ts';
import { getItem } from './get-item.ts';
import { indexNames, projectIndexAttributes, projectPartitions } from './indexes.ts';
import { type IndexedItems, type Page, type PageRequest, readNewestFirst } from './newest-first.ts';
import type { PrimaryKey } from './primary-key.ts';
import { conditionsOf, type RecordFilter, rangeOf } from './record-filter.ts';
import { detailsAttribute, sealClientData, sealListed, sealSearched, sealTogether } from './to-seal.ts';
import type { TransactionItem } from './transaction.ts';
import { itemCheck, itemDelete, itemPut, itemUpdate, when } from './transaction-items.ts';
import { metadataCheck, wholeItems } from './whole-items.ts';

export function patientKey(patientId: string): PrimaryKey {
  return { pk: `PATIENT#${patientId}`, sk: 'PATIENT' };
}

/** What the index of rows has of a patient besides the number: search data. */
const PatientListed = z.pick(Patient, {
  first_name: true,
  last_name: true,
  date_of_birth: true,
  external_id: true,
});

/** A patient's readable members. All others are sealed, so a new one is, unless it is named here. */
const readable: readonly string[] = [
  'id',
  'project_id',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof Patient)[];
/** Sealed separately, because lists filter by them. */
const sealedApart: readonly string[] = [
  'phone_number',
  'external_id',
  'metadata',
] as const satisfies readonly (keyof Patient)[];

function patientItem(patient: Patient): Record<string, unknown> {
  return {
    ...patientKey(patient.id),
    type: 'patient',
    ...projectIndexAttributes(patient.project_id, 'PATIENT', patient.id),
    ...sealPatient(patient),
  };
}

/** The patient as stored, with their entry in the index of rows. */
export function sealPatient(patient: Patient): Record<string, unknown> {
  const { project_id, phone_number } = patient;
  const details = Object.keys(patient).filter(
    (name) => !readable.includes(name) && !sealedApart.includes(name),
  );
  return {
    ...sealTogether(project_id, patient, details),
    listed: sealListed(project_id, PatientListed.parse(patient)),
    ...sealClientData(project_id, patient),
    phone_number: sealSearched(project_id, 'phone_number', phone_number),
  };
}

export async function putPatient(table: Table, patient: Patient): Promise<void> {
  await createItem(table, patientItem(patient));
}

/** The same write as part of a transaction, which costs twice as much. */
export function putPatientItem(table: Table, patient: Patient): TransactionItem {
  return itemPut(table, patientItem(patient));
}

/** Replaces a patient who is unchanged since `previous` was read. Keeps the item's other attributes. */
export function replacePatientItem(table: Table, previous: Patient, next: Patient): TransactionItem {
  const sealed = sealPatient(next);
  const known = Object.entries(sealed);
  // Earlier versions stored each member separately.
  const cleared = Object.keys(previous).filter((name) => !(name in sealed));
  const names = [...known.map(([name]) => name), ...cleared];
  const remove = cleared.map((_, index) => `#${known.length + index}`).join(', ');
  return {
    Update: {
      TableName: table.name,
      Key: patientKey(next.id),
      UpdateExpression: `SET ${known.map((_, index) => `#${index} = :${index}`).join(', ')}${
        cleared.length === 0 ? '' : ` REMOVE ${remove}`
      }`,
      ConditionExpression: 'updated_at = :read',
      ExpressionAttributeNames: Object.fromEntries(names.map((name, index) => [`#${index}`, name])),
      ExpressionAttributeValues: {
        ':read': previous.updated_at,
        ...Object.fromEntries(known.map(([, value], index) => [`:${index}`, value])),
      },
    },
  };
}

type NamedPatient = Pick<Patient, 'id' | 'project_id' | 'external_id'>;

/** Deletes a patient and their external ID. Requires that it is the one that was read. */
export function deletePatientItems(table: Table, patient: NamedPatient): TransactionItem[] {
  return [
    deleteNamed(table, patient, 'project_id = :project_id', { project_id: patient.project_id }),
    ...deleteNameItems(table, patientName(patient), patient.id),
  ];
}

function deleteNamed(
  table: Table,
  patient: NamedPatient,
  condition: string,
  values: Readonly<Record<string, string>>,
): TransactionItem {
  const { id, project_id, external_id } = patient;
  // Earlier versions did not seal it.
  const isNamed =
    external_id === undefined ? 'attribute_not_exists(external_id)' : 'external_id IN (:name, :plain_name)';
  return itemDelete(
    table,
    patientKey(id),
    when(`${condition} AND ${isNamed}`, {
      ...values,
      ...(external_id === undefined
        ? {}
        : { name: sealSearched(project_id, 'external_id', external_id), plain_name: external_id }),
    }),
  );
}

/**
 * Strongly consistent: a client who just got the ID must find the patient, and the first call, which may follow at
 * once, depends on the patient's address.
 */
export async function getPatient(table: Table, patientId: string): Promise<Patient | null> {
  return getItem(table, patientKey(patientId), Patient.parse);
}

/** The searchable data of some patients, in any order, without missing ones. Eventually consistent. */
export async function getPatientEntries(
  table: Table,
  patientIds: readonly string[],
): Promise<(PatientEntry & Pick<Patient, 'project_id'>)[]> {
  const attributes = [...Object.keys(OwnedPatientEntry.shape), detailsAttribute];
  const items = await batchGet(table, patientIds.map(patientKey), { attributes, consistently: false });
  return items.map((item) => OwnedPatientEntry.parse(item));
}

/** The project's patients among these. Strongly consistent. */
export async function findPatientsOf(
  table: Table,
  projectId: string,
  patientIds: readonly string[],
): Promise<Set<string>> {
  const keys = [...new Set(patientIds)].map(patientKey);
  const items = await batchGet(table, keys, { attributes: ['id', 'project_id'], consistently: true });
  return new Set(items.filter(({ project_id }) => project_id === projectId).map(({ id }) => String(id)));
}

/** Patients of a project, newest first. Eventually consistent. */
export async function listProjectPatients(
  table: Table,
  projectId: string,
  request: PageRequest,
  filter: RecordFilter = {},
): Promise<Page<Patient>> {
  const only = conditionsOf(projectId, filter);
  const source = {
    ...patientsOf(projectId),
    attributes: [],
    only,
    check: metadataCheck(table, filter.metadata),
  };
  const { items, next } = await readNewestFirst(table, source, rangeOf(filter, request), (row) => row);
  return { items: (await wholeItems(table, items)).map((item) => Patient.parse(item)), next };
}

/** The searchable data of a patient. */
export const PatientEntry = z.extend(z.pick(Patient, { id: true, phone_number: true }), PatientListed.shape);
export type PatientEntry = z.infer<typeof PatientEntry>;

const ListedPatient = z.extend(z.pick(Patient, { id: true, phone_number: true }), {
  listed: z.optional(PatientListed),
});
const OwnedPatientEntry = z.extend(PatientEntry, { project_id: Patient.shape.project_id });

/** Searchable data of a project's patients, newest first. Eventually consistent. */
export async function listPatientEntries(
  table: Table,
  projectId: string,
  page: PageRequest,
): Promise<Page<PatientEntry>> {
  const attributes = ['id', 'phone_number', 'listed'];
  const source = { ...patientsOf(projectId), attributes };
  const { items, next } = await readNewestFirst(table, source, page, (item) => ListedPatient.parse(item));
  // Patients older than the index's excerpt are read one by one.
  const unlisted = items.filter(({ listed }) => listed === undefined).map(({ id }) => id);
  const read = new Map((await getPatientEntries(table, unlisted)).map((entry) => [entry.id, entry]));
  return {
    items: items.flatMap(({ id, phone_number, listed }) => {
      const entry = listed === undefined ? read.get(id) : { id, phone_number, ...listed };
      return entry === undefined ? [] : [entry];
    }),
    next,
  };
}

/** Above this number, reads the index's newest rows instead, because each read item costs units. */
const manyPatients = 100;

type PatientName = Pick<Patient, 'id' | 'first_name' | 'last_name'>;
const ListedName = z.optional(z.pick(Patient, { first_name: true, last_name: true }));

/** The names of some patients of a project, in any order, without missing ones. Eventually consistent. */
export async function findPatientNames(
  table: Table,
  projectId: string,
  patientIds: readonly string[],
): Promise<PatientName[]> {
  const limit = patientIds.length;
  if (limit <= manyPatients) return getPatientEntries(table, patientIds);
  const wanted = new Set(patientIds);
  // The newest tasks mostly belong to the newest patients.
  const source = { ...patientsOf(projectId), attributes: ['listed'] };
  const { items } = await readNewestFirst(table, source, { limit, before: null }, (item) => ({
    id: String(item[source.sortKey]),
    listed: ListedName.parse(item.listed),
  }));
  const newest = items.flatMap(({ id, listed }) =>
    listed !== undefined && wanted.delete(id) ? [{ id, ...listed }] : [],
  );
  return [...newest, ...(await getPatientEntries(table, [...wanted]))];
}

function patientsOf(projectId: string): IndexedItems {
  return {
    index: indexNames.rows,
    partitionKey: 'project_pk',
    sortKey: 'project_sk',
    partitions: projectPartitions(projectId, 'PATIENT'),
  };
}

/** Requires that the patient exists in the project, and records that a task was created for them at `at`. */
export function usePatientItem(
  table: Table,
  patientId: string,
  projectId: string,
  at: Date,
): TransactionItem {
  return itemUpdate(table, patientKey(patientId), {
    change: 'SET last_task_at = :at',
    condition: 'project_id = :project_id',
    values: { project_id: projectId, at: at.toISOString() },
  });
}

/** Requires that the patient exists in the project. */
export function checkPatientItem(table: Table, patientId: string, projectId: string): TransactionItem {
  return itemCheck(table, patientKey(patientId), when('project_id = :project_id', { project_id: projectId }));
}

const PatientUse = z.extend(z.pick(Patient, { id: true, project_id: true, external_id: true }), {
  created_at: Timestamp,
  last_task_at: z.optional(Timestamp),
});
/** When a patient was created, and when a task was last created for them, if recorded. */
export type PatientUse = z.infer<typeof PatientUse>;

export async function getPatientUse(table: Table, patientId: string): Promise<PatientUse | null> {
  return getItem(table, patientKey(patientId), PatientUse.parse, {
    attributes: ['id', 'project_id', 'external_id', 'created_at', 'last_task_at'],
  });
}

/** Deletes a patient as above. Requires that no task was created for them since they were read. */
export function deleteUnneededPatientItems(table: Table, use: PatientUse): TransactionItem[] {
  return [deleteUnneededPatientItem(table, use), ...deleteNameItems(table, patientName(use), use.id)];
}

/** As above, but keeps the external ID for the patient who takes it over. */
export function deleteUnneededPatientItem(table: Table, use: PatientUse): TransactionItem {
  const { created_at, last_task_at } = use;
  const created = { created: created_at };
  return last_task_at === undefined
    ? deleteNamed(table, use, 'created_at = :created AND attribute_not_exists(last_task_at)', created)
    : deleteNamed(table, use, 'created_at = :created AND last_task_at = :last', {
        ...created,
        last: last_task_at,
      });
}
