import type { RequestOrigin } from '#shared/domain/request-origin.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { logError } from '#shared/observability/log.ts';
import { auditEntryItem } from '#shared/table/audit-log.ts';
import type { Table } from '#shared/table/client.ts';
import type { TransactionItem } from '#shared/table/transaction.ts';
import { type AuditAction, type Doer, toEntry } from './access-entry.ts';
import { visitLog } from './visits.ts';

/** A client, by its key, and the request that it asks by. */
export interface Client {
  readonly projectId: string;
  readonly apiKeyId: string;
  readonly origin: RequestOrigin;
}

/** Writes down what clients see and change with their keys. */
export interface ClientAccess {
  /**
   * Writes down that a client sees something. Only the first look of a visit costs a request, and an answer
   * is not kept back because that failed: the log then says, with an alarm, what the entry would have.
   */
  seen(client: Client, action: AuditAction): Promise<void>;
  /** The entry of a change, to be written in the transaction that makes it. */
  changed(client: Client, action: AuditAction): TransactionItem;
}

export function clientAccess(table: Table, now: () => Date = () => new Date()): ClientAccess {
  const visits = visitLog(table);
  return {
    async seen(client, action) {
      const entry = toEntry(doerOf(client), client.projectId, action, now());
      try {
        await visits(entry);
      } catch (error) {
        logError(alarmingEvents.accessEntryNotWritten, error, {
          project_id: entry.project_id,
          api_key_id: client.apiKeyId,
          action: entry.action,
          target_id: entry.target.id,
          at: entry.at,
        });
      }
    },
    changed: (client, action) =>
      auditEntryItem(table, toEntry(doerOf(client), client.projectId, action, now())),
  };
}

function doerOf({ apiKeyId, origin }: Client): Doer {
  return { actor: { kind: 'api-key', id: apiKeyId }, origin };
}
