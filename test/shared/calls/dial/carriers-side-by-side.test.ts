import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { CallMessage } from '#shared/calls/call-message.ts';
import type { CallServices } from '#shared/calls/call-services.ts';
import { receiveCallback } from '#shared/calls/carrier-events/receive-callback.ts';
import { handleCallMessage } from '#shared/calls/handle-call-message.ts';
import { carrierClients } from '#shared/carrier/carriers.ts';
import { computeSignature } from '#shared/carrier/signature.ts';
import type { Call } from '#shared/domain/call.ts';
import type { Task } from '#shared/domain/task.ts';
import { CallFixture } from '../../../support/call-fixture.ts';
import { capturedLog } from '../../../support/captured-log.ts';
import { type CarrierServer, startCarrierServer } from '../../../support/carrier-server.ts';
import { type SecretStore, startSecretStore } from '../../../support/secret-store.ts';

const accounts = { sandbox: `AC${'0'.repeat(31)}1`, live: `AC${'0'.repeat(31)}2` };
const tokens = { sandbox: 'sandbox-token', live: 'live-token' };

let fixture: CallFixture;
let live: CarrierServer;
let store: SecretStore;

beforeAll(async () => {
  [fixture, store] = await Promise.all([CallFixture.start(), startSecretStore()]);
  live = await startCarrierServer(() => fixture.now);
  store.put('sandbox', { account_sid: accounts.sandbox, auth_token: tokens.sandbox });
  store.put('live', {
    account_sid: accounts.live,
    api_key_sid: 'SK1',
    api_key_secret: 'key',
    auth_tokens: [tokens.live],
  });
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SECRETS_MANAGER: store.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  });
});
afterAll(() => Promise.all([fixture.stop(), live.stop(), store.stop()]));

function servicesWith(liveSecretId: string): CallServices {
  const secretIds = { sandbox: 'sandbox', live: liveSecretId };
  return { ...fixture.services, carrier: carrierClients(secretIds, fixture.carrier.origin, live.origin) };
}

function handle(message: CallMessage, liveSecretId = 'live'): Promise<void> {
  return handleCallMessage(servicesWith(liveSecretId), message);
}

let numbers = 0;

/** A task to a number that no other test calls, so that none waits for another's call to end. */
function newTask(carrier: 'sandbox' | 'live'): Promise<Task> {
  numbers += 1;
  return fixture.newTask({ phone_number: `+120255501${String(numbers).padStart(2, '0')}` }, { carrier });
}

/** A callback as the carrier with this token sends it. */
function callBack(call: Call, authToken: string, form: Record<string, string>): Promise<string | null> {
  const path = `/carrier/status/${call.task_id}/${call.id}`;
  const url = `${fixture.services.publicBaseUrl}${path}`;
  return receiveCallback(
    {
      table: fixture.table,
      queue: fixture.services.queue,
      secretIds: { sandbox: 'sandbox', live: 'live' },
      publicBaseUrl: fixture.services.publicBaseUrl,
      relayUrl: 'wss://ws.example.test/relay',
    },
    {
      path,
      signature: computeSignature(authToken, url, Object.entries(form)),
      form: new URLSearchParams(form),
    },
  );
}

describe('a sandbox and a live project in one deployment', () => {
  test.each(['sandbox', 'live'] as const)(
    'the call of a %s project goes to its carrier only',
    async (carrier) => {
      const servers = { sandbox: fixture.carrier, live };
      const other = carrier === 'live' ? servers.sandbox : servers.live;
      const task = await newTask(carrier);
      const seenByOther = other.requests.length;
      await handle({ kind: 'dial', task_id: task.id });
      const call = await fixture.newestCall(task);
      expect(call).toMatchObject({ carrier, submission: 'submitted' });
      expect(servers[carrier].requests.at(-1)?.url).toBe(
        `/2010-04-01/Accounts/${accounts[carrier]}/Calls.json`,
      );
      expect(other.requests).toHaveLength(seenByOther);
    },
  );

  test.each([
    ['sandbox', 'live'],
    ['live', 'sandbox'],
  ] as const)('the %s carrier is believed about its own calls, the %s one is not', async (carrier, other) => {
    const task = await newTask(carrier);
    await handle({ kind: 'dial', task_id: task.id });
    const call = await fixture.newestCall(task);
    const form = {
      CallSid: call.carrier_call_sid ?? '',
      CallStatus: 'busy',
      SequenceNumber: '3',
      SipResponseCode: '486',
    };
    const heard = (): number =>
      fixture.queued().filter(({ body }) => JSON.stringify(body).includes('"busy"') && isAbout(body, call))
        .length;
    await expect(callBack(call, tokens[other], form)).rejects.toMatchObject({ code: 'forbidden' });
    expect(heard()).toBe(0);
    expect(await callBack(call, tokens[carrier], form)).toBeNull();
    expect(heard()).toBe(1);
  });
});

