import type { Erasure } from '#shared/domain/erasure.ts';
import { type Import, type ImportRow, patientErased } from '#shared/domain/import.ts';
import { mayMean, type NamedPerson } from '#shared/domain/named-person.ts';
import { sameNameKey, samePersonKey } from '#shared/domain/names.ts';
import type { Patient } from '#shared/domain/patient.ts';
import { keyedHash, type ProjectKey } from '#shared/encryption/project-key.ts';
import { importedKeys, keyOfHash, patientRowKey } from '#shared/imports/row-keys.ts';
import type { Table } from '#shared/table/client.ts';
import { deleteIdempotencyRecordItem } from '#shared/table/idempotency.ts';
import { erasePartItems, getImport, getImportPart, listImports } from '#shared/table/import.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { type TransactionItem, writeTransaction } from '#shared/table/transaction.ts';
import type { ErasureServices } from './erasure-services.ts';

/** What a receipt keeps of a patient to recognize their rows, in place of health information. */
export async function knownAs(table: Table, patient: Patient): Promise<NamedPerson> {
  const { external_id = null, date_of_birth } = patient;
  const person = { external_id, name: sameNameKey(patient), date_of_birth };
  return hashed(await table.projectKey(patient.project_id), person);
}

function hashed(key: ProjectKey | null, { external_id, name, date_of_birth }: NamedPerson): NamedPerson {
  const hash = (text: string | null) => (text === null ? null : keyedHash(key, 'person', text));
  return { external_id: hash(external_id), name: hash(name), date_of_birth: hash(date_of_birth) };
}

/**
 * By what imports recognize the rows that created the patient: `row_keys` for the receipt, because a running import
 * must find them until its rows are emptied, and the deletion of those of earlier versions, which can be guessed.
 */
export async function rowsOf(
  table: Table,
  patient: Patient,
): Promise<{ readonly row_keys: string[]; readonly items: TransactionItem[] }> {
  const { project_id, external_id = '' } = patient;
  const person = samePersonKey(patient);
  const rowKeys = new Set([patientRowKey(external_id, person), patientRowKey('', person)]);
  const keys = await Promise.all([...rowKeys].map((key) => importedKeys(table, project_id, key)));
  return {
    row_keys: keys.flatMap(([own]) => (own === undefined ? [] : [own.keyHash])),
    items: keys.flatMap(([, ...earlier]) => earlier.map((key) => deleteIdempotencyRecordItem(table, key))),
  };
}

/** Deletes what the receipt names. */
export function forgetRows(
  table: Table,
  { project_id, row_keys = [] }: Pick<Erasure, 'project_id' | 'row_keys'>,
): TransactionItem[] {
  return row_keys.map((hash) => deleteIdempotencyRecordItem(table, keyOfHash(project_id, hash)));
}

type ErasedPatient = Pick<Erasure, 'id' | 'project_id' | 'known_as'>;

/** Empties the rows of the project's imports about an erased patient, so that they are not imported either. */
export async function eraseImportRows(
  services: Pick<ErasureServices, 'table' | 'now'>,
  patient: ErasedPatient,
): Promise<void> {
  const { table, now } = services;
  for (const one of await listImports(table, patient.project_id, now())) {
    for (let part = 0; part < one.parts; part += 1) {
      await retryOnConflict(() => erasePart(services, patient, one, part));
    }
  }
}

async function erasePart(
  { table, now }: Pick<ErasureServices, 'table' | 'now'>,
  { id, project_id, known_as }: ErasedPatient,
  name: Pick<Import, 'id' | 'project_id'>,
  part: number,
): Promise<void> {
  const one = await getImport(table, name, now());
  if (one === null) return;
  const [rows, key] = await Promise.all([getImportPart(table, one, part), table.projectKey(project_id)]);
  const isAbout = ({ patient, outcome, named }: ImportRow): boolean => {
    if (outcome?.patient_id === id || (patient?.kind === 'existing' && patient.id === id)) return true;
    return known_as !== undefined && named !== undefined && mayMean(hashed(key, named), known_as);
  };
  const about = rows.filter(isAbout);
  if (about.length === 0) return;
  const skipped = about.filter(({ problems, outcome }) => problems.length === 0 && outcome === null).length;
  const left = rows.map((row) => (isAbout(row) ? emptied(row) : row));
  await writeTransaction(table, erasePartItems(table, one, part, { rows: left, skipped }));
}

/** A row that is skipped if it has not been imported, and tells only what became of it otherwise. */
function emptied({ number, outcome }: ImportRow): ImportRow {
  const empty = { number, cells: [], problems: [], patient: null, task: null };
  if (outcome === null) return { ...empty, problems: [{ column: null, problem: patientErased }], outcome };
  const refusal = outcome.refusal === null ? null : `${patientErased}.`;
  return { ...empty, outcome: { ...outcome, patient_id: null, task_id: null, refusal } };
}
