import type { Hono } from 'hono';
import { type Found, findInProject } from '#shared/admin/task-search.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import { textOf } from '../forms/form-values.ts';
import { SearchedFrom } from '../layout/search-form.tsx';
import { FoundPatientsPage } from '../pages/found-patients-page.tsx';
import { enterNamedProject } from './request-context.ts';

/** The patients of a project, a new one, and the search for one. */
export function addPatientPages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links } = services;

  app.post('/projects/:project_id/find', async (context) => {
    const { access, view } = await enterNamedProject(context, services);
    const form = await context.req.formData();
    const text = textOf(form, 'text');
    const from = SearchedFrom.safeParse(textOf(form, 'from')).data ?? 'patients';
    const found = await attemptToFind(() => findInProject(table, access, text));
    const { id } = access.project;
    switch (found?.kind) {
      case 'task':
        return context.redirect(links.task(id, found.id), 303);
      case 'patient':
        return context.redirect(
          from === 'tasks' ? `${links.tasks(id)}?patient_id=${found.id}` : links.patient(id, found.id),
          303,
        );
      default:
        return context.html(
          <FoundPatientsPage
            view={view}
            from={from}
            text={text}
            patients={found?.patients ?? []}
            isAll={found?.isAll ?? true}
          />,
        );
    }
  });
}

async function attemptToFind(work: () => Promise<Found>): Promise<Found | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return null;
    throw error;
  }
}
