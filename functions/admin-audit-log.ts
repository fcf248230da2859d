import { AuditLog } from '#shared/admin/audit-log.ts';
import { listAuditLogLinked } from '#shared/http/admin-lists.ts';
import { readProjectId } from '#shared/http/admin-requests.ts';
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
    'GET /admin/projects/{project_id}/audit-log': adminEndpoint({
      parse: (request) => ({
        projectId: readProjectId(request),
        position: readListPosition(request),
      }),
      perform: async (caller, { projectId, position }) => ({
        status: 200,
        ...(await listAuditLogLinked({ table, publicBaseUrl }, caller, projectId, position)),
      }),
      response: AuditLog,
    }),
  },
});
