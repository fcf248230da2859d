import type * as z from 'zod/mini';
import { ServiceError } from '#shared/domain/errors.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { NewPatient, Patient } from '#shared/domain/patient.ts';
import { readJsonObject, validateNew } from '#shared/http/json-body.ts';
import type { Table } from '#shared/table/client.ts';
import { type Remember, rememberNothing, writeRemembered } from '#shared/table/idempotency.ts';
import { putPatient, putPatientItem } from '#shared/table/patient.ts';
import { type AlsoWrite, writeContendedTransaction, writeNothingElse } from '#shared/table/transaction.ts';

/**
 * A body that registers a patient. What was given as null inside of it is kept, so that it is answered as null. Throws what
 * `readJsonObject` and `validate` throw.
 */
export function readNewPatient<Schema extends z.ZodMiniType>(
  request: { readonly body: Buffer },
  schema: Schema,
): z.output<Schema> {
  return validateNew(schema, readJsonObject(request, { keepsNull: true }));
}

/**
 * Registers a patient. Throws `forbidden` when `newPatient` names another project than the caller's,
 * `IdempotencyKeyTaken` when the patient has been registered already.
 */
export async function createPatient(
  table: Table,
  callerProjectId: string,
  newPatient: NewPatient,
  remember: Remember<Patient> = rememberNothing,
  now: Date = new Date(),
  alsoWrite: AlsoWrite<Patient> = writeNothingElse,
): Promise<Patient> {
  if (newPatient.project_id !== callerProjectId) {
    throw new ServiceError('forbidden', 'API key does not grant access to this project');
  }
  const patient: Patient = {
    ...newPatient,
    id: uuidv7(now.getTime()),
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  };
  const record = remember(patient);
  const others = alsoWrite(patient);
  if (record === null && others.length === 0) await putPatient(table, patient);
  else {
    const items = [putPatientItem(table, patient), ...others];
    await writeRemembered(table, items, record, writeContendedTransaction);
  }
  return patient;
}
