import { Uuid } from '#shared/domain/identifiers.ts';
import type { Patient } from '#shared/domain/patient.ts';
import type { Table } from '#shared/table/client.ts';
import { getPatient, listProjectPatients } from '#shared/table/patient.ts';
import { getTask } from '#shared/table/task.ts';
import { auditView } from './audit.ts';
import type { ProjectAccess } from './authorize-project.ts';

/** Distinguishes patients: two of the same name differ in their dates of birth. */
export type PatientName = Pick<Patient, 'id' | 'first_name' | 'last_name' | 'date_of_birth'>;

export type Found =
  | { readonly kind: 'task'; readonly id: string }
  | { readonly kind: 'patient'; readonly id: string }
  | {
      readonly kind: 'names';
      readonly patients: readonly PatientName[];
      /** False when there are older patients, who were not looked at. */
      readonly isAll: boolean;
    };

/** Names are compared with those of this many of the newest patients. */
export const patientsSearched = 500;
const patientsPerPage = 100;

/**
 * Looks in a project for a task or a patient by identifier, or for patients by a part of their names. Which
 * patients were found by name is written down as seen. Null for an identifier that neither has here.
 */
export async function findInProject(
  table: Table,
  access: ProjectAccess,
  text: string,
): Promise<Found | null> {
  const id = Uuid.safeParse(text.trim());
  return id.success ? findById(table, access, id.data) : findByName(table, access, text);
}

async function findById(table: Table, { project }: ProjectAccess, id: string): Promise<Found | null> {
  const [task, patient] = await Promise.all([getTask(table, id), getPatient(table, id)]);
  if (task?.project_id === project.id) return { kind: 'task', id };
  if (patient?.project_id === project.id) return { kind: 'patient', id };
  return null;
}

async function findByName(table: Table, access: ProjectAccess, text: string): Promise<Found> {
  const words = toWords(text);
  if (words.length === 0) return { kind: 'names', patients: [], isAll: true };
  const patients: PatientName[] = [];
  let before: string | null = null;
  let read = 0;
  do {
    const page: Awaited<ReturnType<typeof listProjectPatients>> = await listProjectPatients(
      table,
      access.project.id,
      { limit: patientsPerPage, before },
    );
    patients.push(...page.items.filter((patient) => isNamed(patient, words)).map(toName));
    read += patientsPerPage;
    before = page.next;
  } while (before !== null && read < patientsSearched);
  await auditView(table, access, {
    action: 'patients.listed',
    target: { type: 'project', id: access.project.id },
    after: { patient_ids: patients.map(({ id }) => id) },
  });
  return { kind: 'names', patients, isAll: before === null };
}

/**
 * The names of some patients of the project, who are written down as seen; those whom it does not have are
 * left out.
 */
export async function viewPatientNames(
  table: Table,
  access: ProjectAccess,
  patientIds: readonly string[],
): Promise<ReadonlyMap<string, PatientName>> {
  const ids = [...new Set(patientIds)];
  const patients = (await Promise.all(ids.map((id) => getPatient(table, id)))).flatMap((patient) =>
    patient === null || patient.project_id !== access.project.id ? [] : [toName(patient)],
  );
  if (patients.length > 0) {
    await auditView(table, access, {
      action: 'patients.listed',
      target: { type: 'project', id: access.project.id },
      after: { patient_ids: patients.map(({ id }) => id) },
    });
  }
  return new Map(patients.map((patient) => [patient.id, patient]));
}

function toName({ id, first_name, last_name, date_of_birth }: Patient): PatientName {
  return { id, first_name, last_name, date_of_birth };
}

function isNamed({ first_name, last_name }: Patient, words: readonly string[]): boolean {
  const names = toWords(`${first_name} ${last_name}`);
  return words.every((word) => names.some((name) => name.startsWith(word)));
}

function toWords(text: string): string[] {
  return text
    .toLocaleLowerCase('en')
    .split(/\s+/)
    .filter((word) => word !== '');
}
