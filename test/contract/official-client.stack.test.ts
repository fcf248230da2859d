import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { RestException } from 'twilio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { defaultAgentSettings } from '#shared/domain/agent-settings.ts';
import { decodeWav } from '#shared/sandbox-phone/sound/wav.ts';
import { putProject } from '#shared/table/project.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { demoPatient } from '../../infra/local/demo/scenario.ts';
import { fetchSound, type Login, type OfficialClient, officialClient } from '../support/official-client.ts';
import { sampleProject } from '../support/sample-tasks.ts';
import { eventually, newTestClient, stack, stackTable, type TestClient } from '../support/stack.ts';

/* The carrier's own library accepts the sandbox phone of a running stack. */

const Secret = z.object({ account_sid: z.string(), auth_token: z.string() });
const missing = '0'.repeat(32);

let phoneUrl: string;
let login: Login;
let library: OfficialClient;
let service: TestClient;

beforeAll(async () => {
  const { baseUrl, endpoints, outputs } = stack();
  const secrets = new SecretsManagerClient({
    endpoint: endpoints.secretsManager,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const { SecretString } = await secrets.send(
    new GetSecretValueCommand({ SecretId: String(outputs.SandboxCarrierSecretArn) }),
  );
  const { account_sid: accountSid, auth_token: password } = Secret.parse(JSON.parse(SecretString ?? ''));
  phoneUrl = `${baseUrl}/sandbox-phone`;
  login = { accountSid, user: accountSid, password };
  library = officialClient(phoneUrl, login);
  service = await newTestClient();
});
afterAll(() => service.stop());

/** A document that needs no application: it records, says a sentence and hangs up. */
const twiml =
  '<Response><Start><Recording channels="dual" track="both" trim="do-not-trim"/></Start>' +
  '<Say>What are your opening hours, please?</Say><Pause length="2"/></Response>';

type CallOfLibrary = Awaited<ReturnType<OfficialClient['calls']['create']>>;

function finished(sid: string): Promise<CallOfLibrary> {
  return eventually('the call to end', async () => {
    const call = await library.calls(sid).fetch();
    return ['queued', 'ringing', 'in-progress'].includes(call.status) ? null : call;
  });
}

async function refusalOf(work: Promise<unknown>): Promise<RestException> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof RestException))
    throw new Error(`the library threw no error of its own: ${String(error)}`);
  return error;
}

