import { ServiceError } from '#shared/domain/errors.ts';
import { Patient, type PatientChanges } from '#shared/domain/patient.ts';
import { writeNamed } from '#shared/projects/external-ids.ts';
import type { Table } from '#shared/table/client.ts';
import { deleteNameItems, patientName } from '#shared/table/external-id.ts';
import { getPatient, replacePatientItem } from '#shared/table/patient.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { type PatientResource, toPatientResource } from './patient-resource.ts';

/**
 * Changes what is given of a patient; null clears, what is absent stays, and what stands inside a member is replaced with
 * it. Calls from then on go by the new facts. Throws `not_found` for another project's patient, `forbidden` for changes
 * that name another project, `external_id_taken`.
 */
export function updatePatient(
  table: Table,
  callerProjectId: string,
  { patientId, changes }: { readonly patientId: string; readonly changes: PatientChanges },
  now: () => Date = () => new Date(),
): Promise<PatientResource> {
  return retryOnConflict(async () => {
    if (changes.project_id !== undefined && changes.project_id !== callerProjectId) {
      throw new ServiceError('forbidden', 'API key does not grant access to this project');
    }
    const patient = await getPatient(table, patientId);
    if (patient?.project_id !== callerProjectId) throw new ServiceError('not_found', 'Patient not found');
    const next = changed(patient, changes, now());
    const isRenamed = next.external_id !== patient.external_id;
    await writeNamed(table, isRenamed ? patientName(next) : null, next.id, (name) =>
      writeTransaction(table, [
        replacePatientItem(table, patient, next),
        ...(isRenamed ? deleteNameItems(table, patientName(patient), patient.id) : []),
        ...name,
      ]),
    );
    return toPatientResource(next);
  });
}

function changed(patient: Patient, changes: PatientChanges, now: Date): Patient {
  const { email, address, primary_care_provider, insurance, external_id, metadata, ...others } = changes;
  const clearable = { email, address, primary_care_provider, insurance, external_id, metadata };
  const given = Object.entries(clearable).filter(([, value]) => value !== undefined);
  const kept = Object.entries(patient).filter(([name]) => !given.some(([other]) => other === name));
  const set = given.filter(([, value]) => value !== null);
  // The moment says which version was read, so no two versions may have the same.
  const at = new Date(Math.max(now.getTime(), Date.parse(patient.updated_at) + 1)).toISOString();
  return Patient.parse({
    ...Object.fromEntries([...kept, ...set]),
    ...others,
    project_id: patient.project_id,
    updated_at: at,
  });
}
