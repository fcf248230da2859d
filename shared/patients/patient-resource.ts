import * as z from 'zod/mini';
import { ServiceError } from '#shared/domain/errors.ts';
import { NewPatient, Patient } from '#shared/domain/patient.ts';
import type { Table } from '#shared/table/client.ts';
import { getPatient } from '#shared/table/patient.ts';

const { email, address, primary_care_provider, insurance } = NewPatient.shape;

/** A patient as `GET /v1/patient/{patient_id}` returns it: with every member, `null` for those without a value. */
export const PatientResource = z.extend(z.omit(Patient, { changes: true }), {
  email: orNull(email),
  address: orNull(address),
  primary_care_provider: orNull(primary_care_provider),
  insurance: orNull(insurance),
});
export type PatientResource = z.infer<typeof PatientResource>;

/** Throws the same `not_found` for another project's patient as for an unknown one. */
export async function getPatientResource(
  table: Table,
  callerProjectId: string,
  patientId: string,
): Promise<PatientResource> {
  const patient = await getPatient(table, patientId);
  if (patient === null || patient.project_id !== callerProjectId) {
    throw new ServiceError('not_found', 'Patient not found');
  }
  return toPatientResource(patient);
}

export function toPatientResource({ changes: _, ...patient }: Patient): PatientResource {
  return {
    ...patient,
    email: patient.email ?? null,
    address: patient.address ?? null,
    primary_care_provider: patient.primary_care_provider ?? null,
    insurance: patient.insurance ?? null,
  };
}

function orNull<Schema extends z.ZodMiniType>(
  optional: z.ZodMiniOptional<Schema>,
): z.ZodMiniNullable<Schema> {
  return z.nullable(optional._zod.def.innerType);
}
