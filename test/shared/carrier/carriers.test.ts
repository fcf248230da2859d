import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CarrierClient } from '#shared/carrier/carrier-client.ts';
import { CarrierError } from '#shared/carrier/carrier-error.ts';
import { carrierClients, findCarrier, loadNewestAuthToken } from '#shared/carrier/carriers.ts';
import { loadCarrierCredentials } from '#shared/carrier/credentials.ts';
import { capturedLog } from '../../support/captured-log.ts';
import { type CarrierServer, startCarrierServer } from '../../support/carrier-server.ts';
import { respondJson, type SeenRequest } from '../../support/http-server.ts';
import { type SecretStore, startSecretStore } from '../../support/secret-store.ts';

const sandboxAccount = `AC${'0'.repeat(31)}1`;
const liveAccount = `AC${'0'.repeat(31)}2`;
const call = {
  to: '+12025550143',
  from: '+12025550101',
  answerUrl: 'https://api.example.test/carrier/answer/t/c',
  statusUrl: 'https://api.example.test/carrier/status/t/c',
  fallbackUrl: 'https://api.example.test/carrier-fallback',
  amdUrl: 'https://api.example.test/carrier/amd/t/c',
  ringSeconds: 30,
  maxTalkSeconds: 900,
};

let store: SecretStore;
let sandbox: CarrierServer;
let live: CarrierServer;
let secretIds: { sandbox: string; live: string };
let tests = 0;

beforeAll(async () => {
  [store, sandbox, live] = await Promise.all([
    startSecretStore(),
    startCarrierServer(() => new Date()),
    startCarrierServer(() => new Date()),
  ]);
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SECRETS_MANAGER: store.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  });
});
afterAll(() => Promise.all([store.stop(), sandbox.stop(), live.stop()]));

beforeEach(() => {
  // Secrets are cached, so each test has its own.
  tests += 1;
  secretIds = { sandbox: `sandbox-${tests}`, live: `live-${tests}` };
  store.put(secretIds.sandbox, { account_sid: sandboxAccount, auth_token: 'sandbox-token' });
  storeLive('key-1', ['live-token']);
  for (const carrier of [sandbox, live]) {
    carrier.interfere = () => false;
    carrier.requests.length = 0;
  }
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function storeLive(keySecret: string, authTokens: string[]): void {
  store.put(secretIds.live, {
    account_sid: liveAccount,
    api_key_sid: 'SK1',
    api_key_secret: keySecret,
    auth_tokens: authTokens,
  });
}

async function clientOf(name: 'sandbox' | 'live'): Promise<CarrierClient> {
  const client = await carrierClients(secretIds, sandbox.origin, live.origin)(name);
  if (client === null) throw new Error('there is no client');
  return client;
}

/** After the time when a changed secret is read again. */
function passSixSeconds(): void {
  vi.setSystemTime(Date.now() + 6_000);
}

function loginsOf(carrier: CarrierServer): string[] {
  return carrier.requests.map(({ headers }) =>
    Buffer.from(String(headers.authorization).replace('Basic ', ''), 'base64').toString('utf8'),
  );
}

/** Accepts only this key. */
function onlyLetsIn(keySecret: string) {
  return (request: SeenRequest, response: Parameters<typeof respondJson>[0]): boolean => {
    if (request.headers.authorization === `Basic ${Buffer.from(`SK1:${keySecret}`).toString('base64')}`) {
      return false;
    }
    respondJson(response, 401, { code: 20003 });
    return true;
  };
}

async function errorOf(work: Promise<unknown>): Promise<CarrierError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CarrierError)) throw new Error('a carrier error was expected');
  return error;
}

describe('sandbox and live carrier in one deployment', () => {
  test('each have their own address, account and credentials', async () => {
    await (await clientOf('live')).placeCall(call);
    await (await clientOf('sandbox')).placeCall(call);
    expect(live.requests.map(({ url }) => url)).toEqual([`/2010-04-01/Accounts/${liveAccount}/Calls.json`]);
    expect(loginsOf(live)).toEqual(['SK1:key-1']);
    expect(sandbox.requests.map(({ url }) => url)).toEqual([
      `/2010-04-01/Accounts/${sandboxAccount}/Calls.json`,
    ]);
    expect(loginsOf(sandbox)).toEqual([`${sandboxAccount}:sandbox-token`]);
  });

  test('a carrier without a secret has no client and no token', async () => {
    const alone = { ...secretIds, live: '' };
    expect(await carrierClients(alone, sandbox.origin)('live')).toBeNull();
    expect(await loadNewestAuthToken(alone, 'live')).toBeNull();
    expect(await loadNewestAuthToken(secretIds, 'live')).toBe('live-token');
  });
});

describe('a rotated API key', () => {
  test('is picked up at the first unauthorized request, and the call is placed once', async () => {
    const client = await clientOf('live');
    await client.listRecordings('CA1');
    storeLive('key-2', ['live-token']);
    live.interfere = onlyLetsIn('key-2');
    live.requests.length = 0;
    passSixSeconds();
    const placedBefore = live.calls.length;
    await client.placeCall(call);
    expect(loginsOf(live)).toEqual(['SK1:key-1', 'SK1:key-2']);
    expect(live.calls.length - placedBefore).toBe(1);
    await client.getCall(live.calls[0]?.sid ?? '');
    expect(loginsOf(live)).toHaveLength(3);
  });

  test('that is missing from the secret is our misconfiguration, found with one request', async () => {
    const client = await clientOf('live');
    live.interfere = onlyLetsIn('key-2');
    expect(await errorOf(client.placeCall(call))).toMatchObject({
      kind: 'configuration',
      status: 401,
      code: 20003,
    });
    passSixSeconds();
    expect(await errorOf(client.placeCall(call))).toMatchObject({ kind: 'configuration', status: 401 });
    expect(loginsOf(live)).toEqual(['SK1:key-1', 'SK1:key-1']);
    expect(store.readsOf(secretIds.live)).toBe(2);
  });

  test('is retried only once, whatever happens', async () => {
    const client = await clientOf('live');
    await client.listRecordings('CA1');
    storeLive('key-2', ['live-token']);
    live.interfere = onlyLetsIn('key-3');
    live.requests.length = 0;
    passSixSeconds();
    expect(await errorOf(client.endCall('CA1'))).toMatchObject({ kind: 'configuration', status: 401 });
    expect(loginsOf(live)).toEqual(['SK1:key-1', 'SK1:key-2']);
  });
});

