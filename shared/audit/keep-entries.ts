import { AuditEntry } from '#shared/domain/audit-entry.ts';
import { appendBlock, getNewestBlock } from '#shared/table/audit-chain.ts';
import { expireAuditEntry, unexpiredEntries } from '#shared/table/audit-expiry.ts';
import { putPatientAccess } from '#shared/table/audit-log.ts';
import { findCall } from '#shared/table/call.ts';
import type { Table } from '#shared/table/client.ts';
import { findTasks } from '#shared/table/task.ts';
import { taskIdOfKey } from '#shared/table/task-key.ts';
import { isTransactionConflict, TransactionConditionFailed } from '#shared/table/transaction.ts';
import { nextBlock, type StoredEntry } from './audit-chain.ts';
import type { AuditCopies } from './audit-copies.ts';
import { expiredThrough } from './expired-through.ts';

export interface KeeperServices {
  readonly table: Table;
  readonly copies: AuditCopies;
}

interface WrittenEntry {
  readonly id: string;
  readonly entry: AuditEntry;
  readonly stored: StoredEntry;
}

const maxTries = 10;
const storeBatchSize = 25;

/**
 * Seals new entries into their projects' chains, copies them to immutable storage, and files them under the
 * patients they concern. A duplicate is sealed twice, which proves no less, so a batch may be repeated from its
 * beginning. An entry that declares older ones expired makes them expire.
 *
 * @param items as stored
 */
export async function keepEntries(
  { table, copies }: KeeperServices,
  items: readonly StoredEntry[],
  now: () => Date = () => new Date(),
): Promise<void> {
  const byProject = Map.groupBy(items.map(toWritten), ({ entry }) => entry.project_id);
  for (const [projectId, entries] of byProject) {
    await sealEntries({ table, copies }, projectId, entries, now);
    for (const { entry } of entries) {
      await storeWithPatients(table, entry);
      const expired = expiredThrough(entry);
      if (expired !== null && !expired.isTooEarly)
        await expireEntries(table, projectId, expired.through, now());
    }
  }
}

function toWritten(stored: StoredEntry): WrittenEntry {
  const entry = AuditEntry.parse(stored);
  return { id: entry.id, entry, stored };
}

/** The copy comes first: a block of the chain without one would look forged. */
async function sealEntries(
  { table, copies }: KeeperServices,
  projectId: string,
  entries: readonly WrittenEntry[],
  now: () => Date,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const newest = await getNewestBlock(table, projectId);
    const block = nextBlock(projectId, newest, entries, now());
    await copies.put({ block, entries: entries.map(({ stored }) => ({ ...stored })) });
    try {
      return await appendBlock(table, block);
    } catch (error) {
      const isBeaten = error instanceof TransactionConditionFailed || isTransactionConflict(error);
      if (!isBeaten || tries === maxTries) throw error;
    }
  }
}

async function storeWithPatients(table: Table, entry: AuditEntry): Promise<void> {
  const patientIds = await patientsOf(table, entry);
  for (let start = 0; start < patientIds.length; start += storeBatchSize) {
    const some = patientIds.slice(start, start + storeBatchSize);
    await Promise.all(some.map((patientId) => putPatientAccess(table, entry, patientId)));
  }
}

/**
 * Sets the TTL of entries that a sealed entry declares expired. Only the keeper may do so, and it cannot delete
 * entries itself.
 */
async function expireEntries(table: Table, projectId: string, through: string, now: Date): Promise<void> {
  for await (const page of unexpiredEntries(table, projectId, { through })) {
    for (let start = 0; start < page.length; start += storeBatchSize) {
      await Promise.all(
        page.slice(start, start + storeBatchSize).map(async (stored) => {
          const { entry } = toWritten(stored);
          await expireAuditEntry(table, { stored, entry, patientIds: await patientsOf(table, entry) }, now);
        }),
      );
    }
  }
}

/** Entries about recordings name only the call; its task has the patient. */
async function patientsOf(table: Table, { patient_ids, target }: AuditEntry): Promise<readonly string[]> {
  if (patient_ids.length > 0 || target.type !== 'call') return patient_ids;
  const call = await findCall(table, target.id);
  if (call === null) return [];
  // The audit log does not need a task's sealed data.
  const tasks = await findTasks(table, [taskIdOfKey(call)]);
  return [...tasks.values()].map(({ patient_id }) => patient_id);
}
