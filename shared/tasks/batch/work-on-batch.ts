import { taskCancelled, taskCreated, taskNotCreated } from '#shared/audit/actions.ts';
import { clientAccess } from '#shared/audit/client-access.ts';
import { batchMessage } from '#shared/calls/call-message.ts';
import type { CallQueue } from '#shared/calls/call-queue.ts';
import { leaseEnd, workInSlices } from '#shared/calls/long-work.ts';
import type { Created } from '#shared/domain/created.ts';
import { idempotencyInProgress, ServiceError } from '#shared/domain/errors.ts';
import type { BatchItem, TaskBatch } from '#shared/domain/task-batch.ts';
import { annotateLog } from '#shared/observability/log.ts';
import type { Table } from '#shared/table/client.ts';
import {
  IdempotencyKeyTaken,
  releaseReservedKeyItem,
  useReservedKeyItem,
} from '#shared/table/idempotency.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import {
  deleteTaskBatch,
  getTaskBatch,
  listBatchItems,
  replaceTaskBatchItem,
  reservedKeys,
  settleBatchItemItem,
} from '#shared/table/task-batch.ts';
import {
  refusedAs,
  TransactionConditionFailed,
  type TransactionItem,
  writeTransaction,
} from '#shared/table/transaction.ts';
import { cancelTask } from '../cancel-task.ts';
import { createTask } from '../create-task.ts';
import { enqueueDial, enqueueEnd } from '../enqueue-dial.ts';
import { toItemError } from './item-error.ts';

export interface BatchServices {
  readonly table: Table;
  readonly queue: CallQueue;
  readonly now: () => Date;
}

/** The progress is stored after this many items. */
const itemsInSlice = 50;

/**
 * Works on a batch for one message's share of time. Messages may be duplicated, late or concurrent, and a
 * function may die at any moment: an item is settled in the same transaction that creates its task, so it
 * creates exactly one.
 */
export async function workOnBatch(
  services: BatchServices,
  projectId: string,
  batchId: string,
): Promise<void> {
  annotateLog({ project_id: projectId, batch_id: batchId });
  await workInSlices(services, batchMessage({ project_id: projectId, id: batchId }), async () => {
    const batch = await getTaskBatch(services.table, projectId, batchId);
    return batch === null ? 'over' : workOnSlice(services, batch);
  });
}

async function workOnSlice(services: BatchServices, batch: TaskBatch): Promise<'more' | 'over'> {
  switch (batch.status) {
    case 'DONE':
    case 'CANCELLED':
      return 'over';
    case 'RECEIVING':
      if ((batch.due_at ?? '') <= services.now().toISOString()) await clearAway(services, batch);
      return 'over';
    case 'ABANDONED':
      await clearAway(services, batch);
      return 'over';
    case 'PENDING':
      return workThrough(services, batch, { work: createItem, end: 'DONE' });
    case 'CANCELLING':
      return workThrough(services, batch, { work: cancelItem, end: 'CANCELLED' });
  }
}

interface Pass {
  readonly work: (services: BatchServices, batch: TaskBatch, item: BatchItem) => Promise<void>;
  readonly end: 'DONE' | 'CANCELLED';
}

async function workThrough(
  services: BatchServices,
  batch: TaskBatch,
  { work, end }: Pass,
): Promise<'more' | 'over'> {
  const { table, now } = services;
  const items = await listBatchItems(table, batch.id, { from: batch.next_index, limit: itemsInSlice });
  for (const item of items) await work(services, batch, item);
  const next_index = (items.at(-1)?.index ?? batch.item_count - 1) + 1;
  const isOver = next_index >= batch.item_count;
  const at = now();
  const advanced: TaskBatch = {
    ...batch,
    next_index,
    updated_at: at.toISOString(),
    ...(isOver ? { status: end, due_at: null } : { due_at: leaseEnd(at).toISOString() }),
  };
  try {
    await writeTransaction(table, [replaceTaskBatchItem(table, batch, advanced)]);
  } catch (error) {
    // Another worker got ahead, or the batch was canceled; either continues by itself.
    if (error instanceof TransactionConditionFailed) return 'over';
    throw error;
  }
  if (!isOver) return 'more';
  annotateLog({ batch: end });
  return 'over';
}

/** Another worker settled the item. */
class ItemSettled extends Error {}

