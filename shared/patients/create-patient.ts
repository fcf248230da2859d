import { ServiceError } from '#shared/domain/errors.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { NewPatient, Patient } from '#shared/domain/patient.ts';
import type { Table } from '#shared/table/client.ts';
import { putPatient, putPatientItem } from '#shared/table/patient.ts';
import { type Alongside, nothingAlongside, writeContendedTransaction } from '#shared/table/transaction.ts';

export interface PatientCreation {
  /** The project of whoever asks. */
  readonly projectId: string;
  readonly newPatient: NewPatient;
  readonly now?: Date;
  readonly alongside?: Alongside<Patient>;
}

/**
 * Registers a patient. Throws `forbidden` when `newPatient` names another project than the caller's,
 * `IdempotencyKeyTaken` when the patient has been registered already.
 */
export async function createPatient(
  table: Table,
  { projectId, newPatient, now = new Date(), alongside = nothingAlongside }: PatientCreation,
): Promise<Patient> {
  if (newPatient.project_id !== projectId) {
    throw new ServiceError('forbidden', 'API key does not grant access to this project');
  }
  const patient: Patient = {
    ...newPatient,
    id: uuidv7(now.getTime()),
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  };
  const others = alongside(patient);
  if (others.length === 0) await putPatient(table, patient);
  else await writeContendedTransaction(table, [...others, putPatientItem(table, patient)]);
  return patient;
}
