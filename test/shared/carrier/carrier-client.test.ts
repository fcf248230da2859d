import { describe, expect, test } from 'vitest';
import { createCarrierClient } from '#shared/carrier/carrier-client.ts';
import { respondJson, startTestServer } from '../../support/http-server.ts';
import { accountSid, authorization, callSid, carrier, credentials, errorOf } from './carrier-under-test.ts';

const call = {
  to: '+12025550143',
  from: '+12025550101',
  answerUrl: 'https://api.example.test/carrier/answer/t/c#rc=3&rp=5xx,ct,rt',
  statusUrl: 'https://api.example.test/carrier/status/t/c#rc=3&rp=5xx,ct,rt',
  fallbackUrl: 'https://api.example.test/carrier-fallback',
  amdUrl: 'https://api.example.test/carrier/amd/t/c#rc=3&rp=5xx,ct,rt',
  ringSeconds: 30,
  maxTalkSeconds: 900,
};
const queuedCall = {
  sid: callSid,
  status: 'queued',
  date_created: null,
  start_time: null,
  duration: null,
  a_member_of_tomorrow: {},
};

describe('placing a call', () => {
  test('sends the numbers, the callbacks and every event by name', async () => {
    const { client, requests } = await carrier((_, response) => respondJson(response, 201, queuedCall));
    expect(await client.placeCall(call)).toEqual({
      sid: callSid,
      progress: 'queued',
      createdAtMs: null,
      talkSeconds: null,
      queueMs: null,
    });
    const [request] = requests;
    expect(request?.method).toBe('POST');
    expect(request?.url).toBe(`/2010-04-01/Accounts/${accountSid}/Calls.json`);
    expect(request?.headers.authorization).toBe(authorization);
    expect(request?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
    const form = new URLSearchParams(request?.body);
    expect(form.get('To')).toBe('+12025550143');
    expect(form.get('From')).toBe('+12025550101');
    expect(form.get('Url')).toBe(call.answerUrl);
    expect(form.get('StatusCallback')).toBe(call.statusUrl);
    expect(form.getAll('StatusCallbackEvent')).toEqual(['completed']);
    expect(form.get('Timeout')).toBe('30');
    expect(form.get('TimeLimit')).toBe('900');
    expect(form.has('Record')).toBe(false);
  });

  test('requests answering-machine detection without delaying the conversation', async () => {
    const { client, requests } = await carrier((_, response) => respondJson(response, 201, queuedCall));
    await client.placeCall(call);
    const form = new URLSearchParams(requests[0]?.body);
    expect(form.get('MachineDetection')).toBe('Enable');
    expect(form.get('AsyncAmd')).toBe('true');
    expect(form.get('AsyncAmdStatusCallback')).toBe(call.amdUrl);
    expect([form.get('FallbackUrl'), form.get('FallbackMethod')]).toEqual([call.fallbackUrl, 'POST']);
    expect(form.get('AsyncAmdStatusCallbackMethod')).toBe('POST');
    expect([...form.keys()].filter((name) => /^MachineDetection./.test(name))).toEqual([]);
  });

  test('says how long the call waits at the carrier before it is dialed', async () => {
    const { client } = await carrier((_, response) =>
      respondJson(response, 201, { ...queuedCall, queue_time: '12500' }),
    );
    expect(await client.placeCall(call)).toMatchObject({ progress: 'queued', queueMs: 12_500 });
  });

  test.each([
    [400, 21211, 'bad-number'],
    [400, 21217, 'bad-number'],
    [400, 21606, 'configuration'],
    [401, 20003, 'configuration'],
    [403, 20003, 'configuration'],
    [404, 20404, 'not-found'],
    [429, 20429, 'throttled'],
    [408, null, 'unknown'],
    [500, 20500, 'unknown'],
    [502, null, 'unknown'],
    [503, 20503, 'unknown'],
    [301, null, 'unknown'],
  ] as const)('status %i with code %s is %s', async (status, code, kind) => {
    const { client } = await carrier((_, response) =>
      respondJson(response, status, { code, message: 'Invalid +12025550143', status }),
    );
    const error = await errorOf(client.placeCall(call));
    expect(error).toMatchObject({ kind, status, code });
    expect(error.message).not.toContain('2025550143');
  });

  test('a connection lost before the response leaves the outcome unknown', async () => {
    const { client, requests } = await carrier((_, response) => {
      response.destroy();
    });
    expect(await errorOf(client.placeCall(call))).toMatchObject({ kind: 'unknown', status: null });
    expect(requests).toHaveLength(1);
  });

  test('a connection lost within the response leaves the outcome unknown', async () => {
    const { client } = await carrier((_, response) => {
      response.writeHead(201, { 'Content-Length': '1000' });
      response.write('{"sid":', () => response.destroy());
    });
    expect(await errorOf(client.placeCall(call))).toMatchObject({ kind: 'unknown' });
  });

  test('a timeout leaves the outcome unknown', async () => {
    const { client, requests } = await carrier(() => {}, { requestTimeoutMs: 100 });
    expect(await errorOf(client.placeCall(call))).toMatchObject({ kind: 'unknown', status: null });
    expect(requests).toHaveLength(1);
  });

  test('a refusal says when to retry', async () => {
    const headers = [{ 'Retry-After': '12' }, {}];
    const { client } = await carrier((_, response) => {
      response.writeHead(429, headers.shift());
      response.end('{"code":20429}');
    });
    expect(await errorOf(client.placeCall(call))).toMatchObject({ kind: 'throttled', retryAfterSeconds: 12 });
    expect(await errorOf(client.placeCall(call))).toMatchObject({ retryAfterSeconds: null });
  });

  test.each(['', 'not json', '{}', '{"sid":null,"status":"queued"}'])(
    'an accepted call whose answer cannot be read (%j) is unknown, not refused',
    async (text) => {
      const { client } = await carrier((_, response) => {
        response.writeHead(201);
        response.end(text);
      });
      expect(await errorOf(client.placeCall(call))).toMatchObject({ kind: 'unknown' });
    },
  );

  test('a refused connection means that no call was placed', async () => {
    const server = await startTestServer(() => {});
    await server.stop();
    const client = createCarrierClient({ baseUrl: server.origin, credentials });
    expect(await errorOf(client.placeCall(call))).toMatchObject({ kind: 'throttled', status: null });
  });
});

describe('following a call', () => {
  test('reads progress and talk time', async () => {
    const { client, requests } = await carrier((_, response) =>
      respondJson(response, 200, {
        ...queuedCall,
        status: 'completed',
        queue_time: '0',
        duration: '42',
        date_created: 'Fri, 20 Nov 2026 15:03:20 +0000',
      }),
    );
    expect(await client.getCall(callSid)).toEqual({
      sid: callSid,
      progress: 'completed',
      createdAtMs: Date.UTC(2026, 10, 20, 15, 3, 20),
      talkSeconds: 42,
      queueMs: 0,
    });
    expect(requests[0]).toMatchObject({
      method: 'GET',
      url: `/2010-04-01/Accounts/${accountSid}/Calls/${callSid}.json`,
    });
  });

  test('ending an ended call succeeds, any other refusal fails', async () => {
    const codes = [21220, 20003];
    const { client, requests } = await carrier((_, response) =>
      respondJson(response, 400, { code: codes.shift() }),
    );
    await client.endCall(callSid);
    expect(new URLSearchParams(requests[0]?.body).get('Status')).toBe('completed');
    expect(await errorOf(client.endCall(callSid))).toMatchObject({ kind: 'configuration' });
  });

  test('lists queued and started calls, over all pages, below the base address', async () => {
    const path = `/2010-04-01/Accounts/${accountSid}/Calls.json`;
    const listed = (status: string, digit: string) => ({
      ...queuedCall,
      sid: callSid.slice(0, -1) + digit,
      status,
    });
    const { client, requests } = await carrier(
      ({ url }, response) => {
        if (url.includes('Status=queued')) {
          respondJson(response, 200, { calls: [listed('queued', '1'), listed('queued', '2')] });
        } else if (url.includes('Page=1')) {
          respondJson(response, 200, { calls: [listed('busy', '3')], next_page_uri: null });
        } else {
          // The second one has started since the list showed it as waiting.
          respondJson(response, 200, { calls: [listed('ringing', '2')], next_page_uri: `${path}?Page=1` });
        }
      },
      { prefix: '/sandbox-phone' },
    );
    const calls = await client.listCalls({
      to: call.to,
      from: call.from,
      since: new Date('2026-11-20T15:00:00.000Z'),
    });
    expect(calls.map(({ progress }) => progress)).toEqual(['queued', 'ringing', 'busy']);
    const urls = requests.map((request) => new URL(request.url, 'http://carrier.test'));
    expect(urls.map(({ pathname }) => pathname)).toEqual(Array(3).fill(`/sandbox-phone${path}`));
    const [waiting, started] = urls;
    expect(Object.fromEntries(waiting?.searchParams ?? [])).toEqual({
      To: call.to,
      From: call.from,
      PageSize: '100',
      Status: 'queued',
    });
    expect(Object.fromEntries(started?.searchParams ?? [])).toEqual({
      To: call.to,
      From: call.from,
      PageSize: '100',
      'StartTime>': '2026-11-20',
    });
  });

  test('a next page on another host never gets our credentials', async () => {
    const { client, requests } = await carrier((_, response) =>
      respondJson(response, 200, { calls: [], next_page_uri: 'https://example.com/next' }),
    );
    const query = { to: call.to, from: call.from, since: new Date() };
    expect(await errorOf(client.listCalls(query))).toMatchObject({ kind: 'unknown' });
    expect(requests).toHaveLength(1);
  });
});
