import { authorizeProject } from '#shared/admin/authorize-project.ts';
import { readDestinations, removeDestinationOf, saveDestinationOf } from '#shared/admin/destinations.ts';
import type { ManagementServices } from '#shared/admin/management-services.ts';
import { DestinationBody } from '#shared/directory/change-directory.ts';
import { readProjectId } from '#shared/http/admin-requests.ts';
import { readBody } from '#shared/http/json-body.ts';
import { readPathNumber } from '#shared/http/parameters.ts';
import type { destinationOperations } from '#shared/operations/admin/destinations.ts';
import type { AdminHandlers } from '#shared/triggers/admin.ts';

export function destinationHandlers({
  table,
}: ManagementServices): AdminHandlers<typeof destinationOperations> {
  return {
    listDestinations: async (caller, request) => {
      const access = await authorizeProject(table, caller, readProjectId(request), 'destinations.read');
      return { body: await readDestinations(table, access) };
    },
    saveDestination: async (caller, request) => {
      const number = readPathNumber(request, 'phone_number');
      const body = readBody(request, DestinationBody);
      const access = await authorizeProject(table, caller, readProjectId(request), 'destinations.change');
      return { body: await saveDestinationOf(table, access, number, body) };
    },
    removeDestination: async (caller, request) => {
      const number = readPathNumber(request, 'phone_number');
      const access = await authorizeProject(table, caller, readProjectId(request), 'destinations.change');
      await removeDestinationOf(table, access, number);
      return { body: null };
    },
  };
}
