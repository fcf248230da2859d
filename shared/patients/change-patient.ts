import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '#shared/domain/errors.ts';
import { Patient, type PatientChanges, PatientRegistration } from '#shared/domain/patient.ts';
import { versionAfter } from '#shared/domain/version-after.ts';
import { writeNamed } from '#shared/projects/external-ids.ts';
import type { Table } from '#shared/table/client.ts';
import { deleteNameItems, patientName } from '#shared/table/external-id.ts';
import { getPatient, replacePatientItem } from '#shared/table/patient.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { findStorageProblem } from '#shared/table/storable.ts';
import { type Alongside, writeTransaction } from '#shared/table/transaction.ts';

export interface PatientChanging {
  readonly patientId: string;
  readonly changes: PatientChanges;
  /** Who makes the change, as shown to people. */
  readonly by: string;
  /** `updated_at` of the patient as last seen by the caller; without it, changes apply unconditionally. */
  readonly readAt?: string;
  readonly now?: () => Date;
  /** Receives the names of the members that change. */
  readonly alongside: Alongside<readonly string[]>;
}

/** A patient, and the names of the changed members. */
export interface ChangedPatient {
  readonly patient: Patient;
  readonly fields: readonly string[];
}

/** The most changes in a patient's history. */
export const historyKept = 50;
const members = Object.keys(PatientRegistration.shape).filter((name) => name !== 'project_id');

/**
 * Changes a patient and records the changed member names: null clears, absent members stay unchanged, nested values
 * are replaced as a whole. Later calls use the new data. Throws `not_found` for another project's patient, `forbidden`
 * for changes that name another project, `external_id_taken`, `payload_too_large`, and `conflict` when the patient has
 * changed since `readAt`.
 */
export function changePatient(
  table: Table,
  callerProjectId: string,
  { patientId, changes, by, readAt, now = () => new Date(), alongside }: PatientChanging,
): Promise<ChangedPatient> {
  return retryOnConflict(async () => {
    if (changes.project_id !== undefined && changes.project_id !== callerProjectId) {
      throw new ServiceError('forbidden', 'API key does not grant access to this project');
    }
    const patient = await getPatient(table, patientId);
    if (patient?.project_id !== callerProjectId) throw new ServiceError('not_found', 'Patient not found');
    if (readAt !== undefined && patient.updated_at !== readAt) {
      throw patientWasChanged();
    }
    const wanted = { ...patient, ...changes };
    const fields = changedFields(patient, wanted);
    if (fields.length === 0) return { patient, fields };
    const at = versionAfter(patient, now()).toISOString();
    const next = Patient.parse({
      ...Object.fromEntries(Object.entries(wanted).filter(([, value]) => isGiven(value))),
      project_id: patient.project_id,
      updated_at: at,
      changes: [...(patient.changes ?? []), { at, by, fields }].slice(-historyKept),
    });
    if (findStorageProblem(next)?.kind === 'size') {
      throw new ServiceError('payload_too_large', 'The patient would be too large to be stored');
    }
    const isRenamed = next.external_id !== patient.external_id;
    await writeNamed(table, isRenamed ? patientName(next) : null, next.id, (name) =>
      writeTransaction(table, [
        replacePatientItem(table, patient, next),
        ...(isRenamed ? deleteNameItems(table, patientName(patient), patient.id) : []),
        ...name,
        ...alongside(fields),
      ]),
    );
    return { patient: next, fields };
  });
}

export function patientWasChanged(): ServiceError {
  return new ServiceError('conflict', 'The patient was changed since this page was opened');
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Names of the members that differ; null equals absent. */
function changedFields(before: object, after: object): string[] {
  const [old, wanted] = [before, after].map((one) => new Map<string, unknown>(Object.entries(one)));
  return members.filter((name) => !isDeepStrictEqual(old?.get(name) ?? null, wanted?.get(name) ?? null));
}
