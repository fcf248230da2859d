import { authorizeProject } from '#shared/admin/authorize-project.ts';
import type { ManagementServices } from '#shared/admin/management-services.ts';
import {
  changeProject,
  createProjectOf,
  describeCaller,
  NewProjectBody,
  ProjectPatch,
  readProject,
} from '#shared/admin/projects.ts';
import { checkPeriod, readUsage } from '#shared/admin/usage.ts';
import { listProjectsLinked } from '#shared/http/admin-lists.ts';
import { readPeriod, readProjectId } from '#shared/http/admin-requests.ts';
import { readBody, readChanges } from '#shared/http/json-body.ts';
import { readListPosition } from '#shared/http/list-page.ts';
import type { projectOperations } from '#shared/operations/admin/projects.ts';
import type { AdminHandlers } from '#shared/triggers/admin.ts';

export function projectHandlers(services: ManagementServices): AdminHandlers<typeof projectOperations> {
  const { table } = services;
  return {
    getMe: async (caller) => ({ body: await describeCaller(table, caller) }),
    listProjects: (caller, request) => listProjectsLinked(services, caller, readListPosition(request)),
    createProject: async (caller, request) => ({
      body: await createProjectOf(services, caller, readBody(request, NewProjectBody)),
    }),
    getProject: async (caller, request) => ({
      body: readProject(await authorizeProject(table, caller, readProjectId(request), 'project.read')),
    }),
    getProjectUsage: async (caller, request) => {
      const period = checkPeriod(readPeriod(request), new Date());
      const access = await authorizeProject(table, caller, readProjectId(request), 'project.read');
      return { body: await readUsage(table, access, period) };
    },
    changeProject: async (caller, request) => ({
      body: await changeProject(table, caller, readProjectId(request), readChanges(request, ProjectPatch)),
    }),
  };
}
