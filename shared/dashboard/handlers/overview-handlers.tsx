import type { Hono } from 'hono';
import { type OverviewDays, readProjectOverview } from '#shared/admin/project-overview.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import { OverviewPage } from '../pages/overview-page.tsx';
import { authorizeNamedProject } from './request-context.ts';

/** How a project fares, at a glance. */
export function addOverviewPages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  app.get('/projects/:project_id', async (context) => {
    const { project, view } = await authorizeNamedProject(context, services);
    const days: OverviewDays = context.req.query('days') === '30' ? 30 : 7;
    const overview = await readProjectOverview(services.table, project, { days, timeZone: view.timeZone });
    return context.html(
      <OverviewPage view={view} overview={overview} days={days} done={context.req.query('done')} />,
    );
  });
}
