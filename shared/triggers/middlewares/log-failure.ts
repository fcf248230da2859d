import type { MiddlewareObj } from '@middy/core';
import { logError } from '#shared/observability/log.ts';

/**
 * For invocations without a caller to answer (queues, streams, schedules): logs a failure without its
 * message. No response is set, so middy rethrows it and Lambda's own retry and dead-letter rules apply.
 */
export function logFailure<Event, Result>(): MiddlewareObj<Event, Result> {
  return { onError: ({ error }) => logError('invocation-failed', error) };
}
