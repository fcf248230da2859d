import type { Addresses } from '#shared/domain/addresses.ts';
import { listPatients, type PatientList, type PatientListRequest } from '#shared/patients/list-patients.ts';
import type { Table } from '#shared/table/client.ts';
import { listTasks, type TaskList, type TaskListRequest } from '#shared/tasks/list-tasks.ts';
import type { RawRequest } from '#shared/triggers/http.ts';
import { listFilterQuery, readListFilter } from './list-filters.ts';
import { readListPosition, withNextPage } from './list-page.ts';

/* The lists of `/v1`, each with a `Link` header to its next page. */

interface ListServices {
  readonly table: Table;
  readonly addresses: Addresses;
}

export interface LinkedPage<Body> {
  readonly body: Body;
  readonly headers: Record<string, string>;
}

export async function listPatientsLinked(
  { table, addresses }: ListServices,
  projectId: string,
  request: PatientListRequest,
): Promise<LinkedPage<PatientList>> {
  const page = await listPatients(table, projectId, request);
  return withNextPage(page, addresses.patients, request, listFilterQuery(request));
}

export async function listTasksLinked(
  { table, addresses }: ListServices,
  projectId: string,
  request: TaskListRequest,
): Promise<LinkedPage<TaskList>> {
  const page = await listTasks(table, projectId, request);
  return withNextPage(page, addresses.tasks, request, taskFilters(request));
}

/** The filters of a task list by their query names. */
export function taskFilters(request: TaskListRequest): Record<string, string | null> {
  const { status, taskType, patientId } = request;
  return { status, task_type: taskType, patient_id: patientId, ...listFilterQuery(request) };
}

/** Reads the filters and the page of a patient list from the query. */
export function readPatientListRequest(request: Pick<RawRequest, 'query'>): PatientListRequest {
  return { ...readListPosition(request), ...readListFilter(request) };
}
