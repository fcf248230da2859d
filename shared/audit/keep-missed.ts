import { AuditEntry } from '#shared/domain/audit-entry.ts';
import { timestampAfter } from '#shared/domain/time.ts';
import { AuditBlock, auditItems, chainItems } from '#shared/table/audit-chain.ts';
import { timeToLiveAttribute } from '#shared/table/time-to-live.ts';
import type { StoredEntry } from './audit-chain.ts';
import { type KeeperServices, keepEntries } from './keep-entries.ts';

/** A newer entry may still be with the keeper. */
const keeperHasMs = 60 * 60_000;
const entriesAtOnce = 100;

/**
 * Does what the keeper has missed for a project's entries from `since` on, however long its stream was down: keeps
 * those that the chain lacks. Returns how many.
 */
export async function keepMissed(
  services: KeeperServices,
  { projectId, since, now }: { readonly projectId: string; readonly since: Date; readonly now: Date },
): Promise<number> {
  const { table } = services;
  const sealed = new Set<string>();
  for await (const block of chainItems(table, projectId)) {
    for (const { id } of AuditBlock.parse(block).entries) sealed.add(id);
  }
  const until = timestampAfter(now, -keeperHasMs);
  const missed: StoredEntry[] = [];
  for await (const item of auditItems(table, projectId)) {
    const { id, at } = AuditEntry.parse(item);
    const isPast = at >= since.toISOString() && at < until && item[timeToLiveAttribute] === undefined;
    if (isPast && !sealed.has(id)) missed.push(item);
  }
  for (let start = 0; start < missed.length; start += entriesAtOnce) {
    await keepEntries(services, missed.slice(start, start + entriesAtOnce), () => now);
  }
  return missed.length;
}
