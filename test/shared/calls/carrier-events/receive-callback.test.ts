import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCallQueue } from '#shared/calls/call-queue.ts';
import { type CallbackServices, receiveCallback } from '#shared/calls/carrier-events/receive-callback.ts';
import { verifyRelayToken } from '#shared/carrier/relay-token.ts';
import { computeSignature } from '#shared/carrier/signature.ts';
import { defaultAgentSettings } from '#shared/domain/agent-settings.ts';
import type { Call } from '#shared/domain/call.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { createCallItem } from '#shared/table/call.ts';
import { putProject } from '#shared/table/project.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { farewellHandoff, farewellWords } from '#shared/voice-agent/dialogue/farewells.ts';
import type { AwsJsonServer } from '../../../../infra/local/servers/aws-json-server.ts';
import { startSecrets } from '../../../../infra/local/servers/secrets-server.ts';
import { type EmbeddedQueues, startEmbeddedQueues } from '../../../support/embedded-queues.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../../../support/embedded-table.ts';
import { sampleCall, sampleProject, sampleTask, sampleTime } from '../../../support/sample-tasks.ts';

const token = '0123456789abcdef0123456789abcdef';
const liveToken = 'fedcba9876543210fedcba9876543210';
const sid = `CA${'0'.repeat(31)}a`;
let tables: EmbeddedTable;
let queues: EmbeddedQueues;
let secrets: AwsJsonServer;
let services: CallbackServices;

beforeAll(async () => {
  const accountSid = `AC${'0'.repeat(31)}1`;
  [tables, queues, secrets] = await Promise.all([
    startEmbeddedTable(),
    startEmbeddedQueues(),
    startSecrets([
      {
        name: 'sandbox',
        arn: 'arn:sandbox',
        value: JSON.stringify({ account_sid: accountSid, auth_token: token }),
      },
      {
        name: 'live',
        arn: 'arn:live',
        value: JSON.stringify({ account_sid: accountSid, auth_tokens: ['a-new-one', liveToken] }),
      },
    ]),
  ]);
  process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER = secrets.endpoint;
  process.env.AWS_REGION = 'us-east-1';
  process.env.AWS_ACCESS_KEY_ID = 'local';
  process.env.AWS_SECRET_ACCESS_KEY = 'local';
  services = {
    table: tables.table,
    queue: openCallQueue(queues.createQueue('calls'), queues.sqs),
    secretIds: { sandbox: 'sandbox', live: 'live' },
    publicBaseUrl: 'https://api.example.test/prod',
    relayUrl: 'wss://ws.example.test/relay',
  };
});
afterAll(() => Promise.all([tables.stop(), queues.stop(), secrets.stop()]));

async function storedCall(changes: Partial<Call> = {}): Promise<Call> {
  const call = sampleCall(sampleTask(sampleProject()), changes);
  await writeTransaction(services.table, [createCallItem(services.table, call)]);
  return call;
}

interface Sent {
  readonly kind: string;
  readonly call: Pick<Call, 'id' | 'task_id'>;
  readonly form: Record<string, string>;
  readonly authToken?: string;
  readonly changedBeforeArrival?: Record<string, string>;
  readonly services?: CallbackServices;
}

/** Sends a callback as the carrier does: signed over the public address of its path. */
function send({
  kind,
  call,
  form,
  authToken = token,
  changedBeforeArrival = {},
  ...rest
}: Sent): Promise<string | null> {
  const path = `/carrier/${kind}/${call.task_id}/${call.id}`;
  const url = `${services.publicBaseUrl}${path}`;
  return receiveCallback(rest.services ?? services, {
    path,
    signature: computeSignature(authToken, url, Object.entries(form)),
    form: new URLSearchParams({ ...form, ...changedBeforeArrival }),
  });
}

function queuedFor(call: Pick<Call, 'id'>): unknown[] {
  return queues
    .messages('calls')
    .map(({ body }) => body)
    .filter((body) => JSON.stringify(body).includes(call.id));
}

const answered = { CallSid: sid, CallStatus: 'in-progress', From: '+12025550199', To: '+12025550103' };

