import type { Addresses } from '#shared/domain/addresses.ts';
import type { ListPosition } from '#shared/lists/list-page.ts';
import { listPatients, type PatientList } from '#shared/patients/list-patients.ts';
import type { Table } from '#shared/table/client.ts';
import { listTasks, type TaskList, type TaskListRequest } from '#shared/tasks/list-tasks.ts';
import { withNextPage } from './list-page.ts';

/*
 * The lists of `/v1`, each with the `Link` header that leads to its next page.
 */

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
  position: ListPosition,
): Promise<LinkedPage<PatientList>> {
  return withNextPage(await listPatients(table, projectId, position), addresses.patients, position);
}

export async function listTasksLinked(
  { table, addresses }: ListServices,
  projectId: string,
  request: TaskListRequest,
): Promise<LinkedPage<TaskList>> {
  const page = await listTasks(table, projectId, request);
  return withNextPage(page, addresses.tasks, request, taskFilters(request));
}

/** The filters of a list of tasks, as the query names them. */
export function taskFilters({ status, taskType, patientId }: TaskListRequest): Record<string, string | null> {
  return { status, task_type: taskType, patient_id: patientId };
}
