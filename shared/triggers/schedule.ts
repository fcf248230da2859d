import type { Context, ScheduledEvent } from 'aws-lambda';
import { log } from '#shared/observability/log.ts';
import { invocationFields, lambdaHandler } from './invocation.ts';
import { logFailure } from './middlewares/log-failure.ts';

/** A Lambda handler for an EventBridge schedule; `at` is the scheduled time, even after a late start. */
export function scheduledJob(
  run: (tick: { at: Date }) => Promise<void>,
): (event: ScheduledEvent, context: Context) => Promise<null> {
  return lambdaHandler<ScheduledEvent, null>(
    { logFields: invocationFields, middlewares: [logFailure()] },
    async (event) => {
      const startedAt = performance.now();
      await run({ at: new Date(event.time) });
      log('scheduled-job', { outcome: 'done', duration_ms: Math.round(performance.now() - startedAt) });
      // middy takes `undefined` for "no response yet".
      return null;
    },
  );
}
