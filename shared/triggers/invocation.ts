import middy, { type MiddlewareObj } from '@middy/core';
import type { Context } from 'aws-lambda';
import { type LogFields, withLogContext } from '#shared/observability/log.ts';
import { traceField } from '#shared/observability/trace.ts';

/** What all invocations by one kind of trigger share. */
export interface TriggerStack<Event, Result> {
  /** Fields that every log line of the invocation carries. */
  readonly logFields: (event: Event, context: Context) => LogFields;
  /** The first one sees the event first, and the result or error last. */
  readonly middlewares: readonly MiddlewareObj<Event, Result>[];
}

/** A Lambda handler: the log context of the invocation, the middlewares of its trigger, and the work itself. */
export function lambdaHandler<Event, Result>(
  { logFields, middlewares }: TriggerStack<Event, Result>,
  work: (event: Event) => Promise<Result>,
): (event: Event, context: Context) => Promise<Result> {
  const run = middy<Event, Result>()
    .use([...middlewares])
    .handler((event) => work(event));
  // The context must surround the whole invocation, which before and after hooks cannot do.
  return (event, context) =>
    withLogContext({ ...traceField(), ...logFields(event, context) }, () => run(event, context));
}

/** The log fields of an invocation without a client. */
export function invocationFields(_event: unknown, { awsRequestId }: Context): LogFields {
  return { invocation_id: awsRequestId };
}
