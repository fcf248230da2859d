import { type ApiKeyList, readApiKeys } from '#shared/admin/api-keys.ts';
import { type AuditLog, readAuditLog, viewPatientAccess } from '#shared/admin/audit-log.ts';
import type { EndpointAddress } from '#shared/admin/authorize-endpoint.ts';
import type { ProjectAccess } from '#shared/admin/authorize-project.ts';
import { type DeliveryList, type DeliveryListRequest, readDeliveries } from '#shared/admin/deliveries.ts';
import { viewPatients } from '#shared/admin/patients.ts';
import { listProjects, type ProjectList } from '#shared/admin/projects.ts';
import { viewTask, viewTasks } from '#shared/admin/tasks.ts';
import type { AdminCaller } from '#shared/domain/person.ts';
import type { ListPosition } from '#shared/lists/list-page.ts';
import type { PatientList } from '#shared/patients/list-patients.ts';
import type { Table } from '#shared/table/client.ts';
import type { TaskRequest } from '#shared/tasks/get-task.ts';
import type { TaskList, TaskListRequest } from '#shared/tasks/list-tasks.ts';
import type { TaskResource } from '#shared/tasks/task-resource.ts';
import { managementAddresses } from './addresses.ts';
import { withNextPage } from './list-page.ts';
import { nextPageLink } from './task-requests.ts';
import { type LinkedPage, taskFilters } from './v1-lists.ts';

/* The lists of the management API, each with a `Link` header to its next page. */

interface ListServices {
  readonly table: Table;
  readonly publicBaseUrl: string;
}

export async function listProjectsLinked(
  { table, publicBaseUrl }: ListServices,
  caller: AdminCaller,
  position: ListPosition,
): Promise<LinkedPage<ProjectList>> {
  const page = await listProjects(table, caller, position);
  return withNextPage(page, `${publicBaseUrl}/admin/projects`, position);
}

export async function listApiKeysLinked(
  services: ListServices,
  caller: AdminCaller,
  projectId: string,
  position: ListPosition,
): Promise<LinkedPage<ApiKeyList>> {
  const page = await readApiKeys(services.table, caller, projectId, position);
  return withNextPage(page, `${projectUrl(services, projectId)}/api-keys`, position);
}

export async function listAuditLogLinked(
  services: ListServices,
  caller: AdminCaller,
  projectId: string,
  position: ListPosition,
): Promise<LinkedPage<AuditLog>> {
  const page = await readAuditLog(services.table, caller, projectId, position);
  return withNextPage(page, `${projectUrl(services, projectId)}/audit-log`, position);
}

export async function listPatientAccessLinked(
  services: ListServices,
  access: ProjectAccess,
  patientId: string,
  position: ListPosition,
): Promise<LinkedPage<AuditLog>> {
  const page = await viewPatientAccess(services.table, access, patientId, position);
  const url = `${projectUrl(services, access.project.id)}/patients/${patientId}/access-log`;
  return withNextPage(page, url, position);
}

export async function listDeliveriesLinked(
  services: ListServices,
  caller: AdminCaller,
  address: EndpointAddress,
  request: DeliveryListRequest,
): Promise<LinkedPage<DeliveryList>> {
  const page = await readDeliveries(services.table, caller, address, request);
  const url = `${projectUrl(services, address.projectId)}/webhooks/${address.webhookId}/deliveries`;
  return withNextPage(page, url, request.position, { status: request.status });
}

export async function listPatientsViewed(
  { table, publicBaseUrl }: ListServices,
  access: ProjectAccess,
  position: ListPosition,
): Promise<LinkedPage<PatientList>> {
  const page = await viewPatients(table, access, position);
  return withNextPage(page, managementAddresses(publicBaseUrl, access.project.id).patients, position);
}

export async function listTasksViewed(
  { table, publicBaseUrl }: ListServices,
  access: ProjectAccess,
  request: TaskListRequest,
): Promise<LinkedPage<TaskList>> {
  const page = await viewTasks(table, access, request);
  const { tasks } = managementAddresses(publicBaseUrl, access.project.id);
  return withNextPage(page, tasks, request, taskFilters(request));
}

/** A task with a `Link` header to the calls that the response omits. */
export async function getTaskViewed(
  { table, publicBaseUrl }: ListServices,
  access: ProjectAccess,
  request: TaskRequest,
): Promise<LinkedPage<TaskResource>> {
  const addresses = managementAddresses(publicBaseUrl, access.project.id);
  const { resource, next } = await viewTask({ table, addresses }, access, request);
  return {
    body: resource,
    headers: next === null ? {} : { Link: nextPageLink(addresses, request, next) },
  };
}

/** The project exists, so the ID is a UUID; IDs are shown in lower case. */
function projectUrl({ publicBaseUrl }: ListServices, projectId: string): string {
  return `${publicBaseUrl}/admin/projects/${projectId.toLowerCase()}`;
}