describe('a signature', () => {
  test.each([
    ['the sandbox', 'sandbox', token],
    ['the live carrier', 'live', liveToken],
  ] as const)('of %s is accepted for a call of its own', async (_, carrier, authToken) => {
    const call = await storedCall({ carrier });
    expect(
      await send({ kind: 'status', call, form: { ...answered, SequenceNumber: '2' }, authToken }),
    ).toBeNull();
    expect(queuedFor(call)).toHaveLength(1);
  });

  test.each(
    (['status', 'answer', 'recording', 'amd', 'relay-end'] as const).flatMap((kind) => [
      { kind, carrier: 'live' as const, authToken: token },
      { kind, carrier: 'sandbox' as const, authToken: liveToken },
    ]),
  )('of the other carrier is refused for a call of the $carrier one ($kind)', async (fault) => {
    const call = await storedCall({ carrier: fault.carrier });
    const refused = send({ kind: fault.kind, call, form: answered, authToken: fault.authToken });
    await expect(refused).rejects.toEqual(new ServiceError('forbidden', 'Forbidden'));
    expect(queuedFor(call)).toEqual([]);
  });

  test.each([
    ['of somebody else', { authToken: 'f'.repeat(32) }],
    ['over another form', { changedBeforeArrival: { CallStatus: 'completed' } }],
    ['over fewer members', { changedBeforeArrival: { Extra: '' } }],
  ])('%s is refused without a word, and nothing is passed on', async (_, fault) => {
    const call = await storedCall();
    const refused = send({ kind: 'status', call, form: answered, ...fault });
    await expect(refused).rejects.toEqual(new ServiceError('forbidden', 'Forbidden'));
    expect(queuedFor(call)).toEqual([]);
  });

  test('that is missing, or made for another call, is refused', async () => {
    const [call, other] = [await storedCall(), await storedCall()];
    const url = `${services.publicBaseUrl}/carrier/status/${other.task_id}/${other.id}`;
    for (const signature of [undefined, '', computeSignature(token, url, Object.entries(answered))]) {
      await expect(
        receiveCallback(services, {
          path: `/carrier/status/${call.task_id}/${call.id}`,
          signature,
          form: new URLSearchParams(answered),
        }),
      ).rejects.toMatchObject({ code: 'forbidden' });
    }
  });

  test('is what an inbound call needs, too', async () => {
    const path = '/carrier/inbound';
    const url = `${services.publicBaseUrl}${path}`;
    const form = new URLSearchParams({ ...answered, CallStatus: 'ringing' });
    const signature = computeSignature(token, url, form);
    const asked = (given: string): Promise<string | null> =>
      receiveCallback(services, { path, signature: given, form });
    expect(await asked(signature)).toContain('This number only makes calls');
    await expect(asked(computeSignature('f'.repeat(32), url, form))).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(receiveCallback(services, { path: `${path}/x`, signature, form })).rejects.toMatchObject({
      code: 'forbidden',
    });
  });
});

describe('a report', () => {
  test('goes on the queue as an event of its call', async () => {
    const call = await storedCall();
    await send({
      kind: 'status',
      call,
      form: {
        ...answered,
        CallStatus: 'busy',
        SequenceNumber: '1',
        SipResponseCode: '486',
        ErrorCode: '10004',
      },
    });
    expect(queuedFor(call)).toEqual([
      {
        kind: 'carrier-event',
        task_id: call.task_id,
        call_id: call.id,
        event: {
          type: 'progress',
          progress: 'busy',
          carrier_call_sid: sid,
          sequence: 1,
          sip_response_code: '486',
          talk_seconds: null,
          error_code: '10004',
        },
      },
    ]);
  });

  test('of who took the call goes on the queue as well', async () => {
    const call = await storedCall();
    const form = {
      CallSid: sid,
      AccountSid: `AC${'0'.repeat(31)}1`,
      AnsweredBy: 'machine_start',
      MachineDetectionDuration: '3120',
    };
    expect(await send({ kind: 'amd', call, form })).toBeNull();
    expect(queuedFor(call)).toMatchObject([
      { event: { type: 'answered-by', carrier_call_sid: sid, answered_by: 'machine' } },
    ]);
  });

  test('that makes no sense is accepted and dropped', async () => {
    const call = await storedCall();
    expect(await send({ kind: 'status', call, form: { CallSid: 'x' } })).toBeNull();
    expect(await send({ kind: 'recording', call, form: {} })).toBeNull();
    expect(queuedFor(call)).toEqual([]);
  });

  test('for ids that are none, or of an unknown kind, is not found', async () => {
    for (const [kind, id] of [
      ['status', 'not-a-uuid'],
      ['status', '%00'],
      ['answer', ''],
      ['exploded', '01890a5d-ac96-774b-bcce-b302099a8057'],
    ] as const) {
      await expect(send({ kind, call: { task_id: id, id }, form: answered })).rejects.toMatchObject({
        code: 'not_found',
      });
    }
  });

  test('that the queue does not take fails, so that the carrier sends it again', async () => {
    const call = await storedCall();
    const broken = { ...services, queue: { ...services.queue, url: `${services.queue.url}-gone` } };
    await expect(send({ kind: 'status', call, form: answered, services: broken })).rejects.toThrow();
  });
});

