import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { serviceErrorCodes } from './errors.ts';
import { createdAtMs, Uuid, uuidv7 } from './identifiers.ts';
import { NewTask } from './new-task.ts';
import { Timestamp } from './values.ts';

/** The most tasks per request. */
export const maxBatchItems = 1000;

/** The API key and request behind an order, for audit entries written later. */
const Asker = z.object({
  projectId: Uuid,
  apiKeyId: Uuid,
  origin: z.object({
    requestId: z.string(),
    sourceIp: z.nullable(z.string()),
    reason: z.nullable(z.string()),
  }),
});
export type Asker = z.infer<typeof Asker>;

/**
 * RECEIVING: its items are being written; ABANDONED: some never were; PENDING: its tasks are being created;
 * CANCELLING: its tasks are being canceled; DONE and CANCELLED: nothing is left to do.
 */
const StoredStatus = z.enum(['RECEIVING', 'ABANDONED', 'PENDING', 'DONE', 'CANCELLING', 'CANCELLED']);

/** The state of a batch of tasks, without its items. */
export const TaskBatch = z.object({
  id: Uuid,
  project_id: Uuid,
  status: StoredStatus,
  item_count: z.int(),
  /** All items before this one are settled. */
  next_index: z.int(),
  created_by: Asker,
  cancelled_by: z.nullable(Asker),
  created_at: Timestamp,
  updated_at: Timestamp,
  /** When work on it continues; null once there is nothing left to do. */
  due_at: z.nullable(Timestamp),
});
export type TaskBatch = z.infer<typeof TaskBatch>;

/**
 * PENDING: accepted, its task not created yet. CREATED: its task exists. REPLAYED: an earlier request with
 * its idempotency key created the task. REJECTED: it has no task, and `error` says why. CANCELLED: the batch
 * was canceled before the task was created.
 */
export const BatchItemStatus = z.enum(['PENDING', 'CREATED', 'REPLAYED', 'REJECTED', 'CANCELLED']);
export type BatchItemStatus = z.infer<typeof BatchItemStatus>;

/** A refusal as stored. */
export const ItemError = z.object({
  code: z.enum(serviceErrorCodes),
  detail: z.string(),
  fields: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })),
});
export type ItemError = z.infer<typeof ItemError>;

/** The idempotency key and request hash, which identify a request within its project for 24 hours. */
export const ItemKey = z.object({ key_hash: z.string(), request_hash: z.string() });
export type ItemKey = z.infer<typeof ItemKey>;

/** One task of a batch and its result. */
export const BatchItem = z.object({
  batch_id: Uuid,
  project_id: Uuid,
  /** Zero-based position in the request. */
  index: z.int(),
  status: BatchItemStatus,
  /** Null for an item refused at once. */
  task_id: z.nullable(Uuid),
  error: z.nullable(ItemError),
  /** The task to create; removed once the item is settled. */
  new_task: z.optional(NewTask),
  /** The idempotency key of the task; removed with it. */
  key: z.optional(ItemKey),
});
export type BatchItem = z.infer<typeof BatchItem>;

/**
 * The task ID of an item, derived from batch and position alone, so that retries cannot create a second task. IDs of a
 * batch sort by position, with no other tasks between them.
 */
export function batchTaskId(batchId: string, index: number): string {
  const random = createHash('sha256').update(batchId).digest().subarray(0, 10);
  random.writeUInt16BE(index, 8);
  return uuidv7(createdAtMs(batchId), random);
}

/** The position that a task ID was derived from. */
export function batchIndexOf(taskId: string): number {
  return Number.parseInt(taskId.slice(-4), 16);
}
