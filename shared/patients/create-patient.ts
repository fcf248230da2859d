import { ServiceError } from '#shared/domain/errors.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { NewPatient, Patient } from '#shared/domain/patient.ts';
import type { Table } from '#shared/table/client.ts';
import { putPatient } from '#shared/table/patient.ts';

/** Registers a patient and returns its id. Throws `forbidden` when `newPatient` names another project than the caller's. */
export async function createPatient(
  table: Table,
  callerProjectId: string,
  newPatient: NewPatient,
  now: Date = new Date(),
): Promise<string> {
  if (newPatient.project_id !== callerProjectId) {
    throw new ServiceError('forbidden', 'API key does not grant access to this project');
  }
  const patient: Patient = {
    ...newPatient,
    id: uuidv7(now.getTime()),
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  };
  await putPatient(table, patient);
  return patient.id;
}
