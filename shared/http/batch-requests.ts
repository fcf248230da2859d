import { ServiceError } from '#shared/domain/errors.ts';
import { type ItemKey, maxBatchItems } from '#shared/domain/task-batch.ts';
import { idempotencyKeyHash } from '#shared/idempotency/idempotent.ts';
import { hashOfCreation } from '#shared/idempotency/request-hash.ts';
import type { TaskBatchRequest } from '#shared/tasks/batch/batch-resource.ts';
import type { AskedItem } from '#shared/tasks/batch/judge-items.ts';
import type { RawRequest } from '#shared/triggers/http.ts';
import { isJsonObject } from './clean-json.ts';
import { type ListEntry, readJsonList } from './json-body.ts';
import { readListPosition } from './list-page.ts';
import { readPathId } from './parameters.ts';
import { toNewTask } from './task-requests.ts';

/** The tasks in the body of `POST /v1/task/batch`, each read like the body of `POST /v1/task`. */
export async function readTaskBatch(request: { readonly body: Buffer }): Promise<AskedItem[]> {
  const asked: AskedItem[] = [];
  for (const entry of readJsonList(request, 'tasks', { most: maxBatchItems })) {
    asked.push(await readItem(entry));
  }
  return asked;
}

async function readItem({ sent, read }: ListEntry): Promise<AskedItem> {
  try {
    const { idempotency_key, ...body } = read();
    return { key: readKey(idempotency_key, sent), newTask: await toNewTask(body) };
  } catch (error) {
    if (error instanceof ServiceError) return { refusal: error };
    throw error;
  }
}

/** The key identifies the item with a single `POST /v1/task` with that `Idempotency-Key`. */
function readKey(key: unknown, sent: unknown): ItemKey | null {
  if (key === undefined || !isJsonObject(sent)) return null;
  const { idempotency_key: _, ...body } = sent;
  return {
    // Keys are strings.
    key_hash: idempotencyKeyHash(typeof key === 'string' ? key : '', 'idempotency_key'),
    request_hash: hashOfCreation('/v1/task', body),
  };
}

export function readTaskBatchRequest(
  request: Pick<RawRequest, 'query' | 'pathParameters'>,
): TaskBatchRequest {
  return { batchId: readPathId(request, 'batch_id', 'batch'), ...readListPosition(request) };
}
