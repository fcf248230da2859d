import { createHash } from 'node:crypto';
import type { AuditActor, AuditEntry } from '#shared/domain/audit-entry.ts';
import { writeAuditEntry } from '#shared/table/audit-log.ts';
import type { Table } from '#shared/table/client.ts';
import { conditionHeld } from '#shared/table/condition-held.ts';
import { beginVisit } from '#shared/table/visit.ts';

/**
 * Repeated access within this time is one visit, which the log records once. Across instances a visit may last up to
 * twice as long.
 */
const visitSeconds = 10 * 60;
/** An instance with very many visitors forgets the oldest visits first; the table still has them. */
const maxKnownVisits = 10_000;

/** Records an entry unless its visit is already recorded. */
export type VisitLog = (entry: AuditEntry) => Promise<void>;

/**
 * Remembers the visits it has recorded, so that repeated access costs nothing. When several instances see the start of
 * a visit, the one that begins it names the entry, and only the first entry of this name is written.
 */
export function visitLog(table: Table): VisitLog {
  const known = new Map<string, number>();
  return async (entry) => {
    const at = new Date(entry.at);
    const visit = visitHash(entry);
    const beganAtMs = known.get(visit);
    if (beganAtMs !== undefined && at.getTime() - beganAtMs < visitSeconds * 1000) return;
    const id = await beginVisit(table, visit, entry.id, { seconds: visitSeconds, now: at });
    // Where another instance began it, its entry is there, or this one takes its place.
    if (id !== null) await conditionHeld(writeAuditEntry(table, { ...entry, id }));
    known.delete(visit);
    known.set(visit, at.getTime());
    const [oldest] = known.keys();
    if (known.size > maxKnownVisits && oldest !== undefined) known.delete(oldest);
  };
}

/** Equal for the same access by the same visitor; for a list, also to the same items. */
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
