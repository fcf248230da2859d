import * as z from 'zod/mini';
import { serviceErrorCodes } from '#shared/domain/errors.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import { TaskStatus } from '#shared/domain/task.ts';
import { type BatchItem, BatchItemStatus, type ItemError } from '#shared/domain/task-batch.ts';
import { type ItemState, type TaskBatchPage, TaskBatchResource } from '#shared/tasks/batch/batch-resource.ts';
import { errorStatus } from '#shared/triggers/error-status.ts';

/** The response that a single request would get: status, `X-Error-Code`, and body with all invalid members. */
export const BatchItemError = z.object({
  status: z.int(),
  code: z.enum(serviceErrorCodes),
  detail: z.string(),
  errors: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })),
});
type BatchItemError = z.infer<typeof BatchItemError>;

/** The immediate result of an item: the ID of its task, existing or future, or why it has none. */
export const AcceptedBatchItem = z.object({
  index: z.int(),
  id: z.nullable(Uuid),
  error: z.nullable(BatchItemError),
});

/** The response to `POST /v1/task/batch`. */
export const AcceptedBatch = z.object({ id: Uuid, items: z.array(AcceptedBatchItem) });
export type AcceptedBatch = z.infer<typeof AcceptedBatch>;

/** The current state of an item. */
export const TaskBatchItem = z.object({
  index: z.int(),
  status: BatchItemStatus,
  task_id: z.nullable(Uuid),
  task_status: z.nullable(TaskStatus),
  error: z.nullable(BatchItemError),
});

/** The response to `GET /v1/task/batch/{batch_id}`. */
export const TaskBatchProgress = z.extend(TaskBatchResource, {
  items: z.array(TaskBatchItem),
  next_cursor: z.nullable(z.string()),
});
export type TaskBatchProgress = z.infer<typeof TaskBatchProgress>;

/** Repeats the first response, even when the items have progressed since. */
export function toAcceptedBatch(id: string, items: readonly BatchItem[]): AcceptedBatch {
  return {
    id,
    items: items.map(({ index, task_id, error }) => ({
      index,
      id: task_id,
      // An item with an ID was accepted; it may have been refused later.
      error: task_id === null ? toBatchItemError(error) : null,
    })),
  };
}

export function toTaskBatchProgress({ batch, items, nextCursor }: TaskBatchPage): TaskBatchProgress {
  return { ...batch, items: items.map(toTaskBatchItem), next_cursor: nextCursor };
}

function toTaskBatchItem({ item, task }: ItemState): TaskBatchProgress['items'][number] {
  const { index, status, error } = item;
  const isTask = status === 'CREATED' || status === 'REPLAYED';
  return {
    index,
    status,
    task_id: isTask || status === 'PENDING' ? item.task_id : null,
    task_status: isTask ? (task?.status ?? null) : null,
    error: toBatchItemError(error),
  };
}

function toBatchItemError(error: ItemError | null): BatchItemError | null {
  if (error === null) return null;
  const { code, detail, fields } = error;
  return { status: errorStatus[code], code, detail, errors: fields };
}
