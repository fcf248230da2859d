import { beforeEach, describe, expect, test } from 'vitest';
import { updateItem } from '#shared/sandbox-phone/store/sandbox-store.ts';
import { basicAuthorization } from '../../../support/basic-authorization.ts';
import { forThisFile } from '../../../support/lifetime.ts';
import { type OfficialClient, officialClient } from '../../../support/official-client.ts';
import { accountSid, authToken, caller, keyPair, PhoneFixture } from '../phone-fixture.ts';
import { script } from '../scripted-agent.ts';

const fixture = await forThisFile(PhoneFixture.start());
beforeEach(() => fixture.reset());

/** The carrier's own client, pointed at the sandbox. */
function libraryWith(user = accountSid, password = authToken): OfficialClient {
  return officialClient(`${fixture.baseUrl}/sandbox-phone`, { accountSid, user, password });
}

/** Resolves when the person has picked up. */
async function whenInProgress(sid: string): Promise<void> {
  for (;;) {
    const { status } = await libraryWith().calls(sid).fetch();
    if (status === 'in-progress') return;
    if (status === 'completed') throw new Error('the call has ended');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const callForm = (more: Record<string, string> = {}): Record<string, string> => ({
  To: '+12025550103',
  From: caller,
  Url: `${fixture.baseUrl}/answer`,
  ...more,
});

describe("the carrier's own client", () => {
  test('places, reads, lists, ends and deletes a call, and reads its recording', async () => {
    const client = libraryWith(keyPair.user, keyPair.password);
    fixture.agent = script('What are your office hours?');
    const placed = await client.calls.create({
      to: '+12025550103',
      from: '+12025550191',
      url: `${fixture.baseUrl}/answer`,
      statusCallback: `${fixture.baseUrl}/status`,
      statusCallbackEvent: ['initiated', 'completed'],
      timeout: 30,
    });
    expect(placed).toMatchObject({ status: 'queued', direction: 'outbound-api', queueTime: '0' });
    await fixture.play();
    expect(fixture.formsOf('/status').map((form) => form.CallStatus)).toEqual(['initiated', 'completed']);

    const call = await client.calls(placed.sid).fetch();
    expect(call.status).toBe('completed');
    expect(Number(call.duration)).toBeGreaterThan(5);
    expect(call.startTime.getTime()).toBeLessThan(call.endTime.getTime());
    await expect(client.calls(placed.sid).update({ status: 'completed' })).rejects.toMatchObject({
      status: 400,
      code: 21220,
    });

    const startTimeAfter = new Date(Date.now() - 60_000);
    const listed = await client.calls.list({ from: '+12025550191', to: '+12025550103', startTimeAfter });
    expect(listed.map(({ sid }) => sid)).toEqual([placed.sid]);
    expect(await client.calls.list({ from: '+12025550191', status: 'busy' })).toEqual([]);
    expect(await client.calls.list({ startTimeAfter: new Date(Date.now() + 86_400_000) })).toEqual([]);

    const [recording] = await client.recordings.list({ callSid: placed.sid });
    expect(recording).toMatchObject({ status: 'completed', channels: 2, source: 'StartCallRecordingTwiML' });
    expect((await client.calls(placed.sid).recordings.list()).map(({ sid }) => sid)).toEqual([
      recording?.sid,
    ]);
    await client.recordings(recording?.sid ?? '').remove();
    await expect(client.recordings(recording?.sid ?? '').fetch()).rejects.toMatchObject({
      status: 404,
      code: 20404,
    });
    expect((await client.recordings(recording?.sid ?? '').fetch({ includeSoftDeleted: true })).status).toBe(
      'deleted',
    );
    expect(await client.recordings.list({ callSid: placed.sid })).toEqual([]);

    expect(await client.calls(placed.sid).remove()).toBe(true);
    await expect(client.calls(placed.sid).fetch()).rejects.toMatchObject({ status: 404 });
  });

  test('reads every page of a long list, newest first', async () => {
    const client = libraryWith();
    const placed: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      placed.push(
        (
          await client.calls.create({
            to: '+12025550110',
            from: '+12025550192',
            url: `${fixture.baseUrl}/answer`,
          })
        ).sid,
      );
      await fixture.play();
    }
    const listed = await client.calls.list({ from: '+12025550192', pageSize: 2 });
    expect(listed.map(({ sid }) => sid)).toEqual(placed.reverse());
    const response = await fixture.request('GET', '/Calls.json?From=%2B12025550192&PageSize=2');
    expect(await response.json()).toMatchObject({
      page: 0,
      page_size: 2,
      start: 0,
      end: 1,
      previous_page_uri: null,
    });
  });

  test.each([
    ['ends', { status: 'completed' }, ['canceled']],
    ['cancels', { status: 'canceled' }, ['canceled']],
  ] as const)('%s a call that still waits', async (_, update, statuses) => {
    const sid = await fixture.place('+12025550103');
    await libraryWith().calls(sid).update(update);
    await fixture.play();
    expect(fixture.formsOf('/status').map(({ CallStatus }) => CallStatus)).toEqual(statuses);
    expect((await libraryWith().calls(sid).fetch()).status).toBe('canceled');
  });

  test('ends a call in progress, and does not cancel an answered one', async () => {
    const sid = await fixture.place('+12025550103');
    let updates = 0;
    fixture.answers.set('/answer', () => ({
      status: 200,
      body: '<Response><Pause length="600"/></Response>',
    }));
    const update = async (status: 'canceled' | 'completed'): Promise<void> => {
      updates += 1;
      await libraryWith().calls(sid).update({ status });
    };
    const refused = whenInProgress(sid)
      .then(() => expect(update('canceled')).rejects.toMatchObject({ status: 400, code: 21220 }))
      .then(() => update('completed'));
    // Slow enough for the call to be in progress, and ended long before its pause is over.
    await Promise.all([fixture.play({ pace: 0.05 }), refused]);
    expect(updates).toBe(2);
    const call = await libraryWith().calls(sid).fetch();
    expect(call.status).toBe('completed');
    expect(Number(call.duration)).toBeLessThan(600);
  });

  test('cannot create a recording itself', async () => {
    const sid = await fixture.place('+12025550110');
    await expect(libraryWith().calls(sid).recordings.create({})).rejects.toMatchObject({
      status: 400,
      code: 21220,
    });
    await fixture.play();
  });
});

describe('authentication', () => {
  test.each([
    ['nobody', {}],
    ['a wrong token', basicAuthorization(accountSid, 'wrong')],
    ['another account', basicAuthorization(`AC${'1'.repeat(32)}`, authToken)],
    ['another scheme', { Authorization: `Bearer ${authToken}` }],
  ])('%s gets 401 with code 20003', async (_, headers) => {
    const response = await fixture.request('GET', '/Calls.json', undefined, headers);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: 20003, status: 401 });
  });
});

