import type { MiddlewareObj } from '@middy/core';
import type { Context } from 'aws-lambda';
import { logError, withLogContext } from '#shared/observability/log.ts';

/**
 * For invocations without anybody to answer (queues, streams, schedules): a failure that reaches the wrapper is logged
 * without its message and thrown on, so that Lambda's own retry and dead-letter rules apply.
 */
export function logFailedInvocation<Event, Result>(): MiddlewareObj<Event, Result> {
  return {
    onError: ({ error }) => {
      logError('invocation-failed', error);
      // middy throws the error on, because no response was set.
    },
  };
}

/** Gives every log line of an invocation the function's request id. */
export function withInvocationContext<Event, Result>(
  handler: (event: Event, context: Context) => Promise<Result>,
): (event: Event, context: Context) => Promise<Result> {
  return (event, context) =>
    withLogContext({ invocation_id: context.awsRequestId }, () => handler(event, context));
}
