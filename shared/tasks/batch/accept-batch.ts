import { taskBatchCreated } from '#shared/audit/actions.ts';
import { clientAccess } from '#shared/audit/client-access.ts';
import type { Created } from '#shared/domain/created.ts';
import { idempotencyInProgress, ServiceError } from '#shared/domain/errors.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Asker, BatchItem, BatchItemStatus, TaskBatch } from '#shared/domain/task-batch.ts';
import { timestampAfter } from '#shared/domain/time.ts';
import { logError } from '#shared/observability/log.ts';
import type { Table } from '#shared/table/client.ts';
import {
  createIdempotencyRecordItem,
  getIdempotencyRecords,
  IdempotencyKeyTaken,
} from '#shared/table/idempotency.ts';
import { putBatchItems, putTaskBatch, replaceTaskBatchItem } from '#shared/table/task-batch.ts';
import {
  type Alongside,
  nothingAlongside,
  type TransactionItem,
  writeContendedTransaction,
  writeTransaction,
} from '#shared/table/transaction.ts';
import { toItemError } from './item-error.ts';
import { type AskedItem, createdTaskId, judgeItems } from './judge-items.ts';

export interface BatchOrder {
  readonly asker: Asker;
  readonly asked: readonly AskedItem[];
  readonly hasSandboxPhone: boolean;
  /** Whether the client retries the whole request until it gets a response. */
  readonly isRepeatable: boolean;
  readonly now?: () => Date;
  readonly alongside?: Alongside<{ readonly id: string }>;
}

/** By then the receiving function has ended or died. */
const receivedWithinMs = 2 * 60_000;

/**
 * Accepts a batch: judges each task and stores the result before responding. After the last write the tasks will be
 * created even if this function dies; earlier writes are cleaned up. Throws `IdempotencyKeyTaken` when the same
 * request was accepted before, and `idempotency_in_progress` while that is uncertain.
 */
export async function acceptBatch(table: Table, order: BatchOrder): Promise<{ readonly id: string }> {
  const { asker, asked, hasSandboxPhone, now = () => new Date(), alongside = nothingAlongside } = order;
  const batch = newBatch(asker, asked.length, now());
  await putTaskBatch(table, batch);
  try {
    const judged = await judgeItems(table, batch, asked, { hasSandboxPhone });
    const items = await writeItems(table, batch, judged);
    if (order.isRepeatable && items.some(isInProgress)) throw idempotencyInProgress();
    const countOf = (one: BatchItemStatus): number => items.filter(({ status }) => status === one).length;
    const counts = {
      accepted: countOf('PENDING'),
      replayed: countOf('REPLAYED'),
      rejected: countOf('REJECTED'),
    };
    const hasWork = counts.accepted > 0;
    await writeContendedTransaction(table, [
      ...alongside({ id: batch.id }),
      clientAccess(table, now).changed(asker, taskBatchCreated(batch, counts)),
      replaceTaskBatchItem(table, batch, {
        ...batch,
        ...(hasWork ? { status: 'PENDING', due_at: now().toISOString() } : { status: 'DONE', due_at: null }),
      }),
    ]);
    return { id: batch.id };
  } catch (error) {
    await abandon(table, batch, now());
    throw error;
  }
}

function newBatch(asker: Asker, itemCount: number, now: Date): TaskBatch {
  const at = now.toISOString();
  return {
    id: uuidv7(now.getTime()),
    project_id: asker.projectId,
    status: 'RECEIVING',
    item_count: itemCount,
    next_index: 0,
    created_by: asker,
    cancelled_by: null,
    created_at: at,
    updated_at: at,
    due_at: timestampAfter(now, receivedWithinMs),
  };
}

/** Lets a worker clean up the batch at once; if this fails, the sweeper does so when the lease expires. */
async function abandon(table: Table, batch: TaskBatch, now: Date): Promise<void> {
  const abandoned: TaskBatch = { ...batch, status: 'ABANDONED', due_at: now.toISOString() };
  try {
    await writeTransaction(table, [replaceTaskBatchItem(table, batch, abandoned)]);
  } catch (error) {
    logError('batch-not-abandoned', error, { batch_id: batch.id });
  }
}

function isInProgress({ error }: BatchItem): boolean {
  return error?.code === 'idempotency_in_progress';
}

/** DynamoDB's limit per transaction. */
const keysAtOnce = 100;

/**
 * Writes the items, then reserves their keys, so that a crash in between leaves a record of the keys to
 * release. Returns the items afterwards: other requests may have taken a key meanwhile.
 */
async function writeItems(
  table: Table,
  batch: TaskBatch,
  items: readonly BatchItem[],
): Promise<readonly BatchItem[]> {
  await putBatchItems(table, items, batch.created_at);
  const keyed = items.filter(({ key }) => key !== undefined);
  const groups = Array.from({ length: Math.ceil(keyed.length / keysAtOnce) }, (_, group) =>
    keyed.slice(group * keysAtOnce, (group + 1) * keysAtOnce),
  );
  const settled = (await Promise.all(groups.map((group) => reserveKeys(table, batch, group)))).flat();
  await putBatchItems(table, settled, batch.created_at);
  const byIndex = new Map(settled.map((item) => [item.index, item]));
  return items.map((item) => byIndex.get(item.index) ?? item);
}

/** Reserves the keys of the items. Returns the items whose key another request has; these create no task. */
async function reserveKeys(
  table: Table,
  batch: TaskBatch,
  group: readonly BatchItem[],
): Promise<readonly BatchItem[]> {
  let [open, settled]: [readonly BatchItem[], readonly BatchItem[]] = [group, []];
  while (open.length > 0) {
    try {
      await writeContendedTransaction(
        table,
        open.flatMap((item) => reservation(table, batch, item)),
      );
      break;
    } catch (error) {
      if (!(error instanceof IdempotencyKeyTaken)) throw error;
      const judged = await judgeAgain(table, batch, open);
      open = judged.filter(({ key }) => key !== undefined);
      settled = [...settled, ...judged.filter(({ key }) => key === undefined)];
    }
  }
  return settled;
}

function reservation(table: Table, batch: TaskBatch, { key, task_id }: BatchItem): TransactionItem[] {
  if (key === undefined || task_id === null) return [];
  const { key_hash: keyHash, request_hash } = key;
  const record = {
    request_hash,
    answer: JSON.stringify({ id: task_id } satisfies Created),
    batch_id: batch.id,
  };
  const at = new Date(batch.created_at);
  return [createIdempotencyRecordItem(table, { projectId: batch.project_id, keyHash }, record, at)];
}

/** The items, without the task where another request has taken the key. */
async function judgeAgain(
  table: Table,
  { project_id: projectId, created_at }: TaskBatch,
  items: readonly BatchItem[],
): Promise<BatchItem[]> {
  const keys = items.flatMap(({ key }) => (key === undefined ? [] : [{ projectId, keyHash: key.key_hash }]));
  const records = await getIdempotencyRecords(table, keys, new Date(created_at));
  return items.map((item) => {
    const record = item.key === undefined ? undefined : records.get(item.key.key_hash);
    if (item.key === undefined || record === undefined) return item;
    const { new_task: _, key, ...rest } = item;
    try {
      return { ...rest, status: 'REPLAYED', task_id: createdTaskId(record, key ?? item.key) };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { ...rest, status: 'REJECTED', task_id: null, error: toItemError(error) };
    }
  });
}
