import type { Context } from 'aws-lambda';
import { expect, test, vi } from 'vitest';
import { warmable } from '#shared/triggers/warmable.ts';
import { capturedLog } from '../../support/captured-log.ts';

const context = {} as Context;

test('a warm-up returns at once, and everything else is handled', async () => {
  const handle = vi.fn(async (event: object) => ({ handled: event }));
  const handler = warmable(handle);
  const warmUp = () => capturedLog(async () => expect(await handler({ warm_up: true }, context)).toBeNull());
  // Whether it started the environment.
  expect(await warmUp()).toContain('"started":true');
  expect(await warmUp()).toContain('"started":false');
  expect(handle).not.toHaveBeenCalled();
  const event = { requestContext: { connectionId: 'one' }, body: '{"warm_up":true}' };
  expect(await handler(event, context)).toEqual({ handled: event });
  // A client's content is never at the top level of the gateway's event.
  const disguised = { ...event, warm_up: true };
  expect(await handler(disguised, context)).toEqual({ handled: disguised });
});
