import { Created } from '#shared/domain/created.ts';
import type { IdempotencyRecord } from '#shared/table/idempotency.ts';

/** What is remembered of the request that creates a task, as `POST /v1/task` answers it. */
export function createdAnswer(taskId: string): string {
  return JSON.stringify({ id: taskId } satisfies Created);
}

export function answeredId({ answer }: Pick<IdempotencyRecord, 'answer'>): string {
  return Created.parse(JSON.parse(answer)).id;
}
