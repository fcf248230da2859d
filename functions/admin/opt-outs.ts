import { authorizeProject } from '#shared/admin/authorize-project.ts';
import type { ManagementServices } from '#shared/admin/management-services.ts';
import {
  addOptOutOf,
  confirmOptOutOf,
  importOptOuts,
  liftOptOutOf,
  NewOptOut,
  OptOutDecision,
  OptOutImport,
  readOptOuts,
} from '#shared/admin/opt-outs.ts';
import { readProjectId } from '#shared/http/admin-requests.ts';
import { readBody } from '#shared/http/json-body.ts';
import { readPathNumber } from '#shared/http/parameters.ts';
import type { optOutOperations } from '#shared/operations/admin/opt-outs.ts';
import type { AdminHandlers } from '#shared/triggers/admin.ts';

export function optOutHandlers({ table }: ManagementServices): AdminHandlers<typeof optOutOperations> {
  return {
    listOptOuts: async (caller, request) => {
      const access = await authorizeProject(table, caller, readProjectId(request), 'opt-outs.read');
      return { body: await readOptOuts(table, access) };
    },
    addOptOut: async (caller, request) => {
      const body = readBody(request, NewOptOut);
      const access = await authorizeProject(table, caller, readProjectId(request), 'opt-outs.change');
      return { body: await addOptOutOf(table, access, body) };
    },
    importOptOuts: async (caller, request) => {
      const body = readBody(request, OptOutImport);
      const access = await authorizeProject(table, caller, readProjectId(request), 'opt-outs.change');
      return { body: await importOptOuts(table, access, body) };
    },
    confirmOptOut: async (caller, request) => {
      const number = readPathNumber(request, 'phone_number');
      const body = readBody(request, OptOutDecision);
      const access = await authorizeProject(table, caller, readProjectId(request), 'opt-outs.change');
      return { body: await confirmOptOutOf(table, access, number, body) };
    },
    liftOptOut: async (caller, request) => {
      const number = readPathNumber(request, 'phone_number');
      const body = readBody(request, OptOutDecision);
      const access = await authorizeProject(table, caller, readProjectId(request), 'opt-outs.change');
      return { body: await liftOptOutOf(table, access, number, body) };
    },
  };
}
