import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CarrierClient, createCarrierClient } from '#shared/carrier/carrier-client.ts';
import { CarrierError } from '#shared/carrier/carrier-error.ts';
import {
  accountSid,
  authToken,
  caller,
  keyPair,
  PhoneFixture,
} from '../shared/sandbox-phone/phone-fixture.ts';
import { script } from '../shared/sandbox-phone/scripted-agent.ts';
import { basicAuthorization } from '../support/basic-authorization.ts';
import { type CarrierContract, type Exchange, openCarrierContract } from '../support/carrier-contract.ts';
import { hasCarrierDocument, skippedReason } from '../support/carrier-document.ts';
import { type RecordingProxy, startRecordingProxy } from '../support/recording-proxy.ts';

/*
 * What our adapter requests and how the sandbox phone responds, recorded over whole calls and compared with the
 * carrier's document of both. Neither can drift from the carrier without failing one of these tests.
 */

const account = `/2010-04-01/Accounts/${accountSid}`;
const missing = '0'.repeat(32);

describe.skipIf(!hasCarrierDocument)(`the carrier's own document ${skippedReason}`, () => {
  let fixture: PhoneFixture;
  let proxy: RecordingProxy;
  let contract: CarrierContract;
  let client: CarrierClient;

  beforeAll(async () => {
    contract = openCarrierContract();
    fixture = await PhoneFixture.start();
    proxy = await startRecordingProxy(`${fixture.baseUrl}/sandbox-phone`);
    client = clientWith(keyPair.user, keyPair.password);
  });
  afterAll(async () => {
    await proxy.stop();
    await fixture.stop();
  });
  beforeEach(() => {
    fixture.reset();
    proxy.exchanges.length = 0;
  });

  function clientWith(restUser: string, restPassword: string): CarrierClient {
    return createCarrierClient({
      baseUrl: proxy.origin,
      credentials: { accountSid, restUser, restPassword },
    });
  }

  function place(to: string): ReturnType<CarrierClient['placeCall']> {
    return client.placeCall({
      to,
      from: caller,
      answerUrl: `${fixture.baseUrl}/answer#rc=3&rp=5xx,ct,rt`,
      statusUrl: `${fixture.baseUrl}/status#rc=3&rp=5xx,ct,rt`,
      fallbackUrl: `${fixture.baseUrl}/fallback`,
      amdUrl: `${fixture.baseUrl}/amd#rc=3&rp=5xx,ct,rt`,
      ringSeconds: 30,
      maxTalkSeconds: 900,
    });
  }

  async function send(method: string, path: string, form?: Record<string, string>): Promise<Response> {
    return fetch(`${proxy.origin}${account}${path}`, {
      method,
      redirect: 'manual',
      headers: basicAuthorization(accountSid, authToken),
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    });
  }

  /** Of the exchanges that the document describes; it describes the sound's URL only in prose. */
  function described(): Exchange[] {
    return proxy.exchanges.filter(({ url }) => !url.includes('.wav'));
  }

  function expectAnswersInOrder(): void {
    for (const exchange of described()) {
      expect({ url: exchange.url, violations: contract.answerViolations(exchange) }).toEqual({
        url: exchange.url,
        violations: [],
      });
    }
  }

  function expectRequestsInOrder(): void {
    for (const exchange of described()) {
      expect({ url: exchange.url, violations: contract.requestViolations(exchange) }).toEqual({
        url: exchange.url,
        violations: [],
      });
    }
  }

  test('describes every request of the adapter and allows every response, over a whole call', async () => {
    fixture.agent = script('What are your office hours?');
    const placed = await place('+12025550103');
    const calls = { to: '+12025550103', from: caller, since: new Date() };
    expect(await client.listCalls(calls)).toMatchObject([{ sid: placed.sid, progress: 'queued' }]);
    await fixture.play({ speech: 'tones' });
    expect(await client.listCalls(calls)).toMatchObject([{ sid: placed.sid, progress: 'completed' }]);
    await client.getCall(placed.sid);
    await client.endCall(placed.sid);
    const [recording] = await client.listRecordings(placed.sid);
    const recordingSid = recording?.sid ?? '';
    const media = await client.fetchRecordingMedia(recordingSid);
    await media.body.cancel();
    await client.deleteRecording(recordingSid);
    await client.deleteRecording(recordingSid);
    await client.listRecordings(placed.sid);

    const asked = new Set(described().map((exchange) => contract.operationOf(exchange)));
    expect([...asked].sort()).toEqual([
      'CreateCall',
      'DeleteRecording',
      'FetchCall',
      'ListCall',
      'ListCallRecording',
      'UpdateCall',
    ]);
    expect(described().map(({ status }) => status)).toEqual(
      expect.arrayContaining([200, 201, 204, 400, 404]),
    );
    expectRequestsInOrder();
    expectAnswersInOrder();
    expect(proxy.exchanges.filter(({ url }) => url.includes('.wav')).map(({ url }) => url)).toEqual([
      `${account}/Recordings/${recordingSid}.wav?RequestedChannels=2`,
    ]);
  });

  test.each(['+12025550110', '+12025550111', '+12025550112', '+12025550113', '+12025550116'])(
    'allows every answer about a call to %s, at each of its stages',
    async (to) => {
      fixture.agent = script('What are your office hours?', 'Thank you.');
      const placed = await place(to);
      await client.getCall(placed.sid);
      await fixture.play({ speech: 'tones' });
      await client.getCall(placed.sid);
      await client.listCalls({ to, from: caller, since: new Date() });
      expect(described().length).toBeGreaterThanOrEqual(4);
      expectRequestsInOrder();
      expectAnswersInOrder();
    },
  );

  test('allows the pages of a long list', async () => {
    for (let count = 0; count < 3; count += 1) {
      await place('+12025550110');
      await fixture.play({ speech: 'tones' });
    }
    let path: string | null = `${account}/Calls.json?To=%2B12025550110&PageSize=1`;
    let pages = 0;
    while (path !== null && pages < 3) {
      const response = await fetch(`${proxy.origin}${path}`, {
        headers: basicAuthorization(accountSid, authToken),
      });
      const page: { next_page_uri?: string | null } = Object(await response.json());
      path = page.next_page_uri ?? null;
      pages += 1;
    }
    expect(pages).toBe(3);
    expectRequestsInOrder();
    expectAnswersInOrder();
  });

  test('allows responses that the adapter ignores', async () => {
    fixture.agent = script('What are your office hours?');
    const { sid } = await place('+12025550103');
    await fixture.play({ speech: 'tones' });
    const recordings: { recordings: { sid: string }[] } = Object(
      await (await send('GET', `/Recordings.json?CallSid=${sid}`)).json(),
    );
    const recordingSid = recordings.recordings[0]?.sid ?? '';
    const statuses = [
      await send('GET', `/Recordings/${recordingSid}.json`),
      await send('GET', `/Calls/${sid}/Recordings/${recordingSid}.json`),
      await send('DELETE', `/Calls/${sid}/Recordings/${recordingSid}.json`),
      await send('GET', `/Recordings/${recordingSid}.json?IncludeSoftDeleted=true`),
      await send('GET', `/Calls/${sid}/Recordings/${recordingSid}.json`),
      await send('DELETE', `/Calls/${sid}.json`),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 204, 200, 404, 204]);
    expectRequestsInOrder();
    expectAnswersInOrder();
  });

  test('applies to every refusal, with the stated facts', async () => {
    const { sid } = await place('+12025550110');
    const refused = [
      await send('POST', '/Calls.json', { To: '555', From: caller, Url: `${fixture.baseUrl}/answer` }),
      await send('POST', '/Calls.json', { To: '+12025550110', From: caller }),
      await send('POST', `/Calls/${sid}/Recordings.json`, {}),
      await send('DELETE', `/Calls/${sid}.json`),
      await send('GET', `/Calls/CA${missing}.json`),
      await send('GET', `/Calls/CA${missing}/Recordings.json`),
      await send('GET', `/Recordings/RE${missing}.json`),
      await send('DELETE', `/Recordings/RE${missing}.json`),
      await send('GET', '/Calls.json?PageSize=0'),
    ].map(({ status }) => status);
    expect(refused).toEqual([400, 400, 400, 400, 404, 404, 404, 404, 400]);
    await expect(clientWith('SKnobody', 'wrong').getCall(sid)).rejects.toBeInstanceOf(CarrierError);
    expect(proxy.exchanges.at(-1)?.status).toBe(401);
    expectAnswersInOrder();
    await fixture.play({ speech: 'tones' });
  });

  test('detects a violation', () => {
    const request = (more: Partial<Exchange>): Exchange => ({
      method: 'POST',
      url: `${account}/Calls.json`,
      requestType: 'application/x-www-form-urlencoded;charset=UTF-8',
      requestBody: `To=%2B12025550110&From=%2B12025550190`,
      status: 201,
      answerType: 'application/json',
      answerBody: Buffer.from('{}'),
      ...more,
    });
    expect(contract.requestViolations(request({}))).toEqual([]);
    for (const fault of [
      { url: '/2010-04-01/Accounts/nobody/Calls.json' },
      { url: `${account}/Call.json` },
      { method: 'PUT' },
      { requestBody: 'From=%2B12025550190' },
      { requestBody: 'To=%2B12025550110&From=%2B12025550190&Too=1' },
      { requestBody: 'To=%2B12025550110&From=%2B12025550190&Timeout=soon' },
      { requestBody: 'To=%2B12025550110&From=%2B12025550190&Method=PUT' },
      { requestType: 'application/json' },
      { method: 'GET', requestBody: '', url: `${account}/Calls.json?StartTime%3E=yesterday` },
      { method: 'GET', requestBody: '', url: `${account}/Calls.json?PageSize=1001` },
      { method: 'GET', requestBody: '', url: `${account}/Calls.json?Status=initiated` },
    ]) {
      expect({ fault, found: contract.requestViolations(request(fault)).length > 0 }).toEqual({
        fault,
        found: true,
      });
    }
    for (const fault of [
      {},
      { status: 200 },
      { answerType: 'text/html' },
      { status: 400, answerBody: Buffer.from('{"code":21211,"message":"x","status":400}') },
      {
        method: 'DELETE',
        url: `${account}/Recordings/RE${missing}.json`,
        status: 204,
        answerBody: Buffer.from('x'),
      },
    ]) {
      expect({ fault, found: contract.answerViolations(request(fault)).length > 0 }).toEqual({
        fault,
        found: true,
      });
    }
  });
});
