import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { logError } from '#shared/observability/log.ts';
import { auditEntryItem } from '#shared/table/audit-log.ts';
import type { Table } from '#shared/table/client.ts';
import type { TransactionItem } from '#shared/table/transaction.ts';
import type { Caller } from '#shared/triggers/http.ts';
import { type Deed, type Doer, toEntry } from './access-entry.ts';
import { visitLog } from './visits.ts';

/** Writes down what clients see and change with their keys. */
export interface ClientAccess {
  /**
   * Writes down that a client sees something. Only the first look of a visit costs a request, and an answer is not kept
   * back because that failed: the log then says, with an alarm, what the entry would have.
   */
  seen(caller: Caller, deed: Deed): Promise<void>;
  /** The entry of a change, to be written in the transaction that makes it. */
  changed(caller: Caller, deed: Deed): TransactionItem;
}

export function clientAccess(table: Table, now: () => Date = () => new Date()): ClientAccess {
  const visits = visitLog(table);
  return {
    async seen(caller, deed) {
      const entry = toEntry(doerOf(caller), caller.projectId, deed, now());
      try {
        await visits(entry);
      } catch (error) {
        logError(alarmingEvents.accessEntryNotWritten, error, {
          project_id: entry.project_id,
          api_key_id: caller.apiKeyId,
          action: entry.action,
          target_id: entry.target.id,
          at: entry.at,
        });
      }
    },
    changed: (caller, deed) => auditEntryItem(table, toEntry(doerOf(caller), caller.projectId, deed, now())),
  };
}

function doerOf({ apiKeyId, origin }: Caller): Doer {
  return { actor: { kind: 'api-key', id: apiKeyId }, origin };
}
