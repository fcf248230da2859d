import type { Hono } from 'hono';
import type { ProjectAccess } from '#shared/admin/authorize-project.ts';
import { breakdownKinds, readBreakdown } from '#shared/admin/project-breakdown.ts';
import { type OverviewDays, readProjectOverview } from '#shared/admin/project-overview.ts';
import { readTaskVersions } from '#shared/admin/task-rows.ts';
import { may } from '#shared/domain/permissions.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import type { View } from '../layout/view.ts';
import { BreakdownPage } from '../pages/breakdown-page.tsx';
import { OverviewPage } from '../pages/overview-page.tsx';
import { overviewDays } from '../pages/overview-period.tsx';
import { authorizeNamedProject, type DashboardContext } from './request-context.ts';
import { taskRowsRequest } from './task-rows-request.ts';
import { tasksVersion } from './tasks-version.ts';

/** The project's overview. */
export function addOverviewPages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  app.get('/projects/:project_id', async (context) => {
    const { access, project, view } = await authorizeNamedProject(context, services);
    const days = daysOf(context);
    const [overview, version] = await Promise.all([
      readProjectOverview(services.table, project, { days, timeZone: view.timeZone }),
      newestVersion(services, access, view),
    ]);
    return context.html(
      <OverviewPage
        view={view}
        overview={overview}
        days={days}
        version={version}
        done={context.req.query('done')}
      />,
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

/** Changes with the newest tasks, which the overview counts; null for members who may not read tasks. */
async function newestVersion(
  { table }: DashboardServices,
  access: ProjectAccess,
  view: View,
): Promise<string | null> {
  if (!may(access.role, 'tasks.read')) return null;
  return tasksVersion(await readTaskVersions(table, access, await taskRowsRequest(table, access, view, {})));
}

function daysOf(context: DashboardContext): OverviewDays {
  return overviewDays.find((days) => String(days) === context.req.query('days')) ?? 7;
}
