import type { Hono } from 'hono';
import { mergeDuplicate, viewDuplicates, viewPatient } from '#shared/admin/patients.ts';
import { findInProject } from '#shared/admin/task-search.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import { formStatus, textOf } from '../forms/form-values.ts';
import { afterwards } from '../layout/notices.tsx';
import { MergePreviewPage, PatientMergePage } from '../pages/patient-merge-page.tsx';
import { attempt, authorizeNamedProject, identifierOf } from './request-context.ts';
import { openSearch, sealSearch } from './sealed-search.ts';

const route = '/projects/:project_id/patients/:patient_id/merge';

/** Merging two records of one person. Needs the permission to erase, because one of them is deleted. */
export function addPatientMergePages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links } = services;

  app.get(route, async (context) => {
    const { access, view } = await authorizeNamedProject(context, services, 'records.erase');
    const kept = await viewPatient(table, access, identifierOf(context, 'patient_id'));
    const other = Uuid.safeParse(context.req.query('with'));
    if (!other.success) {
      const candidates = await viewDuplicates(table, access, kept);
      return context.html(<PatientMergePage view={view} kept={kept} text="" candidates={candidates} />);
    }
    const duplicate = await viewPatient(table, access, other.data);
    return context.html(<MergePreviewPage view={view} kept={kept} duplicate={duplicate} errors={{}} />);
  });

  app.post(`${route}/search`, async (context) => {
    const { project } = await authorizeNamedProject(context, services, 'records.erase');
    const address = links.patient(project.id, identifierOf(context, 'patient_id'), '/merge/search');
    const q = await sealSearch(context, services, textOf(await context.req.formData(), 'text'));
    return context.redirect(`${address}?${new URLSearchParams({ q })}`, 303);
  });

  app.get(`${route}/search`, async (context) => {
    const { access, view } = await authorizeNamedProject(context, services, 'records.erase');
    const patientId = identifierOf(context, 'patient_id');
    const text = await openSearch(context, services);
    if (text === null) return context.redirect(links.patient(view.project.id, patientId, '/merge'), 303);
    const kept = await viewPatient(table, access, patientId);
    const found = await findInProject(table, access, text);
    if (found?.kind === 'patient' && found.id !== kept.id) {
      return context.redirect(`${links.patient(view.project.id, kept.id, '/merge')}?with=${found.id}`, 303);
    }
    const patients = found?.kind === 'several' ? found.patients : [];
    const candidates = patients.filter(({ id }) => id !== kept.id);
    return context.html(<PatientMergePage view={view} kept={kept} text={text} candidates={candidates} />);
  });

  app.post(route, async (context) => {
    const { access, view } = await authorizeNamedProject(context, services, 'records.erase');
    const keptId = identifierOf(context, 'patient_id');
    const duplicateId = textOf(await context.req.formData(), 'duplicate_id');
    const merged = await attempt(() => mergeDuplicate(table, access, { keptId, duplicateId }));
    if (merged.done) {
      return context.redirect(afterwards(links.patient(view.project.id, keptId), 'patients-merged'), 303);
    }
    const [kept, duplicate] = await Promise.all([
      viewPatient(table, access, keptId),
      viewPatient(table, access, duplicateId),
    ]);
    return context.html(
      <MergePreviewPage view={view} kept={kept} duplicate={duplicate} errors={merged.errors} />,
      formStatus(merged.errors),
    );
  });
}
