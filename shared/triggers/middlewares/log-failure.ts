import type { MiddlewareObj } from '@middy/core';
import { logError } from '#shared/observability/log.ts';

/**
 * For invocations without a caller (queues, streams, schedules): logs a failure without its message. Sets no response,
 * so that middy rethrows it and Lambda's retry and dead-letter rules apply.
 */
export function logFailure<Event, Result>(): MiddlewareObj<Event, Result> {
  return { onError: ({ error }) => logError('invocation-failed', error) };
}
