import { createHash } from 'node:crypto';
import type { AuditActor, AuditEntry } from '#shared/domain/audit-entry.ts';
import { auditEntryItem } from '#shared/table/audit-log.ts';
import type { Table } from '#shared/table/client.ts';
import { TransactionConditionFailed, writeContendedTransaction } from '#shared/table/transaction.ts';
import { beginVisitItem } from '#shared/table/visit.ts';

/**
 * Looking at the same again within this time is the same visit, which the log tells once. With several
 * instances a visit may last up to twice as long.
 */
const visitSeconds = 10 * 60;
/** An instance that serves very many visitors forgets the oldest visits first; the table still knows them. */
const maxKnownVisits = 10_000;

/** Writes an entry down unless it belongs to a visit that has been written down. */
export type VisitLog = (entry: AuditEntry) => Promise<void>;

/**
 * Remembers the visits that it has written down itself, so that looking again costs nothing. Of several
 * instances that see the beginning of a visit one writes the entry, in the transaction that begins the
 * visit.
 */
export function visitLog(table: Table): VisitLog {
  const known = new Map<string, number>();
  return async (entry) => {
    const at = new Date(entry.at);
    const visit = visitHash(entry);
    const beganAtMs = known.get(visit);
    if (beganAtMs !== undefined && at.getTime() - beganAtMs < visitSeconds * 1000) return;
    try {
      await writeContendedTransaction(table, [
        beginVisitItem(table, visit, visitSeconds, at),
        auditEntryItem(table, entry),
      ]);
    } catch (error) {
      // Otherwise another instance has written the visit down, and it goes on here.
      if (!(error instanceof TransactionConditionFailed)) throw error;
    }
    known.delete(visit);
    known.set(visit, at.getTime());
    const [oldest] = known.keys();
    if (known.size > maxKnownVisits && oldest !== undefined) known.delete(oldest);
  };
}

/** The same for the same look of the same visitor; of a list also for the same things in it. */
function visitHash({ project_id, actor, action, target, after }: AuditEntry): string {
  const shown = target.type === 'project' ? after : null;
  return createHash('sha256')
    .update(JSON.stringify([project_id, visitorOf(actor), action, target.type, target.id, shown]))
    .digest('hex');
}

function visitorOf(actor: AuditActor): string {
  switch (actor.kind) {
    case 'person':
      return `person ${actor.subject}`;
    case 'api-key':
      return `api-key ${actor.id}`;
    case 'command':
    case 'service':
      return actor.kind;
    default:
      return actor satisfies never;
  }
}
