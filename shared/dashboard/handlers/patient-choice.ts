import type { ProjectAccess } from '#shared/admin/authorize-project.ts';
import { viewPatients } from '#shared/admin/patients.ts';
import { findInProject, viewPatientNames } from '#shared/admin/task-search.ts';
import { openResponseBudget } from '#shared/http/response-size-budget.ts';
import type { Table } from '#shared/table/client.ts';
import type { FieldErrors } from '../forms/form-values.ts';
import type { PatientChoice } from '../pages/new-task-page.tsx';

const offeredPatients = 25;

export async function newestPatients(
  table: Table,
  access: ProjectAccess,
  chosen: string,
): Promise<PatientChoice> {
  const page = await viewPatients(table, access, {
    limit: offeredPatients,
    cursor: null,
    openBudget: openResponseBudget,
  });
  const isOffered = chosen === '' || page.patients.some(({ id }) => id === chosen);
  const others = isOffered ? [] : (await viewPatientNames(table, access, [chosen])).values();
  return { patients: [...others, ...page.patients], searched: '', isAll: true, problem: null };
}

/** The patients found by name; the newest ones if there are none. */
export async function findPatients(
  table: Table,
  access: ProjectAccess,
  searched: string,
  chosen: string,
): Promise<PatientChoice> {
  const found = searched === '' ? null : await find(table, access, searched);
  if (found !== null && found.patients.length > 0) return { ...found, searched, problem: null };
  return {
    ...(await newestPatients(table, access, chosen)),
    searched,
    problem:
      searched === ''
        ? 'Enter a name, phone number or date of birth'
        : found?.isAll === false
          ? 'Too many patients have a name like this; enter more of it, or the date of birth'
          : 'No such patient was found',
  };
}

async function find(
  table: Table,
  access: ProjectAccess,
  searched: string,
): Promise<Pick<PatientChoice, 'patients' | 'isAll'> | null> {
  const found = await findInProject(table, access, searched);
  switch (found?.kind) {
    case undefined:
    case 'task':
      return null;
    case 'patient':
      return { patients: [...(await viewPatientNames(table, access, [found.id])).values()], isAll: true };
    case 'several':
      return found;
  }
}

/** Why the form found patients instead of creating a task. */
export function whyNotSent({ patients, problem }: PatientChoice): FieldErrors {
  if (problem !== null) {
    return { patient_search: `${problem}. Leave this empty to keep the chosen patient` };
  }
  return {
    patient_id:
      patients.length === 1
        ? 'Check that this is the patient, and send the form again'
        : 'Choose one of the patients found',
  };
}