function isAbout(body: unknown, call: Call): boolean {
  return JSON.stringify(body).includes(call.id);
}

describe('a live project with credentials that are', () => {
  test('not configured: its task fails with an outcome that says so, which is logged', async () => {
    const task = await newTask('live');
    const written = await capturedLog(() => handle({ kind: 'dial', task_id: task.id }, ''));
    expect(await fixture.task(task)).toMatchObject({
      status: 'FAILED',
      task_outcome: 'No call was made: this service has no access to the telephone carrier of the project.',
    });
    expect(written).toContain('"event":"carrier-without-credentials"');
  });

  test.each([
    ['missing', { error: 'ResourceNotFoundException' }],
    ['not ours to read', { error: 'AccessDeniedException' }],
    ['malformed', { value: '{"account_sid":"AC"' }],
  ] as const)(
    '%s: its task waits with the remedy, the log tells, and it is called once they are there',
    async (fault, answer) => {
      const secretId = `live-${fault}`;
      store.set(secretId, answer);
      const task = await newTask('live');
      const written = await capturedLog(() => handle({ kind: 'dial', task_id: task.id }, secretId));
      expect(written).toContain('"event":"carrier-refuses-our-configuration"');
      await expectWaiting(task, 15 * 60);
      expect((await fixture.task(task)).next_attempt_reason).toBe(
        'The telephone carrier rejects the credentials; the operator of this service must store valid ones.',
      );

      store.put(secretId, { account_sid: accounts.live, auth_token: 'later' });
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 15 * 60_000 });
      fixture.pass(15 * 60);
      await handle({ kind: 'dial', task_id: task.id }, secretId).finally(() => vi.useRealTimers());
      expect(await fixture.newestCall(task)).toMatchObject({
        carrier: 'live',
        submission: 'submitted',
        attempt: 1,
      });
    },
  );

  test('briefly unreachable: its task waits until then', async () => {
    store.set('live-unavailable', { error: 'ThrottlingException' });
    const task = await newTask('live');
    await handle({ kind: 'dial', task_id: task.id }, 'live-unavailable');
    await expectWaiting(task, 30);
    expect((await fixture.task(task)).next_attempt_reason).toBe(
      'The telephone carrier cannot be reached at the moment.',
    );
  });

  test('removed during a call: the call still ends in bounded time', async () => {
    // An earlier test made the carrier throttle, so for a moment nothing is dialed over it.
    fixture.pass(5);
    store.put('live-taken', { account_sid: accounts.live, auth_token: tokens.live });
    const task = await newTask('live');
    await handle({ kind: 'dial', task_id: task.id }, 'live-taken');
    const call = await fixture.newestCall(task);
    store.set('live-taken', { error: 'AccessDeniedException' });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 15 * 60_000 });
    try {
      for (let looks = 0; looks < 500; looks += 1) {
        const { due_at, completed_at } = await fixture.call(call);
        if (completed_at !== null || due_at === null) break;
        fixture.pass(Math.max((Date.parse(due_at) - fixture.now.getTime()) / 1000, 0));
        await handle({ kind: 'call-due', task_id: task.id, call_id: call.id }, 'live-taken');
      }
    } finally {
      vi.useRealTimers();
    }
    expect((await fixture.call(call)).completed_at).not.toBeNull();
  });
});

async function expectWaiting(task: Task, seconds: number): Promise<void> {
  expect(await fixture.calls(task)).toEqual([]);
  expect(await fixture.task(task)).toMatchObject({
    status: 'PENDING',
    attempts: 0,
    next_attempt_at: new Date(fixture.now.getTime() + seconds * 1000).toISOString(),
  });
}

test('a throttled task waits as long as the carrier asks, within bounds', async () => {
  for (const [header, seconds] of [
    ['0', 1],
    ['45', 45],
    ['999999', 900],
    ['', 30],
  ] as const) {
    const task = await newTask('live');
    live.interfere = (request, response) => {
      if (request.method !== 'POST') return false;
      response.writeHead(429, header === '' ? {} : { 'Retry-After': header }).end('{"code":20429}');
      return true;
    };
    await handle({ kind: 'dial', task_id: task.id });
    live.interfere = () => false;
    await expectWaiting(task, seconds);
    // For a moment, nothing else is dialed over a carrier that throttles.
    fixture.pass(5);
  }
});
