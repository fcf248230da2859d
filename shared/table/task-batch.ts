import { NewTask } from '#shared/domain/new-task.ts';
import { TaskStatus } from '#shared/domain/task.ts';
import {
  BatchItem,
  type BatchItemStatus,
  batchTaskId,
  ItemKey,
  maxBatchItems,
  TaskBatch,
} from '#shared/domain/task-batch.ts';
import type { Table } from './client.ts';
import { createItem } from './create-item.ts';
import { deleteItem, deletePartition } from './delete-items.ts';
import { getItem } from './get-item.ts';
import { dueIndexAttributes, indexNames, projectPartitions } from './indexes.ts';
import type { PrimaryKey } from './primary-key.ts';
import { queryAll, queryPages, queryPrefix } from './query-pages.ts';
import { groupBySize } from './size-groups.ts';
import { expiresIn } from './time-to-live.ts';
import { sealEach, ToSeal } from './to-seal.ts';
import { type TransactionItem, writeContendedTransaction } from './transaction.ts';
import { itemPut, itemUpdate, when } from './transaction-items.ts';

const batchPrefix = 'BATCH#';

/** How long clients can read a batch. */
const keptSeconds = 30 * 24 * 60 * 60;

function batchKey(projectId: string, batchId: string): PrimaryKey {
  return { pk: `PROJECT#${projectId}`, sk: `${batchPrefix}${batchId}` };
}

/** The batch of an item's key. */
export function batchOfKey({ pk, sk }: PrimaryKey): Pick<TaskBatch, 'project_id' | 'id'> {
  return { project_id: pk.slice('PROJECT#'.length), id: sk.slice(batchPrefix.length) };
}

/**
 * Each task of a batch is an item in the batch's own partition, because together they exceed the item size.
 */
function itemsPartition(batchId: string): string {
  return `${batchPrefix}${batchId}`;
}

function itemKey({ batch_id, index }: Pick<BatchItem, 'batch_id' | 'index'>): PrimaryKey {
  return { pk: itemsPartition(batch_id), sk: `ITEM#${String(index).padStart(4, '0')}` };
}

function batchItem(batch: TaskBatch): Record<string, unknown> {
  return {
    ...batchKey(batch.project_id, batch.id),
    type: 'task-batch',
    ...batch,
    // Last, because index keys are strings or absent, never null.
    due_at: undefined,
    ...dueIndexAttributes(batch.id, batch.due_at),
    ...expiresIn(keptSeconds, Date.parse(batch.created_at)),
  };
}

/** Strongly consistent, so that a client finds the batch that was just created. */
export async function getTaskBatch(
  table: Table,
  projectId: string,
  batchId: string,
): Promise<TaskBatch | null> {
  return getItem(table, batchKey(projectId, batchId), (item) => TaskBatch.parse({ due_at: null, ...item }));
}

export async function putTaskBatch(table: Table, batch: TaskBatch): Promise<void> {
  await createItem(table, batchItem(batch));
}

/** Replaces a batch if it is unchanged since `previous` was read. */
export function replaceTaskBatchItem(table: Table, previous: TaskBatch, next: TaskBatch): TransactionItem {
  return itemPut(
    table,
    batchItem(next),
    when('#status = :status AND next_index = :next_index', {
      status: previous.status,
      next_index: previous.next_index,
    }),
  );
}

function itemOf(item: BatchItem, createdAt: string): Record<string, unknown> {
  const { new_task, ...rest } = item;
  return {
    ...itemKey(item),
    type: 'task-batch-item',
    ...rest,
    // A short request can be guessed from its hash.
    ...sealEach(item.project_id, rest, ['key']),
    // As text, because DynamoDB limits the nesting depth.
    ...(new_task === undefined
      ? {}
      : {
          new_task: new ToSeal(item.project_id, 'new_task', JSON.stringify(new_task)),
          patient_id: new_task.patient_id,
        }),
    ...expiresIn(keptSeconds, Date.parse(createdAt)),
  };
}

function fromItem({ new_task, ...rest }: Record<string, unknown>): BatchItem {
  return BatchItem.parse(
    typeof new_task === 'string' ? { ...rest, new_task: NewTask.parse(JSON.parse(new_task)) } : rest,
  );
}

/** Limits of one transaction: items, and bytes of tasks, with room left within 4 MB for the rest. */
const most = { items: 100, bytes: 3_000_000 };
const writersAtOnce = 4;

/**
 * Writes items of a batch, invisible until the batch is accepted. Uses transactions, because the permission
 * for batch writes includes deletes.
 */
export async function putBatchItems(
  table: Table,
  items: readonly BatchItem[],
  createdAt: string,
): Promise<void> {
  const written = items.map((item) => itemOf(item, createdAt));
  const groups = groupBySize(written, most, (item) => Buffer.byteLength(JSON.stringify(item)));
  const write = async (): Promise<void> => {
    for (let group = groups.shift(); group !== undefined; group = groups.shift()) {
      await writeContendedTransaction(
        table,
        group.map((Item) => itemPut(table, Item)),
      );
    }
  };
  await Promise.all(Array.from({ length: writersAtOnce }, write));
}

