import middy from '@middy/core';
import type { Context, ScheduledEvent } from 'aws-lambda';
import { log } from '#shared/observability/log.ts';
import { logFailedInvocation, withInvocationContext } from './invocation.ts';

/** A Lambda handler for an EventBridge schedule; `at` is the time the schedule meant, which a late start does not move. */
export function scheduledJob(
  run: (tick: { at: Date }) => Promise<void>,
): (event: ScheduledEvent, context: Context) => Promise<void> {
  const handler = middy<ScheduledEvent, null>()
    .use(logFailedInvocation())
    .handler(async (event) => {
      const startedAt = performance.now();
      await run({ at: new Date(event.time) });
      log('scheduled-job', { outcome: 'done', duration_ms: Math.round(performance.now() - startedAt) });
      // middy takes `undefined` for "no answer yet".
      return null;
    });
  return withInvocationContext(async (event, context) => {
    await handler(event, context);
  });
}
