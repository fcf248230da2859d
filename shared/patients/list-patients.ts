import * as z from 'zod/mini';
import { identityOf, type ListFilter, resolveFilter } from '#shared/lists/filtered-list.ts';
import { fitPage, type ListPosition, toPageRequest } from '#shared/lists/list-page.ts';
import type { Table } from '#shared/table/client.ts';
import { listProjectPatients } from '#shared/table/patient.ts';
import { PatientResource, toPatientResource } from './patient-resource.ts';

/** The response to `GET /v1/patient`. */
export const PatientList = z.object({
  patients: z.array(PatientResource),
  next_cursor: z.nullable(z.string()),
});
export type PatientList = z.infer<typeof PatientList>;

/** Parameters of `GET /v1/patient`. */
export interface PatientListRequest extends ListPosition, ListFilter {}

/**
 * Patients of the caller's project, newest first. Pages may be shorter than requested: only a null `next_cursor` ends
 * the list. Throws `invalid_request` for a cursor of another list.
 */
export async function listPatients(
  table: Table,
  callerProjectId: string,
  request: PatientListRequest,
): Promise<PatientList> {
  const list = ['patients', callerProjectId, ...identityOf(request)];
  const position = toPageRequest(list, request);
  const filter = await resolveFilter(table, { projectId: callerProjectId, kind: 'PATIENT' }, request);
  if (filter === null) return { patients: [], next_cursor: null };
  const { items, next } = await listProjectPatients(table, callerProjectId, position, filter);
  const { resources, nextCursor } = fitPage(list, { items: items.map(toPatientResource), next }, request);
  return { patients: resources, next_cursor: nextCursor };
}