/** Creates the task of an item, or stores why it cannot. Leaves settled items alone. */
async function createItem(services: BatchServices, batch: TaskBatch, item: BatchItem): Promise<void> {
  const { table, queue } = services;
  const { task_id: id, new_task: newTask } = item;
  if (item.status !== 'PENDING' || id === null || newTask === undefined) return;
  const access = clientAccess(table, services.now);
  try {
    const task = await createTask(table, {
      projectId: batch.project_id,
      newTask,
      id,
      now: services.now(),
      createdAt: new Date(batch.created_at),
      alongside: (made) => [
        settled(table, item, 'CREATED'),
        ...keyUsed(services, item, made.id),
        access.changed(batch.created_by, taskCreated(made)),
      ],
    });
    await enqueueDial(queue, task);
  } catch (error) {
    if (error instanceof ItemSettled) return;
    const refusal = error instanceof IdempotencyKeyTaken ? idempotencyInProgress() : error;
    if (!(refusal instanceof ServiceError)) throw error;
    await settle(services, item, { status: 'REJECTED', error: toItemError(refusal) });
  }
}

function settled(table: Table, item: BatchItem, status: 'CREATED'): TransactionItem {
  return refusedAs(settleBatchItemItem(table, item, { status }), () => new ItemSettled());
}

function keyUsed({ table, now }: BatchServices, item: BatchItem, taskId: string): TransactionItem[] {
  const { key, project_id: projectId, batch_id } = item;
  if (key === undefined) return [];
  const { key_hash: keyHash, request_hash } = key;
  const record = { request_hash, answer: JSON.stringify({ id: taskId } satisfies Created) };
  return [useReservedKeyItem(table, { projectId, keyHash }, record, batch_id, now())];
}

/** Settles a pending item without a task and releases its key. Returns whether this call settled it. */
async function settle(
  { table }: Pick<BatchServices, 'table'>,
  item: BatchItem,
  outcome: { readonly status: 'REJECTED' | 'CANCELLED'; readonly error?: BatchItem['error'] },
  alongside: readonly TransactionItem[] = [],
): Promise<boolean> {
  const { project_id: projectId, batch_id, key } = item;
  const settling = settleBatchItemItem(table, item, outcome);
  const releasing =
    key === undefined ? [] : [releaseReservedKeyItem(table, { projectId, keyHash: key.key_hash }, batch_id)];
  try {
    await writeTransaction(table, [settling, ...releasing, ...alongside]);
    return true;
  } catch (error) {
    if (!(error instanceof TransactionConditionFailed)) throw error;
    if (error.failed.includes(0)) return false;
    // The key expired and went to another request.
    return settle({ table }, { ...item, key: undefined }, outcome, alongside);
  }
}

/** Releases a key unless another request has it. */
async function release(table: Table, projectId: string, batchId: string, keyHash: string): Promise<void> {
  try {
    await writeTransaction(table, [releaseReservedKeyItem(table, { projectId, keyHash }, batchId)]);
  } catch (error) {
    if (!(error instanceof TransactionConditionFailed)) throw error;
  }
}

/** Cancels the task of an item if it was created; otherwise it never will be. */
async function cancelItem(services: BatchServices, batch: TaskBatch, item: BatchItem): Promise<void> {
  const { table, queue, now } = services;
  if (item.task_id === null || item.status === 'REPLAYED' || item.status === 'REJECTED') return;
  const asker = batch.cancelled_by ?? batch.created_by;
  const access = clientAccess(table, now);
  if (item.status === 'PENDING') {
    const patient_id = item.new_task?.patient_id;
    const task = patient_id === undefined ? null : { id: item.task_id, patient_id };
    const entries = task === null ? [] : [access.changed(asker, taskNotCreated(task))];
    if (await settle(services, item, { status: 'CANCELLED' }, entries)) return;
  }
  if (item.status === 'CANCELLED') return;
  try {
    const { callToEnd } = await cancelTask(table, {
      projectId: batch.project_id,
      taskId: item.task_id,
      now,
      alongside: ({ task }) => [access.changed(asker, taskCancelled(task))],
    });
    if (callToEnd !== null) await enqueueEnd(queue, callToEnd);
  } catch (error) {
    // It has finished, was erased, or was refused in its turn.
    if (!(error instanceof ServiceError)) throw error;
  }
}

/** Deletes a batch that was never accepted, and prevents its later acceptance. */
async function clearAway({ table }: BatchServices, batch: TaskBatch): Promise<void> {
  annotateLog({ batch: 'abandoned' });
  if (batch.status === 'RECEIVING') {
    const abandoned: TaskBatch = { ...batch, status: 'ABANDONED' };
    await retryOnConflict(() => writeTransaction(table, [replaceTaskBatchItem(table, batch, abandoned)]), {
      tries: 3,
    });
  }
  for await (const keys of reservedKeys(table, batch.id)) {
    for (const { key_hash } of keys) await release(table, batch.project_id, batch.id, key_hash);
  }
  await deleteTaskBatch(table, batch);
}
