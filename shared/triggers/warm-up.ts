import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { log } from '#shared/observability/log.ts';

/** What a function is invoked with only to be started. */
export const WarmUp = z.strictObject({ warm_up: z.literal(true) });
export type WarmUp = z.infer<typeof WarmUp>;

/** Lets a handler be started ahead of the event that it is needed for. What API Gateway sends has other members. */
export function warmable<Event, Result>(
  handler: (event: Event, context: Context) => Promise<Result>,
): Warmable<Event, Result> {
  // Of what was asked of this environment; the log tells by it how many warm-ups start one.
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