describe('an answered call', () => {
  test('is recorded and connected to the voice agent with a token of its own', async () => {
    const call = await storedCall();
    const document = (await send({ kind: 'answer', call, form: answered })) ?? '';
    expect(document).toContain('<ConversationRelay url="wss://ws.example.test/relay"');
    expect(document).toContain(`/carrier/recording/${call.task_id}/${call.id}#`);
    expect(document).not.toContain(call.phone_number);
    const relayToken = /name="token" value="([^"]+)"/.exec(document)?.[1] ?? '';
    expect(verifyRelayToken([token], call.id, relayToken)).toBe(true);
    expect(queuedFor(call)).toHaveLength(1);
  });

  test('of a live project has a token of the newest live key', async () => {
    const call = await storedCall({ carrier: 'live' });
    const document = (await send({ kind: 'answer', call, form: answered, authToken: liveToken })) ?? '';
    const relayToken = /name="token" value="([^"]+)"/.exec(document)?.[1] ?? '';
    expect(verifyRelayToken(['a-new-one'], call.id, relayToken)).toBe(true);
  });

  test('is connected even when the queue does not take the report', async () => {
    const call = await storedCall();
    const broken = { ...services, queue: { ...services.queue, url: `${services.queue.url}-gone` } };
    expect(await send({ kind: 'answer', call, form: answered, services: broken })).toContain('<Connect');
  });

  test.each([
    ['has been given up', { closed_by: 'sweeper', ended_at: sampleTime }],
    ['is completed', { completed_at: sampleTime, carrier_progress: 'completed' }],
    ['belongs to a cancelled task', { end_requested_at: sampleTime }],
    ['rings a second time', { carrier_call_sid: `CA${'0'.repeat(31)}f`, submission: 'submitted' }],
  ] as const)('that %s is hung up', async (_, changes) => {
    const call = await storedCall(changes);
    expect(await send({ kind: 'answer', call, form: answered })).toMatch(/<Response><Hangup\/><\/Response>$/);
  });

  test('that we know nothing of is hung up', async () => {
    const call = sampleCall(sampleTask(sampleProject()));
    expect(await send({ kind: 'answer', call, form: answered })).toMatch(/<Response><Hangup\/><\/Response>$/);
  });
});

describe('the way in which a project speaks', () => {
  const agent = {
    ...defaultAgentSettings,
    voice: 'Matthew-Neural',
    language: 'en-GB',
    speech_hints: ['Dr. Okafor', 'Lipitor'],
  };

  async function callOf(project = sampleProject({ agent })): Promise<Call> {
    const call = sampleCall(sampleTask(project));
    await writeTransaction(services.table, [
      putProject(services.table, project),
      createCallItem(services.table, call),
    ]);
    return call;
  }

  test('is that of the conversation', async () => {
    const document = await send({ kind: 'answer', call: await callOf(), form: answered });
    expect(document).toContain('language="en-GB" ttsProvider="Amazon" voice="Matthew-Neural"');
    expect(document).toContain('hints="Dr. Okafor,Lipitor"');
  });

  test('is as usual where the project says nothing', async () => {
    const document = await send({ kind: 'answer', call: await callOf(sampleProject()), form: answered });
    expect(document).toContain('language="en-US" ttsProvider="Amazon" voice="Joanna-Neural"');
    expect(document).not.toContain('hints=');
  });

  test('is that of the farewell as well', async () => {
    const form = {
      ...answered,
      SessionStatus: 'ended',
      HandoffData: farewellHandoff({ farewell: 'thanks' }),
    };
    const document = await send({ kind: 'relay-end', call: await callOf(), form });
    expect(document).toContain('<Say voice="Polly.Matthew-Neural" language="en-GB">');
  });
});

describe('a conversation that is over', () => {
  function end(form: Record<string, string>): Promise<string | null> {
    return storedCall().then((call) => send({ kind: 'relay-end', call, form: { ...answered, ...form } }));
  }

  test('by us ends with the farewell that the agent chose', async () => {
    const document = await end({
      SessionStatus: 'ended',
      HandoffData: farewellHandoff({ farewell: 'thanks' }),
    });
    expect(document).toContain(`>${farewellWords({ farewell: 'thanks' })}</Say><Hangup/>`);
  });

  test('at a voicemail leaves the number to call back, or nothing', async () => {
    const callback_number = '+12025550143';
    const message = await end({
      SessionStatus: 'ended',
      HandoffData: farewellHandoff({ farewell: 'voicemail', callback_number }),
    });
    expect(message).toContain(
      'Please call us back at 2 0 2, 5 5 5, 0 1 4 3. I repeat: 2 0 2, 5 5 5, 0 1 4 3. Thank you. Goodbye.</Say><Hangup/>',
    );
    expect(
      await end({ SessionStatus: 'ended', HandoffData: farewellHandoff({ farewell: 'voicemail' }) }),
    ).toMatch(/<Response><Hangup\/><\/Response>$/);
  });

  test('by the person ends without a word', async () => {
    expect(await end({ SessionStatus: 'completed' })).toMatch(/<Response><Hangup\/><\/Response>$/);
  });

  test('by a fault ends with an apology', async () => {
    expect(await end({ SessionStatus: 'failed', ErrorCode: '64105' })).toContain(
      `>${farewellWords({ farewell: 'fault' })}</Say><Hangup/>`,
    );
  });

  test.each([{ SessionStatus: 'ended', HandoffData: 'garbage' }, { SessionStatus: 'exploded' }, {}])(
    'in a way that makes no sense is hung up: %j',
    async (form) => {
      expect(await end(form)).toMatch(/<Response><Hangup\/><\/Response>$/);
    },
  );

  test('is passed on', async () => {
    const call = await storedCall();
    await send({ kind: 'relay-end', call, form: { ...answered, SessionStatus: 'ended' } });
    expect(queuedFor(call)).toMatchObject([{ event: { type: 'session-ended', session_status: 'ended' } }]);
  });
});
