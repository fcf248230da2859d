import type { Hono } from 'hono';
import { downloadExport, findExportOf, orderExportOf } from '#shared/admin/patient-exports.ts';
import { tryToEnqueueExport } from '#shared/erasure/erasure-queue.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import { exportVersion, PatientExportPage } from '../pages/patient-export-page.tsx';
import { authorizeNamedProject, type DashboardContext, identifierOf } from './request-context.ts';

const route = '/projects/:project_id/patients/:patient_id/export';

/** A patient's export: request, progress, download. */
export function addPatientExportPages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links, erasureQueue, bucket } = services;
  const enter = async (context: DashboardContext) => ({
    patientId: identifierOf(context, 'patient_id'),
    ...(await authorizeNamedProject(context, services, 'records.export')),
  });

  app.get(route, async (context) => {
    const { access, patientId, view } = await enter(context);
    const found = await findExportOf(table, access, patientId);
    return context.html(<PatientExportPage view={view} patientId={patientId} found={found} />);
  });

  app.post(route, async (context) => {
    const { access, patientId, project } = await enter(context);
    await orderExportOf(table, access, patientId);
    await tryToEnqueueExport(erasureQueue, patientId);
    return context.redirect(links.patient(project.id, patientId, '/export'), 303);
  });

  app.get(`${route}/version`, async (context) => {
    const { access, patientId } = await enter(context);
    return context.text(exportVersion(await findExportOf(table, access, patientId)));
  });

  app.get(`${route}/file`, async (context) => {
    const { access, patientId } = await enter(context);
    return context.redirect(await downloadExport({ table, bucket }, access, patientId), 302);
  });
}
