import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { serviceErrorCodes } from './errors.ts';
import { Uuid, uuidv7 } from './identifiers.ts';
import { NewTask } from './new-task.ts';
import { Timestamp } from './values.ts';

/** Tasks that one request may create. */
export const maxBatchItems = 1000;

/** By which key and which request something was asked, for the audit entries that are written later. */
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
 * RECEIVING: its items are being written; ABANDONED: they never were all; PENDING: its tasks are being created; CANCELLING:
 * its tasks are being cancelled. DONE and CANCELLED: nothing is left to do.
 */
const StoredStatus = z.enum(['RECEIVING', 'ABANDONED', 'PENDING', 'DONE', 'CANCELLING', 'CANCELLED']);

/** Tasks that a client sent together, without them. */
export const TaskBatch = z.object({
  id: Uuid,
  project_id: Uuid,
  status: StoredStatus,
  item_count: z.int(),
  /** All items before this one are worked through. */
  next_index: z.int(),
  created_by: Asker,
  cancelled_by: z.nullable(Asker),
  created_at: Timestamp,
  updated_at: Timestamp,
  /** When it is worked on next; null once there is nothing to do. */
  due_at: z.nullable(Timestamp),
});
export type TaskBatch = z.infer<typeof TaskBatch>;

/**
 * PENDING: accepted, its task is not created yet. CREATED: its task is there. REPLAYED: its idempotency key has created the
 * task before. REJECTED: there is no task, and `error` says why. CANCELLED: the batch was, before the task was created.
 */
export const BatchItemStatus = z.enum(['PENDING', 'CREATED', 'REPLAYED', 'REJECTED', 'CANCELLED']);
export type BatchItemStatus = z.infer<typeof BatchItemStatus>;

/** A refusal, as it is kept. */
export const ItemError = z.object({
  code: z.enum(serviceErrorCodes),
  detail: z.string(),
  fields: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })),
});
export type ItemError = z.infer<typeof ItemError>;

/** What identifies a request within its project for 24 hours. */
export const ItemKey = z.object({ key_hash: z.string(), request_hash: z.string() });
export type ItemKey = z.infer<typeof ItemKey>;

/** One task of a batch, and what became of it. */
export const BatchItem = z.object({
  batch_id: Uuid,
  project_id: Uuid,
  /** Zero-based position in the request. */
  index: z.int(),
  status: BatchItemStatus,
  /** Null for an item that was refused at once. */
  task_id: z.nullable(Uuid),
  error: z.nullable(ItemError),
  /** What is to be created; gone as soon as it is, or never will be. */
  new_task: z.optional(NewTask),
  /** The idempotency key under which it is created; it goes the same way. */
  key: z.optional(ItemKey),
});
export type BatchItem = z.infer<typeof BatchItem>;

/**
 * The identifier of the task that an item makes. It follows from the batch and the position alone, so that an item can make
 * one task only, however often it is worked on. Those of a batch sort by position, and no other tasks stand between them.
 */
export function batchTaskId(batchId: string, index: number): string {
  const random = createHash('sha256').update(batchId).digest().subarray(0, 10);
  random.writeUInt16BE(index, 8);
  return uuidv7(createdMs(batchId), random);
}

/** The position in the batch that the identifier was made of. */
export function batchIndexOf(taskId: string): number {
  return Number.parseInt(taskId.slice(-4), 16);
}

/** When the identifier, a UUIDv7, was made, in Unix milliseconds. */
function createdMs(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}
