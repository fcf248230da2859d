import type { Hono } from 'hono';
import { breakdownKinds, readBreakdown } from '#shared/admin/project-breakdown.ts';
import { type OverviewDays, readProjectOverview } from '#shared/admin/project-overview.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import { BreakdownPage } from '../pages/breakdown-page.tsx';
import { OverviewPage } from '../pages/overview-page.tsx';
import { authorizeNamedProject, type DashboardContext } from './request-context.ts';

/** How a project fares, at a glance. */
export function addOverviewPages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  app.get('/projects/:project_id', async (context) => {
    const { project, view } = await authorizeNamedProject(context, services);
    const days = daysOf(context);
    const overview = await readProjectOverview(services.table, project, { days, timeZone: view.timeZone });
    return context.html(
      <OverviewPage view={view} overview={overview} days={days} done={context.req.query('done')} />,
    );
  });

  app.get('/projects/:project_id/results', async (context) => {
    const { project, view } = await authorizeNamedProject(context, services);
    const days = daysOf(context);
    const by = breakdownKinds.find((kind) => kind === context.req.query('by')) ?? 'type';
    const { timeZone } = view;
    const breakdown = await readBreakdown(services.table, project, { by, days, timeZone });
    return context.html(<BreakdownPage view={view} breakdown={breakdown} by={by} days={days} />);
  });
}

function daysOf(context: DashboardContext): OverviewDays {
  return context.req.query('days') === '30' ? 30 : 7;
}
