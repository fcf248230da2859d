import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { type CarrierClient, createCarrierClient } from '#shared/carrier/carrier-client.ts';
import { CarrierError } from '#shared/carrier/carrier-error.ts';
import {
  respondJson,
  type SeenRequest,
  startTestServer,
  type TestServer,
} from '../../support/http-server.ts';

const accountSid = `AC${'0'.repeat(31)}1`;
const callSid = `CA${'0'.repeat(31)}a`;
const recordingSid = `RE${'0'.repeat(30)}b1`;
const credentials = { accountSid, restUser: 'SK1', restPassword: 'secret' };
const authorization = `Basic ${Buffer.from('SK1:secret').toString('base64')}`;
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

const servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function carrier(
  respond: (request: SeenRequest, response: ServerResponse) => void | Promise<void>,
  options: { requestTimeoutMs?: number; mediaTimeoutMs?: number; prefix?: string } = {},
): Promise<{ client: CarrierClient; requests: SeenRequest[]; origin: string }> {
  const server = await startTestServer(respond);
  servers.push(server);
  const { prefix = '', ...timeouts } = options;
  const client = createCarrierClient({ baseUrl: `${server.origin}${prefix}`, credentials, ...timeouts });
  return { client, requests: server.requests, origin: server.origin };
}

