import type { Hono } from 'hono';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import { OverviewPage } from '../pages/overview-page.tsx';
import { enterNamedProject } from './request-context.ts';

/** How a project fares, at a glance. */
export function addOverviewPages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  app.get('/projects/:project_id', async (context) => {
    const { view } = await enterNamedProject(context, services);
    return context.html(<OverviewPage view={view} done={context.req.query('done')} />);
  });
}