test('a rotated token works at once, the old one while listed', async () => {
  const before = { ...fixture.rest };
  Object.assign(fixture.rest, {
    renewedCredentials: async () => ({ ...(await before.credentials()), authTokens: ['rotated', authToken] }),
  });
  for (const token of ['rotated', authToken]) {
    const response = await fixture.request(
      'GET',
      '/Calls.json',
      undefined,
      basicAuthorization(accountSid, token),
    );
    expect(response.status).toBe(200);
  }
  Object.assign(fixture.rest, before);
  const response = await fixture.request(
    'GET',
    '/Calls.json',
    undefined,
    basicAuthorization(accountSid, 'rotated'),
  );
  expect(response.status).toBe(401);
});

describe('a call that cannot be placed', () => {
  test.each([
    ['no To', { To: '' }, 21201],
    ['a To that is no number', { To: '5550100' }, 21211],
    ['no From', { From: '' }, 21213],
    ['a From that is no number', { From: 'clinic' }, 21212],
    ['no Url', { Url: '' }, 21205],
    ['an Url that is none', { Url: 'answer' }, 21205],
    ['an Url of another host', { Url: 'http://127.0.0.1:1/stage/answer' }, 21205],
    ['a callback of another host', { StatusCallback: 'http://169.254.169.254/' }, 21205],
    ['a callback of a host that only begins like ours', { StatusCallback: 'BASE.evil.test/x' }, 21205],
    ['an unknown event', { StatusCallbackEvent: 'answered completed' }, 20001],
    ['what the sandbox cannot do', { MachineDetection: 'Enable' }, 20001],
  ])('%s is refused with code', async (_, change, code) => {
    const form = callForm(
      Object.fromEntries(
        Object.entries(change).map(([name, value]) => [name, value.replace('BASE', fixture.baseUrl)]),
      ),
    );
    const response = await fixture.request('POST', '/Calls.json', form);
    expect(response.status).toBe(400);
    const body: { code?: number; message?: string; more_info?: string; status?: number } = Object(
      await response.json(),
    );
    expect(body).toMatchObject({
      code,
      status: 400,
      more_info: `https://www.twilio.com/docs/errors/${code}`,
    });
    expect(body.message).not.toBe('');
  });
});