async function errorOf(work: Promise<unknown>): Promise<CarrierError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CarrierError)) throw new Error('a carrier error was expected');
  return error;
}

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
    expect(form.getAll('StatusCallbackEvent')).toEqual(['answered', 'completed']);
    expect(form.get('Timeout')).toBe('30');
    expect(form.get('TimeLimit')).toBe('900');
    expect(form.has('Record')).toBe(false);
  });

  test('asks who takes the call, without holding up the conversation', async () => {
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

  test('tells how long the call waits at the carrier before it is dialed', async () => {
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

  test('a connection that breaks before the answer leaves the outcome unknown', async () => {
    const { client, requests } = await carrier((_, response) => {
      response.destroy();
    });
    expect(await errorOf(client.placeCall(call))).toMatchObject({ kind: 'unknown', status: null });
    expect(requests).toHaveLength(1);
  });

  test('a connection that breaks within the answer leaves the outcome unknown', async () => {
    const { client } = await carrier((_, response) => {
      response.writeHead(201, { 'Content-Length': '1000' });
      response.write('{"sid":', () => response.destroy());
    });
    expect(await errorOf(client.placeCall(call))).toMatchObject({ kind: 'unknown' });
  });

  test('no answer in time leaves the outcome unknown', async () => {
    const { client, requests } = await carrier(() => {}, { requestTimeoutMs: 100 });
    expect(await errorOf(client.placeCall(call))).toMatchObject({ kind: 'unknown', status: null });
    expect(requests).toHaveLength(1);
  });

  test('a refusal says when the carrier wants to be asked again', async () => {
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

  test('a carrier that nobody listens for was surely not asked', async () => {
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

  test('ending a call that has ended is a success, any other refusal is not', async () => {
    const codes = [21220, 20003];
    const { client, requests } = await carrier((_, response) =>
      respondJson(response, 400, { code: codes.shift() }),
    );
    await client.endCall(callSid);
    expect(new URLSearchParams(requests[0]?.body).get('Status')).toBe('completed');
    expect(await errorOf(client.endCall(callSid))).toMatchObject({ kind: 'configuration' });
  });

  test('lists calls that wait and calls that have started, over all pages, below the base address', async () => {
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
          // The second one has started since it was listed as waiting.
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

  test('a next page on another host is not asked with our credentials', async () => {
    const { client, requests } = await carrier((_, response) =>
      respondJson(response, 200, { calls: [], next_page_uri: 'https://example.com/next' }),
    );
    const query = { to: call.to, from: call.from, since: new Date() };
    expect(await errorOf(client.listCalls(query))).toMatchObject({ kind: 'unknown' });
    expect(requests).toHaveLength(1);
  });
});

describe('recordings', () => {
  const bytes = Buffer.from('RIFF-not-really');

  test('the redirect is followed and the storage host never sees our credentials', async () => {
    const storage = await startTestServer((_, response) => {
      response.writeHead(200, { 'Content-Length': String(bytes.length) });
      response.end(bytes);
    });
    servers.push(storage);
    const { client, requests } = await carrier((_, response) => {
      response.writeHead(302, { Location: `${storage.origin}/stored?signature=1` });
      response.end();
    });
    const media = await client.fetchRecordingMedia(recordingSid);
    expect(media.contentLength).toBe(bytes.length);
    expect(Buffer.from(await new Response(media.body).arrayBuffer())).toEqual(bytes);
    expect(requests[0]).toMatchObject({
      url: `/2010-04-01/Accounts/${accountSid}/Recordings/${recordingSid}.wav?RequestedChannels=2`,
      headers: { authorization },
    });
    expect(storage.requests).toHaveLength(1);
    expect(storage.requests[0]?.headers.authorization).toBeUndefined();
  });

  test('one channel is asked for when there are not two', async () => {
    const { client, requests } = await carrier((request, response) => {
      if (request.url.includes('RequestedChannels=2')) respondJson(response, 400, { code: 20001 });
      else response.end(bytes);
    });
    const media = await client.fetchRecordingMedia(recordingSid);
    expect(Buffer.from(await new Response(media.body).arrayBuffer())).toEqual(bytes);
    expect(requests.map(({ url }) => url.slice(-1))).toEqual(['2', '1']);
  });

  test('what a storage host refuses is no answer about channels, and the whole recording is asked for again later', async () => {
    for (const status of [400, 403, 410]) {
      const storage = await carrier((_, response) => {
        response.writeHead(status).end();
      });
      const { client, requests } = await carrier((_, response) => {
        response.writeHead(302, { Location: `${storage.origin}/media.wav` }).end();
      });
      expect(await errorOf(client.fetchRecordingMedia(recordingSid))).toMatchObject({ kind: 'unknown' });
      expect(requests.map(({ url }) => url.slice(-1))).toEqual(['2']);
    }
  });

  test('media that is not there yet is told apart from any other failure', async () => {
    const statuses = [404, 503];
    const { client } = await carrier((_, response) => respondJson(response, statuses.shift() ?? 200, {}));
    expect(await errorOf(client.fetchRecordingMedia(recordingSid))).toMatchObject({ kind: 'not-found' });
    expect(await errorOf(client.fetchRecordingMedia(recordingSid))).toMatchObject({ kind: 'unknown' });
  });

  test('a carrier that redirects for ever is given up', async () => {
    const { client, requests } = await carrier((request, response) => {
      response.writeHead(302, { Location: request.url });
      response.end();
    });
    expect(await errorOf(client.fetchRecordingMedia(recordingSid))).toMatchObject({ kind: 'unknown' });
    expect(requests.length).toBeLessThan(6);
  });

  test('lists the recordings of a call with open states', async () => {
    const { client } = await carrier((_, response) =>
      respondJson(response, 200, {
        recordings: [
          { sid: 'RE1', status: 'completed', duration: '41' },
          { sid: 'RE2', status: 'absent' },
          { sid: 'RE3', status: 'a-state-of-tomorrow' },
        ],
        next_page_uri: null,
      }),
    );
    expect(await client.listRecordings(callSid)).toEqual([
      { sid: 'RE1', status: 'completed', durationSeconds: 41 },
      { sid: 'RE2', status: 'absent', durationSeconds: null },
      { sid: 'RE3', status: 'in-progress', durationSeconds: null },
    ]);
  });

  test('deleting a recording that is gone is a success', async () => {
    const statuses = [204, 404, 500];
    const { client } = await carrier((_, response) => {
      response.writeHead(statuses.shift() ?? 500);
      response.end();
    });
    await client.deleteRecording(recordingSid);
    await client.deleteRecording(recordingSid);
    expect(await errorOf(client.deleteRecording(recordingSid))).toMatchObject({ kind: 'unknown' });
  });
});
