import * as z from 'zod/mini';
import {
  MemberList,
  MemberResource,
  NewMember,
  readMembers,
  removeMember,
  setMember,
} from '#shared/admin/members.ts';
import { readMemberEmail, readProjectId } from '#shared/http/admin-requests.ts';
import { readBody } from '#shared/http/json-body.ts';
import { signedInPerson } from '#shared/identity/signed-in-person.ts';
import { openTable } from '#shared/table/client.ts';
import { adminEndpoint, adminFunction } from '#shared/triggers/admin.ts';
import { environment } from '#shared/triggers/environment.ts';

const table = openTable(environment('TABLE_NAME'));

export const handler = adminFunction({
  authenticate: signedInPerson(),
  operations: {
    'GET /admin/projects/{project_id}/members': adminEndpoint({
      parse: readProjectId,
      perform: async (caller, projectId) => ({
        status: 200,
        body: await readMembers(table, caller, projectId),
      }),
      response: MemberList,
    }),
    'PUT /admin/projects/{project_id}/members/{email}': adminEndpoint({
      parse: (request) => ({
        projectId: readProjectId(request),
        email: readMemberEmail(request),
        role: readBody(request, NewMember).role,
      }),
      perform: async (caller, { projectId, ...member }) => ({
        status: 200,
        body: await setMember(table, caller, projectId, member),
      }),
      response: MemberResource,
    }),
    'DELETE /admin/projects/{project_id}/members/{email}': adminEndpoint({
      parse: (request) => ({ projectId: readProjectId(request), email: readMemberEmail(request) }),
      perform: async (caller, { projectId, email }) => {
        await removeMember(table, caller, projectId, email);
        return { status: 204, body: null };
      },
      response: z.null(),
    }),
  },
});
