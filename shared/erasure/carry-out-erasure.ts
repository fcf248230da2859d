import { retryWaitMs } from '#shared/calls/retry-wait.ts';
import type { Erasure } from '#shared/domain/erasure.ts';
import { annotateLog } from '#shared/observability/log.ts';
import { getErasure, replaceErasureItem } from '#shared/table/erasure.ts';
import {
  TransactionConditionFailed,
  type TransactionItem,
  writeTransaction,
} from '#shared/table/transaction.ts';
import { eraseImportRows, forgetRows } from './erase-import-rows.ts';
import { erasePatient } from './erase-patient.ts';
import { eraseProject } from './erase-project.ts';
import { eraseTask } from './erase-task.ts';
import { enqueueErasure } from './erasure-queue.ts';
import type { Delay, ErasureServices } from './erasure-services.ts';
import { legalHold } from './legal-hold.ts';

const secondMs = 1000;
const longestWaitMs = 60 * 60 * secondMs;

/**
 * Carries an erasure out as far as possible now. The receipt records what blocks it and stays due, also after a crash
 * at any moment; each step is idempotent. It is done only when nothing is left.
 */
export async function carryOutErasure(services: ErasureServices, id: string): Promise<void> {
  annotateLog({ erasure_id: id });
  const erasure = await getErasure(services.table, id);
  if (erasure === null || erasure.status === 'DONE') return;
  annotateLog({ project_id: erasure.project_id, erases: erasure.target });
  const delay = await delayOf(services, erasure);
  const now = services.now();
  if (delay === null) {
    annotateLog({ erasure: 'done' });
    const completed_at = now.toISOString();
    const { known_as: _, row_keys: __, ...kept } = erasure;
    const done = { ...kept, status: 'DONE', waiting_for: null, completed_at, due_at: null } as const;
    return write(services, done, forgetRows(services.table, erasure));
  }
  annotateLog({ erasure: 'waits' });
  const waitedMs = now.getTime() - Date.parse(erasure.requested_at);
  const dueAt = delay.until ?? new Date(now.getTime() + retryWaitMs(waitedMs, longestWaitMs));
  const closed_at = delay.closedAt?.toISOString() ?? erasure.closed_at;
  await write(services, { ...erasure, closed_at, waiting_for: delay.reason, due_at: dueAt.toISOString() });
  const delaySeconds = Math.max((dueAt.getTime() - now.getTime()) / secondMs, 1);
  await enqueueErasure(services.erasureQueue, { kind: 'erasure', id }, delaySeconds);
}

async function delayOf(services: ErasureServices, erasure: Erasure): Promise<Delay | null> {
  const { id, project_id: projectId, requested_by: cause, requested_at } = erasure;
  const held = await legalHold(services.table, projectId);
  if (held !== null) return held;
  switch (erasure.target) {
    case 'task':
      return eraseTask(services, id, cause);
    case 'patient': {
      // First, so that no import adds the patient again. The last run finds the files checked before the order, too.
      await eraseImportRows(services, erasure);
      return erasePatient(services, { id, projectId, cause, since: new Date(requested_at) });
    }
    case 'project':
      return eraseProject(services, erasure);
  }
}

async function write(
  { table }: ErasureServices,
  next: Erasure,
  alongside: readonly TransactionItem[] = [],
): Promise<void> {
  try {
    await writeTransaction(table, [replaceErasureItem(table, next), ...alongside]);
  } catch (error) {
    // Another worker found nothing left.
    if (!(error instanceof TransactionConditionFailed)) throw error;
  }
}
