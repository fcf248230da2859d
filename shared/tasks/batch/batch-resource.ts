import * as z from 'zod/mini';
import { ServiceError } from '#shared/domain/errors.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import type { TaskStatus } from '#shared/domain/task.ts';
import {
  type BatchItem,
  BatchItemStatus,
  batchIndexOf,
  batchTaskId,
  TaskBatch,
} from '#shared/domain/task-batch.ts';
import { encodeListCursor } from '#shared/lists/list-cursor.ts';
import { type ListPosition, toPageRequest } from '#shared/lists/list-page.ts';
import type { Table } from '#shared/table/client.ts';
import { type FoundTask, findTasks } from '#shared/table/task.ts';
import {
  countBatchTasks,
  getTaskBatch,
  listBatchItems,
  listBatchOutcomes,
} from '#shared/table/task-batch.ts';

const count = z.int();

/** The progress of a batch as clients read it. */
export const TaskBatchResource = z.extend(
  z.pick(TaskBatch, { id: true, project_id: true, created_at: true, updated_at: true }),
  {
    status: z.enum(['PENDING', 'DONE', 'CANCELLING', 'CANCELLED']),
    item_counts: z.object({
      PENDING: count,
      CREATED: count,
      REPLAYED: count,
      REJECTED: count,
      CANCELLED: count,
    } satisfies Record<BatchItemStatus, unknown>),
    task_counts: z.object({
      PENDING: count,
      IN_PROGRESS: count,
      COMPLETED: count,
      FAILED: count,
      CANCELLED: count,
    } satisfies Record<TaskStatus, unknown>),
  },
);
export type TaskBatchResource = z.infer<typeof TaskBatchResource>;

/** An item and its task. */
export interface ItemState {
  readonly item: BatchItem;
  /** Null when it does not exist or was erased. */
  readonly task: FoundTask | null;
}

export interface TaskBatchPage {
  readonly batch: TaskBatchResource;
  readonly items: ItemState[];
  readonly nextCursor: string | null;
}

export interface TaskBatchRequest extends ListPosition {
  readonly batchId: string;
}

/**
 * The progress of a batch and a page of its items in request order. Throws `not_found` for an unknown batch
 * and for another project's alike, and `invalid_request` for a cursor from elsewhere.
 */
export async function getTaskBatchPage(
  table: Table,
  projectId: string,
  request: TaskBatchRequest,
): Promise<TaskBatchPage> {
  const { batchId, limit } = request;
  const list = ['task-batch', projectId, batchId];
  const { before } = toPageRequest(list, request);
  const batch = await findTaskBatch(table, projectId, batchId);
  const from = before === null ? 0 : batchIndexOf(before) + 1;
  const [resource, items] = await Promise.all([
    toTaskBatchResource(table, batch),
    listBatchItems(table, batchId, { from, limit }),
  ]);
  const tasks = await findTasks(
    table,
    items.flatMap(({ task_id }) => task_id ?? []),
  );
  const last = items.at(-1)?.index ?? batch.item_count;
  return {
    batch: resource,
    items: items.map((item) => ({ item, task: tasks.get(item.task_id ?? '') ?? null })),
    nextCursor: last + 1 < batch.item_count ? encodeListCursor(list, batchTaskId(batchId, last)) : null,
  };
}

/** Throws `not_found`, also for a batch that was not accepted. */
export async function findTaskBatch(table: Table, projectId: string, batchId: string): Promise<TaskBatch> {
  const batch = await getTaskBatch(table, projectId, Uuid.parse(batchId));
  if (batch === null || batch.status === 'RECEIVING' || batch.status === 'ABANDONED') {
    throw new ServiceError('not_found', 'Batch not found');
  }
  return batch;
}

export async function toTaskBatchResource(table: Table, batch: TaskBatch): Promise<TaskBatchResource> {
  const [items, task_counts] = await Promise.all([
    listBatchOutcomes(table, batch.id),
    countBatchTasks(table, batch),
  ]);
  const countOf = (one: BatchItemStatus): number => items.filter(({ status }) => status === one).length;
  return TaskBatchResource.parse({
    ...batch,
    item_counts: Object.fromEntries(BatchItemStatus.options.map((status) => [status, countOf(status)])),
    task_counts,
  });
}
