import type { Context } from 'aws-lambda';
import { WarmUp } from '#shared/domain/warm-up.ts';
import { log } from '#shared/observability/log.ts';

/** Lets a handler be started ahead of its real event. API Gateway's events have other members. */
export function warmable<Event, Result>(
  handler: (event: Event, context: Context) => Promise<Result>,
): Warmable<Event, Result> {
  // Shows in the log which warm-ups started an environment.
  let hasStarted = false;
  function answer(event: WarmUp, context: Context): Promise<null>;
  function answer(event: Event, context: Context): Promise<Result>;
  function answer(event: Event | WarmUp, context: Context): Promise<Result | null> {
    if (!isWarmUp(event)) {
      hasStarted = true;
      return handler(event, context);
    }
    log('warm-up', { invocation_id: context.awsRequestId, started: !hasStarted });
    hasStarted = true;
    return Promise.resolve(null);
  }
  return answer;
}

interface Warmable<Event, Result> {
  (event: WarmUp, context: Context): Promise<null>;
  (event: Event, context: Context): Promise<Result>;
}

function isWarmUp(event: unknown): event is WarmUp {
  return WarmUp.safeParse(event).success;
}
