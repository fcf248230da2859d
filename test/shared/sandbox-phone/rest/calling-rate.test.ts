import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CarrierClient, createCarrierClient } from '#shared/carrier/carrier-client.ts';
import { isTurn } from '#shared/sandbox-phone/line/line-queue.ts';
import { takeTurn } from '#shared/sandbox-phone/store/calling-rate.ts';
import { accountSid, authToken, caller, PhoneFixture } from '../phone-fixture.ts';

let fixture: PhoneFixture;
let client: CarrierClient;
let now: Date;

// Each test has its own network, so that no call of another test waits in it.
beforeEach(async () => {
  now = new Date();
  fixture = await PhoneFixture.start();
  client = createCarrierClient({
    baseUrl: `${fixture.baseUrl}/sandbox-phone`,
    credentials: { accountSid, restUser: accountSid, restPassword: authToken },
  });
});
afterEach(() => fixture.stop());

/** Limits the calls that start in a second. */
function limit(callsPerSecond: number | null): void {
  Object.assign(fixture.rest, { callsPerSecond, now: () => now });
}

function place(): ReturnType<CarrierClient['placeCall']> {
  return client.placeCall({
    to: '+12025550110',
    from: caller,
    answerUrl: `${fixture.baseUrl}/answer`,
    statusUrl: `${fixture.baseUrl}/status`,
    fallbackUrl: `${fixture.baseUrl}/fallback`,
    amdUrl: `${fixture.baseUrl}/amd`,
    ringSeconds: 30,
    maxTalkSeconds: 900,
  });
}

describe('calls per second', () => {
  test('calls beyond the limit are accepted and wait, and the adapter sees how long', async () => {
    limit(2);
    const waits: (number | null)[] = [];
    for (let count = 0; count < 4; count += 1) {
      const call = await place();
      expect(call.progress).toBe('queued');
      waits.push(call.queueMs);
    }
    expect(waits).toEqual([0, 500, 1000, 1500]);
    now = new Date(now.getTime() + 60_000);
    expect((await place()).queueMs).toBe(0);
  });

  test('without a limit no call waits', async () => {
    limit(null);
    for (let count = 0; count < 3; count += 1) expect((await place()).queueMs).toBe(0);
  });

  test('each call has its own turn, however many arrive together', async () => {
    const turns = await Promise.all(
      Array.from({ length: 30 }, () => takeTurn(fixture.store, accountSid, 10, now)),
    );
    const waits = turns.map((turn) => turn.getTime() - now.getTime()).sort((a, b) => a - b);
    expect(waits).toEqual(Array.from({ length: 30 }, (_, position) => position * 100));
  });
});

describe('a call that waits for its turn', () => {
  test("is not played before it, with as many messages as the queue's delay needs", async () => {
    const queue = fixture.rest.lineQueue;
    const later = (seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString();
    expect(await isTurn(queue, { call_sid: 'CA1' }, now)).toBe(true);
    expect(await isTurn(queue, { call_sid: 'CA1', not_before: later(-5) }, now)).toBe(true);
    expect(await isTurn(queue, { call_sid: 'CA1', not_before: later(0.5) }, now)).toBe(true);
    expect(await isTurn(queue, { call_sid: 'CA1', not_before: later(3) }, now)).toBe(false);
    expect(await isTurn(queue, { call_sid: 'CA1', not_before: later(36_000) }, now)).toBe(false);
    expect(await fixture.delayedMessages()).toBe(2);
  });

  test('is canceled at once if ended meanwhile', async () => {
    limit(0.01);
    await place();
    const waiting = await place();
    expect(waiting.queueMs).toBe(100_000);
    await fixture.play();
    await client.endCall(waiting.sid);
    fixture.callbacks.length = 0;
    await fixture.play();
    expect(fixture.formsOf('/status').map(({ CallStatus }) => CallStatus)).toEqual(['canceled']);
    expect((await client.getCall(waiting.sid)).progress).toBe('canceled');
  });

  test('is canceled after a day of waiting', async () => {
    limit(null);
    const { sid } = await place();
    const dayLater = new Date(now.getTime() + 24 * 3600_000 + 1000);
    await fixture.play({ now: () => dayLater });
    expect(fixture.formsOf('/status').map(({ CallStatus }) => CallStatus)).toEqual(['canceled']);
    expect((await client.getCall(sid)).progress).toBe('canceled');
  });
});
