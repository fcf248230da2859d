import { enterProject } from '#shared/admin/enter-project.ts';
import {
  changeProject,
  createProjectOf,
  describeCaller,
  Me,
  NewProjectBody,
  ProjectList,
  ProjectPatch,
  ProjectResource,
  readProject,
} from '#shared/admin/projects.ts';
import { listProjectsLinked } from '#shared/http/admin-lists.ts';
import { readProjectId } from '#shared/http/admin-requests.ts';
import { readBody, readChanges } from '#shared/http/json-body.ts';
import { readListPosition } from '#shared/http/list-page.ts';
import { signedInPerson } from '#shared/identity/signed-in-person.ts';
import { openTable } from '#shared/table/client.ts';
import { adminEndpoint, adminFunction } from '#shared/triggers/admin.ts';
import { environment } from '#shared/triggers/environment.ts';

const table = openTable(environment('TABLE_NAME'));
const publicBaseUrl = environment('PUBLIC_BASE_URL');

export const handler = adminFunction({
  authenticate: signedInPerson(),
  operations: {
    'GET /admin/me': adminEndpoint({
      parse: () => null,
      perform: async (caller) => ({ status: 200, body: await describeCaller(table, caller) }),
      response: Me,
    }),
    'GET /admin/projects': adminEndpoint({
      parse: readListPosition,
      perform: async (caller, position) => ({
        status: 200,
        ...(await listProjectsLinked({ table, publicBaseUrl }, caller, position)),
      }),
      response: ProjectList,
    }),
    'POST /admin/projects': adminEndpoint({
      parse: (request) => readBody(request, NewProjectBody),
      perform: async (caller, newProject) => ({
        status: 201,
        body: await createProjectOf(table, caller, newProject),
      }),
      response: ProjectResource,
    }),
    'GET /admin/projects/{project_id}': adminEndpoint({
      parse: readProjectId,
      perform: async (caller, projectId) => ({
        status: 200,
        body: readProject(await enterProject(table, caller, projectId, 'viewer')),
      }),
      response: ProjectResource,
    }),
    'PATCH /admin/projects/{project_id}': adminEndpoint({
      parse: (request) => ({
        projectId: readProjectId(request),
        changes: readChanges(request, ProjectPatch),
      }),
      perform: async (caller, { projectId, changes }) => ({
        status: 200,
        body: await changeProject(table, caller, projectId, changes),
      }),
      response: ProjectResource,
    }),
  },
});
