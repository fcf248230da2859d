import { taskBatchCancelled } from '#shared/audit/actions.ts';
import { clientAccess } from '#shared/audit/client-access.ts';
import type { Asker, TaskBatch } from '#shared/domain/task-batch.ts';
import type { Table } from '#shared/table/client.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { replaceTaskBatchItem } from '#shared/table/task-batch.ts';
import { type Alongside, writeTransaction } from '#shared/table/transaction.ts';
import { findTaskBatch, type TaskBatchResource, toTaskBatchResource } from './batch-resource.ts';

export interface BatchCancellation {
  readonly asker: Asker;
  readonly batchId: string;
  readonly alongside: Alongside<TaskBatchResource>;
}

/**
 * Starts to cancel all unfinished tasks of a batch and stops creating more. Does nothing to a batch that is already
 * canceling or canceled. Throws `not_found`, and `IdempotencyKeyTaken` when the same request canceled it.
 */
export function cancelBatch(
  table: Table,
  { asker, batchId, alongside }: BatchCancellation,
): Promise<TaskBatchResource> {
  return retryOnConflict(async () => {
    const batch = await findTaskBatch(table, asker.projectId, batchId);
    const isCancelled = batch.status === 'CANCELLING' || batch.status === 'CANCELLED';
    const next = isCancelled ? batch : canceling(batch);
    const resource = await toTaskBatchResource(table, next);
    const canceled = isCancelled
      ? []
      : [
          replaceTaskBatchItem(table, batch, next),
          clientAccess(table).changed(asker, taskBatchCancelled(batch)),
        ];
    // Latecomers write nothing shared: many at once would conflict until their retries run out.
    const writes = [...alongside(resource), ...canceled];
    if (writes.length > 0) await writeTransaction(table, writes);
    return resource;
  });

  function canceling(batch: TaskBatch): TaskBatch {
    const at = new Date().toISOString();
    // From the first item, to cancel the tasks created so far.
    return {
      ...batch,
      status: 'CANCELLING',
      next_index: 0,
      cancelled_by: asker,
      updated_at: at,
      due_at: at,
    };
  }
}
