import { authorizeProject } from '#shared/admin/authorize-project.ts';
import type { ManagementServices } from '#shared/admin/management-services.ts';
import { downloadExport, getExportOf, orderExportOf } from '#shared/admin/patient-exports.ts';
import type { AdminCaller } from '#shared/domain/person.ts';
import { tryToEnqueueExport } from '#shared/erasure/erasure-queue.ts';
import { readProjectId } from '#shared/http/admin-requests.ts';
import { readPathId } from '#shared/http/parameters.ts';
import type { patientExportOperations } from '#shared/operations/admin/patient-exports.ts';
import { toPatientExportResource } from '#shared/patient-exports/order-export.ts';
import type { AdminHandlers } from '#shared/triggers/admin.ts';
import type { RawRequest } from '#shared/triggers/http.ts';

export function patientExportHandlers(
  services: ManagementServices,
): AdminHandlers<typeof patientExportOperations> {
  const { table, erasureQueue } = services;
  const enter = async (caller: AdminCaller, request: RawRequest) => ({
    patientId: readPathId(request, 'patient_id', 'patient'),
    access: await authorizeProject(table, caller, readProjectId(request), 'records.export'),
  });
  return {
    exportProjectPatient: async (caller, request) => {
      const { access, patientId } = await enter(caller, request);
      const ordered = await orderExportOf(table, access, patientId);
      await tryToEnqueueExport(erasureQueue, patientId);
      return { body: toPatientExportResource(ordered) };
    },
    getProjectPatientExport: async (caller, request) => {
      const { access, patientId } = await enter(caller, request);
      return { body: toPatientExportResource(await getExportOf(table, access, patientId)) };
    },
    downloadProjectPatientExport: async (caller, request) => {
      const { access, patientId } = await enter(caller, request);
      return { headers: { Location: await downloadExport(services, access, patientId) }, body: null };
    },
  };
}