describe("the carrier's own library with the sandbox phone of a running stack", () => {
  test('places a call that is answered and recorded, fetches the recording and deletes it', async () => {
    const placed = await library.calls.create({
      to: '+12025550103',
      from: '+12025550193',
      twiml,
      timeout: 30,
    });
    expect(placed).toMatchObject({
      accountSid: login.accountSid,
      status: 'queued',
      to: '+12025550103',
      from: '+12025550193',
      direction: 'outbound-api',
      queueTime: '0',
    });
    expect(Number.isNaN(placed.dateCreated.getTime())).toBe(false);

    const call = await finished(placed.sid);
    expect(call.status).toBe('completed');
    expect(Number(call.duration)).toBeGreaterThan(2);
    expect(call.startTime.getTime()).toBeLessThanOrEqual(call.endTime.getTime());

    const [recording, ...others] = await eventually('the recording', async () => {
      const found = await call.recordings().list();
      return found.length > 0 && found.every(({ status }) => status === 'completed') ? found : null;
    });
    expect(others).toEqual([]);
    if (recording === undefined) throw new Error('there is no recording');
    expect(recording).toMatchObject({
      callSid: call.sid,
      channels: 2,
      source: 'StartCallRecordingTwiML',
      track: 'both',
    });
    const listed = await library.recordings.list({ callSid: call.sid });
    expect(listed.map(({ sid }) => sid)).toEqual([recording.sid]);
    expect(await library.recordings(recording.sid).fetch()).toMatchObject({
      status: 'completed',
      channels: 2,
    });
    expect(await library.calls(call.sid).recordings(recording.sid).fetch()).toMatchObject({
      sid: recording.sid,
    });

    const both = decodeWav(await fetchSound(phoneUrl, login, recording.sid, 2));
    expect(both.channels).toHaveLength(2);
    const seconds = (both.channels[0]?.length ?? 0) / both.sampleRate;
    expect(Math.abs(seconds - Number(recording.duration))).toBeLessThanOrEqual(1);
    expect(decodeWav(await fetchSound(phoneUrl, login, recording.sid, 1)).channels).toHaveLength(1);

    expect(await library.recordings(recording.sid).remove()).toBe(true);
    expect(await refusalOf(library.recordings(recording.sid).fetch())).toMatchObject({
      status: 404,
      code: 20404,
    });
    expect(await library.recordings.list({ callSid: call.sid })).toEqual([]);
    await expect(fetchSound(phoneUrl, login, recording.sid, 2)).rejects.toThrow('404');
    expect(await library.recordings(recording.sid).fetch({ includeSoftDeleted: true })).toMatchObject({
      status: 'deleted',
    });

    expect(await library.calls(call.sid).remove()).toBe(true);
    expect(await refusalOf(library.calls(call.sid).fetch())).toMatchObject({ status: 404, code: 20404 });
  });

  test("sees the service's call, its verdict, and the recording gone once stored", async () => {
    const patient = await service.request('POST', '/v1/patient', {
      project_id: service.projectId,
      ...demoPatient,
    });
    const startTimeAfter = new Date(Date.now() - 60_000);
    const task = await service.request('POST', '/v1/task', {
      project_id: service.projectId,
      patient_id: patient.body.id,
      task_type: 'CUSTOM_TASK',
      task: 'Ask for the opening hours of the practice.',
      phone_number: '+12025550187',
      task_data: { questions: ['What are your opening hours?'] },
    });
    expect(task.status).toBe(201);
    const [call] = await eventually('the call of the service', async () => {
      const found = await library.calls.list({ to: '+12025550187', startTimeAfter });
      return found.length > 0 && found.every(({ status }) => status === 'completed') ? found : null;
    });
    if (call === undefined) throw new Error('there is no call');
    expect(call.answeredBy).toBe('human');
    const kept = await eventually('the recording to be stored and deleted at the carrier', async () => {
      const [recording] = await library.recordings.list({ callSid: call.sid, includeSoftDeleted: true });
      return recording?.status === 'deleted' ? recording : null;
    });
    expect(await library.recordings.list({ callSid: call.sid })).toEqual([]);
    expect(kept.source).toBe('StartCallRecordingTwiML');
    const view = await eventually('the task to end', async () => {
      const { body } = await service.request('GET', `/v1/task/${task.body.id}?include_transcript=true`);
      return ['PENDING', 'IN_PROGRESS'].includes(body.status) ? null : body;
    });
    const recorded = await service.request('GET', new URL(view.calls[0].recording_url).pathname);
    expect(recorded.status).toBe(302);
  });

  test('ends a call, and learns if it has already ended', async () => {
    const { sid } = await library.calls.create({ to: '+12025550110', from: '+12025550193', twiml });
    await finished(sid);
    expect(await refusalOf(library.calls(sid).update({ status: 'completed' }))).toMatchObject({
      status: 400,
      code: 21220,
    });
  });

  test('pages through long lists by its own pager, with any page size', async () => {
    const from = '+12025550194';
    const placed: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      const { sid } = await library.calls.create({ to: '+12025550110', from, twiml });
      placed.unshift(sid);
      await finished(sid);
    }
    for (const pageSize of [1, 2, 5, 50]) {
      const listed = await library.calls.list({ from, pageSize });
      expect(listed.map(({ sid }) => sid)).toEqual(placed);
    }
    expect((await library.calls.list({ from, pageSize: 2, limit: 3 })).map(({ sid }) => sid)).toEqual(
      placed.slice(0, 3),
    );
    const first = await library.calls.page({ from, pageSize: 2 });
    expect(first.instances.map(({ sid }) => sid)).toEqual(placed.slice(0, 2));
    const second = await first.nextPage();
    expect(second?.instances.map(({ sid }) => sid)).toEqual(placed.slice(2, 4));
    const third = await second?.nextPage();
    expect(third?.instances.map(({ sid }) => sid)).toEqual(placed.slice(4));
    expect(await third?.nextPage()).toBeUndefined();
  });

  test.each([
    [
      'a number that is none',
      () => library.calls.create({ to: '5550100', from: '+12025550193', twiml }),
      400,
      21211,
    ],
    [
      'a call without a document',
      () => library.calls.create({ to: '+12025550110', from: '+12025550193' }),
      400,
      21205,
    ],
    ['a call that does not exist', () => library.calls(`CA${missing}`).fetch(), 404, 20404],
    ['a recording that does not exist', () => library.recordings(`RE${missing}`).remove(), 404, 20404],
    [
      'somebody without credentials',
      () => officialClient(phoneUrl, { ...login, password: 'wrong' }).calls.list(),
      401,
      20003,
    ],
  ])('reads the refusal of %s', async (_, work, status, code) => {
    const error = await refusalOf(work());
    expect(error).toMatchObject({ status, code, moreInfo: `https://www.twilio.com/docs/errors/${code}` });
    expect(error.message).not.toBe('');
  });
});

describe('an inbound call to one of our numbers', () => {
  const own = '+12025550198';

  async function callIn(): Promise<CallOfLibrary> {
    // Without its own document, the call is an inbound one.
    const placed = await library.calls.create({ to: own, from: '+12025550177' });
    expect(placed.direction).toBe('inbound');
    return finished(placed.sid);
  }

  test('is put through to the callback number of the project that calls from it', async () => {
    const office = '+12025550103';
    const project = sampleProject({
      caller_number: own,
      agent: { ...defaultAgentSettings, callback_number: office },
    });
    const before = await callIn();
    await writeTransaction(stackTable(), [putProject(stackTable(), project)]);
    // Read from its index, which lags behind.
    const forwarded = await eventually('a call that is put through', async () => {
      const call = await callIn();
      const children = await library.calls.list({ parentCallSid: call.sid });
      return children.length === 0 ? null : children;
    });
    expect(forwarded).toMatchObject([
      { to: office, from: '+12025550177', status: 'completed', direction: 'outbound-dial' },
    ]);
    expect(before.status).toBe('completed');
    expect(await library.calls.list({ parentCallSid: before.sid })).toEqual([]);
  });
});
