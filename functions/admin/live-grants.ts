import { auditItem } from '#shared/admin/audit.ts';
import { GrantInput, type GrantServices, grantLive, withdrawLive } from '#shared/admin/live-grant.ts';
import { authorizeOperator } from '#shared/admin/operators.ts';
import type { CarrierClient } from '#shared/carrier/carrier-client.ts';
import type { AdminCaller } from '#shared/domain/person.ts';
import { readProjectId } from '#shared/http/admin-requests.ts';
import { readBody } from '#shared/http/json-body.ts';
import type { liveGrantOperations } from '#shared/operations/admin/live-grants.ts';
import type { Table } from '#shared/table/client.ts';
import type { AdminHandlers } from '#shared/triggers/admin.ts';

export interface LiveGrantServices {
  readonly table: Table;
  /** Email addresses that may grant, in lower case. */
  readonly operators: readonly string[];
  /** Null without credentials. */
  readonly liveCarrier: () => Promise<Pick<CarrierClient, 'ownsNumber'> | null>;
}

export function liveGrantHandlers(services: LiveGrantServices): AdminHandlers<typeof liveGrantOperations> {
  const { table, operators, liveCarrier } = services;
  const auditOf =
    (caller: AdminCaller): GrantServices['audit'] =>
    (id, action, now) =>
      auditItem(table, { caller, project: { id } }, action, now);
  return {
    grantLive: async (caller, request) => {
      const projectId = readProjectId(request);
      await authorizeOperator(table, operators, caller, projectId);
      const input = readBody(request, GrantInput);
      const granting = { table, carrier: await liveCarrier(), audit: auditOf(caller) };
      const { id: project_id, live_grant } = await grantLive(granting, projectId, input);
      return { body: { project_id, live_grant } };
    },
    withdrawLive: async (caller, request) => {
      const projectId = readProjectId(request);
      await authorizeOperator(table, operators, caller, projectId);
      const { id: project_id, live_grant } = await withdrawLive({ table, audit: auditOf(caller) }, projectId);
      return { body: { project_id, live_grant } };
    },
  };
}