describe('a missing resource', () => {
  test.each([
    ['GET', `/Calls/CA${'0'.repeat(32)}.json`],
    ['POST', `/Calls/CA${'0'.repeat(32)}.json`],
    ['DELETE', `/Calls/CA${'0'.repeat(32)}.json`],
    ['GET', '/Calls/nonsense'],
    ['GET', `/Calls/CA${'0'.repeat(32)}/Recordings.json`],
    ['GET', `/Recordings/RE${'0'.repeat(32)}.json`],
    ['GET', `/Recordings/RE${'0'.repeat(32)}.wav`],
    ['GET', `/Recordings/RE${'0'.repeat(32)}.mp3`],
    ['DELETE', `/Recordings/RE${'0'.repeat(32)}.json`],
  ])('%s %s gets 404 with code 20404', async (method, path) => {
    const response = await fixture.request(
      method,
      path,
      method === 'POST' ? { Status: 'completed' } : undefined,
    );
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 20404, status: 404 });
  });

  test('two channels of a one-channel recording', async () => {
    fixture.answers.set('/answer', () => ({
      status: 200,
      body: `<Response><Start><Recording channels="mono"/></Start><Say>Hello.</Say></Response>`,
    }));
    const sid = await fixture.place('+12025550103');
    await fixture.play();
    const { recordings } = Object(
      await (await fixture.request('GET', `/Calls/${sid}/Recordings.json`)).json(),
    );
    const recordingSid = String(recordings[0].sid);
    const response = await fixture.request('GET', `/Recordings/${recordingSid}.wav?RequestedChannels=2`);
    expect(response.status).toBe(400);
    expect((await fixture.sound(recordingSid, 1)).channels).toHaveLength(1);
  });
});

test("a call's recordings are found without reading other calls", async () => {
  fixture.agent = script();
  const scanned: number[] = [];
  fixture.store.client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      if ('ScannedCount' in result.output) scanned.push(Number(result.output.ScannedCount));
      return result;
    },
    { step: 'initialize', name: 'count-scanned' },
  );
  const sids: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    sids.push(await fixture.place('+12025550103'));
    await fixture.play();
  }
  scanned.length = 0;
  for (const sid of sids) {
    const response = await fixture.request('GET', `/Calls/${sid}/Recordings.json`);
    expect(Object(await response.json()).recordings).toMatchObject([{ call_sid: sid }]);
  }
  fixture.store.client.middlewareStack.remove('count-scanned');
  expect(scanned).toEqual([]);
});

test("a call's recordings come in pages, newest first", async () => {
  fixture.answers.set('/answer', () => ({
    status: 200,
    body: `<Response>${'<Start><Recording/></Start>'.repeat(3)}<Say>Hello.</Say></Response>`,
  }));
  const sid = await fixture.place('+12025550103');
  await fixture.play();
  const list = async (
    path: string,
  ): Promise<{ recordings: { sid: string }[]; next_page_uri: string | null }> =>
    Object(await (await fixture.request('GET', path)).json());
  const all = await list(`/Calls/${sid}/Recordings.json`);
  const first = await list(`/Calls/${sid}/Recordings.json?PageSize=2`);
  const next = first.next_page_uri?.replace(/^.*(?=\/Calls)/, '') ?? '';
  const second = await list(next);
  expect(all.recordings).toHaveLength(3);
  expect([...first.recordings, ...second.recordings]).toEqual(all.recordings);
  expect(second.next_page_uri).toBeNull();
  expect(await list(`/Recordings.json?CallSid=${sid}`)).toMatchObject({
    recordings: all.recordings.map((recording) => ({ sid: recording.sid })),
  });
});

test('a call with a lost message to the line is played once requested', async () => {
  fixture.agent = script();
  const sid = await fixture.place('+12025550103');
  await fixture.loseMessages();
  await fixture.request('GET', `/Calls/${sid}.json`);
  await expect(fixture.play()).rejects.toThrow('no call waits');

  await updateItem(fixture.store, 'call', sid, { created_at: new Date(Date.now() - 60_000).toISOString() });
  expect(await (await fixture.request('GET', `/Calls/${sid}.json`)).json()).toMatchObject({
    status: 'queued',
  });
  await fixture.play();
  expect((await fixture.call(sid)).status).toBe('completed');
});
