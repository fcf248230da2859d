import { ServiceError } from '#shared/domain/errors.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Patient, PatientRegistration } from '#shared/domain/patient.ts';
import { writeNamed } from '#shared/projects/external-ids.ts';
import type { Table } from '#shared/table/client.ts';
import { patientName } from '#shared/table/external-id.ts';
import { putPatient, putPatientItem } from '#shared/table/patient.ts';
import { type Alongside, nothingAlongside, writeContendedTransaction } from '#shared/table/transaction.ts';

export interface PatientCreation {
  /** The caller's project. */
  readonly projectId: string;
  readonly newPatient: PatientRegistration;
  readonly alongside?: Alongside<Patient>;
}

/**
 * Creates a patient. Throws `forbidden` when `newPatient` names another project than the caller's,
 * `external_id_taken`, `IdempotencyKeyTaken` when the patient has already been created.
 */
export async function createPatient(
  table: Table,
  { projectId, newPatient, alongside = nothingAlongside }: PatientCreation,
): Promise<Patient> {
  if (newPatient.project_id !== projectId) {
    throw new ServiceError('forbidden', 'API key does not grant access to this project');
  }
  const now = new Date();
  const patient: Patient = {
    ...newPatient,
    id: uuidv7(now.getTime()),
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  };
  const others = alongside(patient);
  await writeNamed(table, patientName(patient), patient.id, (name) =>
    others.length + name.length === 0
      ? putPatient(table, patient)
      : writeContendedTransaction(table, [...others, ...name, putPatientItem(table, patient)]),
  );
  return patient;
}
