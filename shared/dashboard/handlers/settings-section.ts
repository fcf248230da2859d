import type { Permission } from '#shared/domain/permissions.ts';
import type { DashboardServices } from '../dashboard-services.ts';
import { afterwards, type DoneAction } from '../layout/notices.tsx';
import { type AuthorizedProject, authorizeNamedProject, type DashboardContext } from './request-context.ts';

/** Authorizes a settings change, and returns to the section's page with a notice. */
export function settingsSection(
  services: DashboardServices,
  needed: Permission,
  address: (projectId: string) => string,
) {
  return {
    enterToChange: (context: DashboardContext) => authorizeNamedProject(context, services, needed),
    leave: (context: DashboardContext, { project }: AuthorizedProject, done: DoneAction) =>
      context.redirect(afterwards(address(project.id), done), 303),
  };
}