describe('unreadable credentials', () => {
  test.each([
    ['configuration', { error: 'ResourceNotFoundException' }],
    ['configuration', { error: 'AccessDeniedException' }],
    ['configuration', { value: '{"canary"' }],
    ['throttled', { error: 'ThrottlingException' }],
  ] as const)('make every request a refusal of kind %s (%j), and none is sent', async (kind, answer) => {
    store.set(secretIds.live, answer);
    const client = await clientOf('live');
    for (const work of [
      () => client.placeCall(call),
      () => client.endCall('CA1'),
      () => client.getCall('CA1'),
      () => client.listCalls({ to: call.to, from: call.from, since: new Date() }),
      () => client.listRecordings('CA1'),
      () => client.fetchRecordingMedia('RE1'),
      () => client.deleteRecording('RE1'),
    ]) {
      const error = await errorOf(work());
      expect(error).toMatchObject({ kind, status: null, code: null });
      expect(`${error.message}${error.stack}${String(error.cause)}`).not.toContain('canary');
    }
    expect(live.requests).toEqual([]);
  });
});

test('credentials are in no log line and no error, whatever the carrier responds', async () => {
  store.put(secretIds.live, {
    account_sid: liveAccount,
    api_key_sid: 'SKcanary',
    api_key_secret: 'canary-key',
    auth_tokens: ['canary-token'],
  });
  const client = await clientOf('live');
  let shown = '';
  const written = await capturedLog(async () => {
    for (const status of [400, 401, 403, 404, 429, 500, 302]) {
      live.interfere = (request, response) => {
        // A carrier that quotes the request.
        respondJson(response, status, { code: 20003, message: request.headers.authorization });
        return true;
      };
      const error = await errorOf(client.placeCall(call));
      shown += `${error.message}${error.stack}${JSON.stringify(error)}${String(error.cause)}`;
    }
    live.interfere = (request, response) => {
      response.writeHead(201);
      response.write(`{"sid":"${request.headers.authorization}`, () => response.destroy());
      return true;
    };
    shown += JSON.stringify(await errorOf(client.placeCall(call)));
    await findCarrier(secretIds, () => false);
  });
  const encoded = Buffer.from('SKcanary:canary-key').toString('base64');
  for (const text of [shown, written]) {
    expect(text).not.toContain('canary');
    expect(text).not.toContain(encoded);
  }
  expect(shown).toContain('place call');
});

describe('the owner of a token', () => {
  const has = (wanted: string) => (authTokens: readonly string[]) => authTokens.includes(wanted);

  test('is known for each carrier, and for any of several tokens', async () => {
    storeLive('key-1', ['next-token', 'live-token']);
    expect(await findCarrier(secretIds, has('sandbox-token'))).toBe('sandbox');
    expect(await findCarrier(secretIds, has('live-token'))).toBe('live');
    expect(await findCarrier(secretIds, has('next-token'))).toBe('live');
    expect(await findCarrier(secretIds, has('somebody-elses'))).toBeNull();
  });

  test('is known at the first use of a rotated token', async () => {
    expect(await findCarrier(secretIds, has('live-token'))).toBe('live');
    storeLive('key-1', ['rotated-token', 'live-token']);
    passSixSeconds();
    expect(await findCarrier(secretIds, has('rotated-token'))).toBe('live');
    expect(await findCarrier(secretIds, has('live-token'))).toBe('live');
  });

  test('costs one read of each secret, however many forgeries arrive', async () => {
    for (let forgeries = 0; forgeries < 300; forgeries += 1) {
      expect(await findCarrier(secretIds, has('somebody-elses'))).toBeNull();
    }
    expect(store.readsOf(secretIds.live)).toBe(1);
    expect(store.readsOf(secretIds.sandbox)).toBe(1);
  });

  test('does not depend on the secret of the other carrier', async () => {
    store.set(secretIds.live, { error: 'ResourceNotFoundException' });
    expect(await findCarrier(secretIds, has('sandbox-token'))).toBe('sandbox');
  });

  test('does not wait for the secret of the other carrier', async () => {
    store.set(secretIds.live, { silent: true });
    let isAnswered = false;
    const note = (): void => {
      isAnswered = true;
    };
    // The same read, whether or not the search waits for it.
    void loadCarrierCredentials(secretIds.live).then(note, note);
    expect(await findCarrier(secretIds, has('sandbox-token'))).toBe('sandbox');
    expect(isAnswered).toBe(false);
  });

  test('is an error, not a refusal, while a decisive secret cannot be read', async () => {
    store.set(secretIds.live, { error: 'ResourceNotFoundException' });
    await expect(findCarrier(secretIds, has('live-token'))).rejects.toThrow('could not be read');
    storeLive('key-1', ['live-token']);
    passSixSeconds();
    expect(await findCarrier(secretIds, has('live-token'))).toBe('live');
  });
});
