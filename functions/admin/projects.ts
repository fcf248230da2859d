import { authorizeProject } from '#shared/admin/authorize-project.ts';
import {
  changeProject,
  createProjectOf,
  describeCaller,
  NewProjectBody,
  ProjectPatch,
  readProject,
} from '#shared/admin/projects.ts';
import { listProjectsLinked } from '#shared/http/admin-lists.ts';
import { readProjectId } from '#shared/http/admin-requests.ts';
import { readBody, readChanges } from '#shared/http/json-body.ts';
import { readListPosition } from '#shared/http/list-page.ts';
import type { projectOperations } from '#shared/operations/admin/projects.ts';
import type { AdminHandlers } from '#shared/triggers/admin.ts';
import type { AdminServices } from './admin-services.ts';

export function projectHandlers(services: AdminServices): AdminHandlers<typeof projectOperations> {
  const { table } = services;
  return {
    getMe: async (caller) => ({ body: await describeCaller(table, caller) }),
    listProjects: (caller, request) => listProjectsLinked(services, caller, readListPosition(request)),
    createProject: async (caller, request) => ({
      body: await createProjectOf(table, caller, readBody(request, NewProjectBody)),
    }),
    getProject: async (caller, request) => ({
      body: readProject(await authorizeProject(table, caller, readProjectId(request), 'project.read')),
    }),
    changeProject: async (caller, request) => ({
      body: await changeProject(table, caller, readProjectId(request), readChanges(request, ProjectPatch)),
    }),
  };
}
