import type { Addresses } from '#shared/http/addresses.ts';
import { readFlag, readPathId, readText } from '#shared/http/parameters.ts';
import type { RawRequest } from '#shared/triggers/http.ts';
import { type CallsPosition, decodeCursor, encodeCursor } from './calls-cursor.ts';

/** What `GET /v1/task/{task_id}` was asked for. */
export interface TaskRequest {
  readonly taskId: string;
  readonly includeTranscript: boolean;
  readonly includeResult: boolean;
  /** Only the newest call when false. */
  readonly includeAllCalls: boolean;
  /** Where the page begins; null for the first one. */
  readonly position: CallsPosition | null;
}

/** A cursor leads through all calls, so it counts as asking for them. */
export function readTaskRequest(request: Pick<RawRequest, 'query' | 'pathParameters'>): TaskRequest {
  const taskId = readPathId(request, 'task_id', 'task');
  const cursor = readText(request, 'cursor');
  const position = cursor === null ? null : decodeCursor(taskId, cursor);
  return {
    taskId,
    includeTranscript: readFlag(request, 'include_transcript'),
    includeResult: readFlag(request, 'include_result'),
    includeAllCalls: readFlag(request, 'include_all_calls') || position !== null,
    position,
  };
}

/** The value of the `Link` header that leads to the calls which an answer to `request` left out (RFC 8288). */
export function nextPageLink(
  addresses: Pick<Addresses, 'task'>,
  request: TaskRequest,
  next: CallsPosition,
): string {
  const query = new URLSearchParams({
    include_all_calls: 'true',
    ...(request.includeTranscript ? { include_transcript: 'true' } : {}),
    ...(request.includeResult ? { include_result: 'true' } : {}),
    cursor: encodeCursor(request.taskId, next),
  });
  return `<${addresses.task(request.taskId)}?${query.toString()}>; rel="next"`;
}
