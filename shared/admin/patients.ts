import * as z from 'zod/mini';
import { type Patient, PatientRegistration } from '#shared/domain/patient.ts';
import type { ListPosition } from '#shared/lists/list-page.ts';
import { createPatient } from '#shared/patients/create-patient.ts';
import { listPatients, type PatientList } from '#shared/patients/list-patients.ts';
import { getPatientResource, type PatientResource } from '#shared/patients/patient-resource.ts';
import type { Table } from '#shared/table/client.ts';
import { type Alongside, nothingAlongside } from '#shared/table/transaction.ts';
import { auditItem, auditView } from './audit.ts';
import type { ProjectAccess } from './authorize-project.ts';
import { checkNamedProject } from './named-project.ts';

/** Body of `POST …/patients`: that of `POST /v1/patient`, whose project the path names already. */
export const ProjectPatientBody = z.partial(PatientRegistration, { project_id: true });
export type ProjectPatientBody = z.infer<typeof ProjectPatientBody>;

/** Registers a patient. Throws what `createPatient` throws, and `invalid_request` for a body of another project. */
export async function registerPatient(
  table: Table,
  access: ProjectAccess,
  body: ProjectPatientBody,
  remember: Alongside<Patient> = nothingAlongside,
): Promise<Patient> {
  const projectId = checkNamedProject(access, body);
  return createPatient(table, {
    projectId,
    newPatient: { ...body, project_id: projectId },
    alongside: (patient) => [
      ...remember(patient),
      auditItem(table, access, { action: 'patient.created', target: targetOf(patient.id) }),
    ],
  });
}

/** One patient, whom the caller is written down to have seen. Throws `not_found`. */
export async function viewPatient(
  table: Table,
  access: ProjectAccess,
  patientId: string,
): Promise<PatientResource> {
  const patient = await getPatientResource(table, access.project.id, patientId);
  await auditView(table, access, { action: 'patient.viewed', target: targetOf(patientId) });
  return patient;
}

/** A page of the project's patients, all of whom the caller is written down to have seen. */
export async function viewPatients(
  table: Table,
  access: ProjectAccess,
  position: ListPosition,
): Promise<PatientList> {
  const { id } = access.project;
  const page = await listPatients(table, id, position);
  await auditView(table, access, {
    action: 'patients.listed',
    target: { type: 'project', id },
    after: { patient_ids: page.patients.map((patient) => patient.id) },
  });
  return page;
}

function targetOf(patientId: string): { type: 'patient'; id: string } {
  return { type: 'patient', id: patientId };
}
