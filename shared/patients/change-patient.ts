import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '#shared/domain/errors.ts';
import { NewPatient, type Patient } from '#shared/domain/patient.ts';
import type { Table } from '#shared/table/client.ts';
import { getPatient, replacePatientItem } from '#shared/table/patient.ts';
import {
  type Alongside,
  isTransactionConflict,
  TransactionConditionFailed,
  writeTransaction,
} from '#shared/table/transaction.ts';

/** What may be changed of a patient: all that a new one has. What is absent was taken away. */
export type PatientWishes = Omit<NewPatient, 'project_id'>;

const changesKept = 50;
const members = Object.keys(NewPatient.shape).filter((name) => name !== 'project_id');

/**
 * Replaces what is known of a patient, and notes which members that changed. Calls from then on go by the new facts.
 * Throws `not_found` for another project's patient, `conflict` when the patient is not any more as the caller has read it.
 *
 * @param readAt `updated_at` of the patient as the caller has seen them
 * @param by whose change it is, as people know them
 */
export async function changePatient(
  table: Table,
  callerProjectId: string,
  patientId: string,
  { wishes, readAt, by }: { readonly wishes: PatientWishes; readonly readAt: string; readonly by: string },
  now: Date,
  alongside: Alongside<readonly string[]>,
): Promise<Patient> {
  const patient = await getPatient(table, patientId);
  if (patient?.project_id !== callerProjectId) throw new ServiceError('not_found', 'Patient not found');
  if (patient.updated_at !== readAt) throw changedByOthers();
  const fields = changedFields(patient, wishes);
  if (fields.length === 0) return patient;
  // The moment says which version was read, so no two versions may have the same.
  const at = new Date(Math.max(now.getTime(), Date.parse(patient.updated_at) + 1)).toISOString();
  const kept = Object.entries(patient).filter(([name]) => !members.includes(name));
  const next = {
    ...Object.fromEntries(kept),
    ...wishes,
    id: patient.id,
    project_id: patient.project_id,
    created_at: patient.created_at,
    updated_at: at,
    changes: [...(patient.changes ?? []), { at, by, fields }].slice(-changesKept),
  };
  try {
    await writeTransaction(table, [replacePatientItem(table, patient, next), ...alongside(fields)]);
  } catch (error) {
    throw error instanceof TransactionConditionFailed || isTransactionConflict(error)
      ? changedByOthers()
      : error;
  }
  return next;
}

/** Names of the members that differ. */
function changedFields(patient: Patient, wishes: PatientWishes): string[] {
  const [before, after] = [patient, wishes].map((one) => new Map<string, unknown>(Object.entries(one)));
  return members.filter((name) => !isDeepStrictEqual(before?.get(name), after?.get(name)));
}

function changedByOthers(): ServiceError {
  return new ServiceError('conflict', 'The patient was changed since this page was opened');
}
