import * as z from 'zod/mini';
import {
  patientChanged,
  patientCreated,
  patientSeen,
  patientsMerged,
  patientsSeen,
} from '#shared/audit/actions.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import {
  type Patient,
  type PatientChanges,
  type PatientHistoryEntry,
  PatientRegistration,
} from '#shared/domain/patient.ts';
import type { ListPosition } from '#shared/lists/list-page.ts';
import { changePatient } from '#shared/patients/change-patient.ts';
import { createPatient } from '#shared/patients/create-patient.ts';
import { listPatients, type PatientList } from '#shared/patients/list-patients.ts';
import { mergePatients } from '#shared/patients/merge-patients.ts';
import {
  getPatientResource,
  type PatientResource,
  toPatientResource,
} from '#shared/patients/patient-resource.ts';
import type { Table } from '#shared/table/client.ts';
import { getPatient } from '#shared/table/patient.ts';
import { type Alongside, nothingAlongside } from '#shared/table/transaction.ts';
import { auditItem, auditView } from './audit.ts';
import type { ProjectAccess } from './authorize-project.ts';
import { checkNamedProject } from './named-project.ts';
import { findSamePatients, type PatientName } from './task-search.ts';

/** Body of `POST …/patients`: that of `POST /v1/patient`, without the project, which the path names. */
export const ProjectPatientBody = z.partial(PatientRegistration, { project_id: true });
export type ProjectPatientBody = z.infer<typeof ProjectPatientBody>;

/** Creates a patient. Throws what `createPatient` throws, and `invalid_request` for a body of another project. */
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
    alongside: (patient) => [...remember(patient), auditItem(table, access, patientCreated(patient))],
  });
}

/** One patient; audited as seen by the caller. Throws `not_found`. */
export async function viewPatient(
  table: Table,
  access: ProjectAccess,
  patientId: string,
): Promise<PatientResource> {
  const patient = await getPatientResource(table, access.project.id, patientId);
  await auditView(table, access, patientSeen(patientId));
  return patient;
}

/** One patient with their history; audited as seen by the caller. Throws `not_found`. */
export async function viewPatientRecord(
  table: Table,
  access: ProjectAccess,
  patientId: string,
): Promise<{ readonly patient: PatientResource; readonly changes: readonly PatientHistoryEntry[] }> {
  const patient = await getPatient(table, patientId);
  if (patient?.project_id !== access.project.id) throw new ServiceError('not_found', 'Patient not found');
  await auditView(table, access, patientSeen(patientId));
  return { patient: toPatientResource(patient), changes: patient.changes ?? [] };
}

interface PatientEdit {
  readonly patientId: string;
  readonly changes: PatientChanges;
  /** `updated_at` of the patient as the person last saw it; refuses the change if the patient has changed since. */
  readonly readAt?: string;
}

/**
 * Changes the given fields and returns the patient; audited as changed or seen by the caller. Throws what
 * `changePatient` throws, and `invalid_request` for another project's body.
 */
export async function editPatient(
  table: Table,
  access: ProjectAccess,
  edit: PatientEdit,
): Promise<PatientResource> {
  const now = new Date();
  const { patientId, changes } = edit;
  const projectId = checkNamedProject(access, changes);
  const { patient, fields } = await changePatient(table, projectId, {
    ...edit,
    by: access.caller.person.email,
    now: () => now,
    alongside: (changed) => [auditItem(table, access, patientChanged(patientId, changed), now)],
  });
  if (fields.length === 0) await auditView(table, access, patientSeen(patientId));
  return toPatientResource(patient);
}

/** Merges two patients and audits it for both. Throws what `mergePatients` throws. */
export async function mergeDuplicate(
  table: Table,
  access: ProjectAccess,
  { keptId, duplicateId }: { readonly keptId: string; readonly duplicateId: string },
): Promise<void> {
  const now = new Date();
  await mergePatients(table, access.project.id, {
    keptId,
    duplicateId,
    by: access.caller.person.email,
    now: () => now,
    alongside: (merged) => [
      auditItem(table, access, patientsMerged(merged.patient, duplicateId, merged), now),
    ],
  });
}

/** Patients who may be the same person as this one, stored or not. All are audited as seen by the caller. */
export async function viewDuplicates(
  table: Table,
  access: ProjectAccess,
  patient: Pick<Patient, 'first_name' | 'last_name' | 'date_of_birth'> & Partial<Pick<Patient, 'id'>>,
): Promise<readonly PatientName[]> {
  const same = await findSamePatients(table, access.project.id, patient);
  const others = same.filter(({ id }) => id !== patient.id);
  if (others.length > 0) await auditView(table, access, patientsSeen(access.project.id, others));
  return others;
}

/** A page of the project's patients; audited as seen by the caller. */
export async function viewPatients(
  table: Table,
  access: ProjectAccess,
  position: ListPosition,
): Promise<PatientList> {
  const { id } = access.project;
  const page = await listPatients(table, id, position);
  await auditView(table, access, patientsSeen(id, page.patients));
  return page;
}
