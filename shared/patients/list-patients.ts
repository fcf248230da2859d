import * as z from 'zod/mini';
import { fitPage, type ListPosition, toPageRequest } from '#shared/lists/list-page.ts';
import type { Table } from '#shared/table/client.ts';
import { listProjectPatients } from '#shared/table/patient.ts';
import { PatientResource, toPatientResource } from './patient-resource.ts';

/** The answer to `GET /v1/patient`. */
export const PatientList = z.object({
  patients: z.array(PatientResource),
  next_cursor: z.nullable(z.string()),
});
export type PatientList = z.infer<typeof PatientList>;

/**
 * Patients of the caller's project, newest first. A page may be shorter than asked for: only a `next_cursor`
 * that is null says that there is nothing more. Throws `invalid_request` for a cursor that this list was not
 * answered with.
 */
export async function listPatients(
  table: Table,
  callerProjectId: string,
  position: ListPosition,
): Promise<PatientList> {
  const list = ['patients', callerProjectId];
  const { items, next } = await listProjectPatients(table, callerProjectId, toPageRequest(list, position));
  const { resources, nextCursor } = fitPage(list, { items: items.map(toPatientResource), next }, position);
  return { patients: resources, next_cursor: nextCursor };
}
