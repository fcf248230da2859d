import type { RequestOrigin } from '#shared/domain/request-origin.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { logError } from '#shared/observability/log.ts';
import { auditEntryItem } from '#shared/table/audit-log.ts';
import type { Table } from '#shared/table/client.ts';
import type { TransactionItem } from '#shared/table/transaction.ts';
import { type AuditAction, type AuditSource, toEntry } from './access-entry.ts';
import { visitLog } from './visits.ts';

/** A client's key and its request. */
export interface Client {
  readonly projectId: string;
  readonly apiKeyId: string;
  readonly origin: RequestOrigin;
}

/** Records what clients see and change with their keys. */
export interface ClientAccess {
  /**
   * Records that a client sees something. Only the first access of a visit costs a request. A failure does not
   * withhold the response: a log line with an alarm replaces the entry.
   */
  seen(client: Client, action: AuditAction): Promise<void>;
  /** The entry of a change, to write in the same transaction. */
  changed(client: Client, action: AuditAction): TransactionItem;
}

export function clientAccess(table: Table, now: () => Date = () => new Date()): ClientAccess {
  const visits = visitLog(table);
  return {
    async seen(client, action) {
      const entry = toEntry(sourceOf(client), client.projectId, action, now());
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
      auditEntryItem(table, toEntry(sourceOf(client), client.projectId, action, now())),
  };
}

function sourceOf({ apiKeyId, origin }: Client): AuditSource {
  return { actor: { kind: 'api-key', id: apiKeyId }, origin };
}
