import type { ManagementServices } from '#shared/admin/management-services.ts';
import { addMember, NewMember, readMembers, removeMember } from '#shared/admin/members.ts';
import { readMemberEmail, readProjectId } from '#shared/http/admin-requests.ts';
import { readBody } from '#shared/http/json-body.ts';
import type { memberOperations } from '#shared/operations/admin/members.ts';
import type { AdminHandlers } from '#shared/triggers/admin.ts';

export function memberHandlers(services: ManagementServices): AdminHandlers<typeof memberOperations> {
  const { table } = services;
  return {
    listMembers: async (caller, request) => ({
      body: await readMembers(table, caller, readProjectId(request)),
    }),
    setMember: async (caller, request) => {
      const member = { email: readMemberEmail(request), role: readBody(request, NewMember).role };
      return { body: await addMember(services, caller, readProjectId(request), member) };
    },
    removeMember: async (caller, request) => {
      await removeMember(table, caller, readProjectId(request), readMemberEmail(request));
      return { body: null };
    },
  };
}