/** Settles an item and drops its task. Holds while the item is pending. */
export function settleBatchItemItem(
  table: Table,
  item: BatchItem,
  { status, error = null }: { readonly status: BatchItemStatus; readonly error?: BatchItem['error'] },
): TransactionItem {
  return itemUpdate(table, itemKey(item), {
    change: 'SET #status = :status, #error = :error REMOVE new_task, patient_id, #key',
    condition: '#status = :pending',
    values: { status, error, pending: 'PENDING' satisfies BatchItemStatus },
  });
}

/** Items by position, starting at one. Strongly consistent; fewer than `limit` only at the end. */
export async function listBatchItems(
  table: Table,
  batchId: string,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<BatchItem[]> {
  const items: BatchItem[] = [];
  const pages = queryPages(table, {
    KeyConditionExpression: 'pk = :pk AND sk >= :from',
    ExpressionAttributeValues: {
      ':pk': itemsPartition(batchId),
      ':from': itemKey({ batch_id: batchId, index: from }).sk,
    },
    ConsistentRead: true,
    Limit: limit,
  });
  for await (const page of pages) {
    items.push(...page.map(fromItem));
    if (items.length >= limit) break;
  }
  return items.slice(0, limit);
}

/** All items without their tasks. Strongly consistent. */
export async function listBatchOutcomes(table: Table, batchId: string): Promise<BatchItem[]> {
  const attributes = ['batch_id', 'project_id', 'index', 'status', 'task_id', 'error'];
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': itemsPartition(batchId) },
    ExpressionAttributeNames: Object.fromEntries(attributes.map((name, index) => [`#a${index}`, name])),
    ProjectionExpression: attributes.map((_, index) => `#a${index}`).join(', '),
    ConsistentRead: true,
  });
  return items.map((item) => BatchItem.parse(item));
}

/** Counts a batch's tasks by status. Eventually consistent. */
export async function countBatchTasks(
  table: Table,
  { project_id, id }: Pick<TaskBatch, 'project_id' | 'id'>,
): Promise<Record<TaskStatus, number>> {
  const shards = await Promise.all(
    projectPartitions(project_id, 'TASK').map((partition) =>
      queryAll(table, {
        IndexName: indexNames.rows,
        KeyConditionExpression: 'project_pk = :pk AND project_sk BETWEEN :first AND :last',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':pk': partition,
          ':first': batchTaskId(id, 0),
          ':last': batchTaskId(id, maxBatchItems - 1),
        },
        ProjectionExpression: '#status',
      }),
    ),
  );
  const statuses = shards.flat().map(({ status }) => TaskStatus.parse(status));
  const count = (one: TaskStatus): number => statuses.filter((status) => status === one).length;
  return {
    PENDING: count('PENDING'),
    IN_PROGRESS: count('IN_PROGRESS'),
    COMPLETED: count('COMPLETED'),
    FAILED: count('FAILED'),
    CANCELLED: count('CANCELLED'),
  };
}

/** Pages of keys that an abandoned batch reserved and did not use. */
export async function* reservedKeys(table: Table, batchId: string): AsyncGenerator<ItemKey[]> {
  const pages = queryPages(table, {
    KeyConditionExpression: 'pk = :pk',
    FilterExpression: 'attribute_exists(#key)',
    ExpressionAttributeNames: { '#key': 'key' },
    ExpressionAttributeValues: { ':pk': itemsPartition(batchId) },
    ConsistentRead: true,
  });
  for await (const page of pages) yield page.map(({ key }) => ItemKey.parse(key));
}

/** Deletes a batch with all its items, the batch itself last. */
export async function deleteTaskBatch(
  table: Table,
  { project_id, id }: Pick<TaskBatch, 'project_id' | 'id'>,
): Promise<void> {
  await deletePartition(table, itemsPartition(id));
  const { pk, sk } = batchKey(project_id, id);
  await deleteItem(table, { pk, sk });
}

/** The project's batches with tasks left to create. Strongly consistent. */
async function openBatchIds(table: Table, projectId: string): Promise<string[]> {
  const items = await queryPrefix(table, `PROJECT#${projectId}`, batchPrefix, {
    FilterExpression: 'attribute_exists(due_at)',
    ProjectionExpression: 'pk, sk',
  });
  return items.map(({ sk }) => String(sk).slice(batchPrefix.length));
}

/** Whether a batch still has a task to create for the patient. Strongly consistent. */
export async function isPatientInBatch(table: Table, projectId: string, patientId: string): Promise<boolean> {
  for (const batchId of await openBatchIds(table, projectId)) {
    const found = await queryAll(table, {
      KeyConditionExpression: 'pk = :pk',
      FilterExpression: 'patient_id = :patient_id',
      ExpressionAttributeValues: { ':pk': itemsPartition(batchId), ':patient_id': patientId },
      ProjectionExpression: 'pk',
      ConsistentRead: true,
    });
    if (found.length > 0) return true;
  }
  return false;
}

/** Deletes all batches of a project in any state. */
export async function deleteProjectBatches(table: Table, projectId: string): Promise<void> {
  const batches = await queryPrefix(table, `PROJECT#${projectId}`, batchPrefix, {
    ProjectionExpression: 'sk',
  });
  for (const { sk } of batches) {
    await deleteTaskBatch(table, { project_id: projectId, id: String(sk).slice(batchPrefix.length) });
  }
}
