import type { Hono } from 'hono';
import { removeView, saveView } from '#shared/admin/saved-views.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import { textOf } from '../forms/form-values.ts';
import { filtersOf, readTaskListQuery } from '../forms/task-list-query.ts';
import { afterwards } from '../layout/notices.tsx';
import { attempt, authorizeNamedProject, parameterOf } from './request-context.ts';
import { showTasks } from './show-tasks.tsx';

const path = '/projects/:project_id/saved-views';

/** Saved filters of the task list. */
export function addSavedViewPages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links } = services;

  app.post(path, async (context) => {
    const entered = await authorizeNamedProject(context, services, 'tasks.read');
    const form = await context.req.formData();
    const query = filtersOf(readTaskListQuery((name) => textOf(form, name) || undefined));
    const named = { name: textOf(form, 'name'), isShared: textOf(form, 'shared') !== '' };
    const saved = await attempt(() => saveView(table, entered.access, { ...named, query }), 'name');
    return saved.done
      ? context.redirect(afterwards(links.tasks(entered.project.id, query), 'view-saved'), 303)
      : showTasks(context, services, entered, query, { ...named, errors: saved.errors });
  });

  app.post(`${path}/:view_id/delete`, async (context) => {
    const { access, project } = await authorizeNamedProject(context, services, 'tasks.read');
    try {
      await removeView(table, access, parameterOf(context, 'view_id'));
    } catch (error) {
      // A second click finds the view already deleted.
      if (!(error instanceof ServiceError && error.code === 'not_found')) throw error;
    }
    return context.redirect(afterwards(links.tasks(project.id), 'view-deleted'), 303);
  });
}
