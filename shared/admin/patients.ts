import * as z from 'zod/mini';
import { patientCreated, patientSeen, patientsSeen } from '#shared/audit/deeds.ts';
import { NewPatient, type Patient } from '#shared/domain/patient.ts';
import { managementAddresses } from '#shared/http/addresses.ts';
import type { ListPosition } from '#shared/http/list-page.ts';
import { createPatient } from '#shared/patients/create-patient.ts';
import { listPatients } from '#shared/patients/list-patients.ts';
import { getPatientResource, type PatientResource } from '#shared/patients/patient-resource.ts';
import type { Table } from '#shared/table/client.ts';
import type { Remember } from '#shared/table/idempotency.ts';
import { auditItem, auditView } from './audit.ts';
import type { ProjectAccess } from './enter-project.ts';
import { checkNamedProject } from './named-project.ts';

/** Body of `POST …/patients`: that of `POST /v1/patient`, whose project the path names already. */
export const ProjectPatientBody = z.partial(NewPatient, { project_id: true });
export type ProjectPatientBody = z.infer<typeof ProjectPatientBody>;

/** Registers a patient. Throws what `createPatient` throws, and `invalid_request` for a body of another project. */
export async function registerPatient(
  table: Table,
  access: ProjectAccess,
  body: ProjectPatientBody,
  remember: Remember<Patient>,
  now: Date = new Date(),
): Promise<Patient> {
  const projectId = checkNamedProject(access, body);
  return createPatient(table, projectId, { ...body, project_id: projectId }, remember, now, (patient) => [
    auditItem(table, access, patientCreated(patient), now),
  ]);
}

/** One patient, whom the caller is written down to have seen. Throws `not_found`. */
export async function viewPatient(
  table: Table,
  access: ProjectAccess,
  patientId: string,
): Promise<PatientResource> {
  const patient = await getPatientResource(table, access.project.id, patientId);
  await auditView(table, access, patientSeen(patientId));
  return patient;
}

/** A page of the project's patients, all of whom the caller is written down to have seen. */
export async function viewPatients(
  { table, publicBaseUrl }: { table: Table; publicBaseUrl: string },
  access: ProjectAccess,
  position: ListPosition,
): ReturnType<typeof listPatients> {
  const { id } = access.project;
  const page = await listPatients({ table, addresses: managementAddresses(publicBaseUrl, id) }, id, position);
  await auditView(table, access, patientsSeen(id, page.body.patients));
  return page;
}
