import { describe, expect, test } from 'vitest';
import { receiveCallback } from '#shared/calls/carrier-events/receive-callback.ts';
import { computeSignature } from '#shared/carrier/signature.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { forThisFile } from '../../../support/lifetime.ts';
import {
  answered,
  liveToken,
  queuedFor,
  send,
  sid,
  startCallbackSite,
  storedCall,
  token,
} from './callback-site.ts';

const { services, queues } = await forThisFile(startCallbackSite());

describe('a signature', () => {
  test.each([
    ['the sandbox', 'sandbox', token],
    ['the live carrier', 'live', liveToken],
  ] as const)('of %s is accepted for a call of its own', async (_, carrier, authToken) => {
    const call = await storedCall(services, { carrier });
    expect(
      await send(services, { kind: 'status', call, form: { ...answered, SequenceNumber: '2' }, authToken }),
    ).toBeNull();
    expect(queuedFor(queues, call)).toHaveLength(1);
  });

  test.each(
    (['status', 'answer', 'recording', 'amd', 'relay-end'] as const).flatMap((kind) => [
      { kind, carrier: 'live' as const, authToken: token },
      { kind, carrier: 'sandbox' as const, authToken: liveToken },
    ]),
  )('of the other carrier is refused for a call of the $carrier carrier ($kind)', async (fault) => {
    const call = await storedCall(services, { carrier: fault.carrier });
    const refused = send(services, { kind: fault.kind, call, form: answered, authToken: fault.authToken });
    await expect(refused).rejects.toEqual(new ServiceError('forbidden', 'Forbidden'));
    expect(queuedFor(queues, call)).toEqual([]);
  });

  test.each([
    ['of somebody else', { authToken: 'f'.repeat(32) }],
    ['over another form', { changedBeforeArrival: { CallStatus: 'completed' } }],
    ['over fewer members', { changedBeforeArrival: { Extra: '' } }],
  ])('%s is refused silently, and nothing is passed on', async (_, fault) => {
    const call = await storedCall(services);
    const refused = send(services, { kind: 'status', call, form: answered, ...fault });
    await expect(refused).rejects.toEqual(new ServiceError('forbidden', 'Forbidden'));
    expect(queuedFor(queues, call)).toEqual([]);
  });

  test('that is missing or made for another call is refused', async () => {
    const [call, other] = [await storedCall(services), await storedCall(services)];
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

  test('is required for an inbound call, too', async () => {
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
  test('is queued as an event of its call', async () => {
    const call = await storedCall(services);
    await send(services, {
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
    expect(queuedFor(queues, call)).toEqual([
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

  test('of answering-machine detection is queued as well', async () => {
    const call = await storedCall(services);
    const form = {
      CallSid: sid,
      AccountSid: `AC${'0'.repeat(31)}1`,
      AnsweredBy: 'machine_start',
      MachineDetectionDuration: '3120',
    };
    expect(await send(services, { kind: 'amd', call, form })).toBeNull();
    expect(queuedFor(queues, call)).toMatchObject([
      { event: { type: 'answered-by', carrier_call_sid: sid, answered_by: 'machine' } },
    ]);
  });

  test('that is invalid is accepted and dropped', async () => {
    const call = await storedCall(services);
    expect(await send(services, { kind: 'status', call, form: { CallSid: 'x' } })).toBeNull();
    expect(await send(services, { kind: 'recording', call, form: {} })).toBeNull();
    expect(queuedFor(queues, call)).toEqual([]);
  });

  test('with an invalid ID or unknown kind is not found', async () => {
    for (const [kind, id] of [
      ['status', 'not-a-uuid'],
      ['status', '%00'],
      ['answer', ''],
      ['exploded', '01890a5d-ac96-774b-bcce-b302099a8057'],
    ] as const) {
      await expect(send(services, { kind, call: { task_id: id, id }, form: answered })).rejects.toMatchObject(
        {
          code: 'not_found',
        },
      );
    }
  });

  test('that the queue refuses fails, so that the carrier resends it', async () => {
    const call = await storedCall(services);
    const broken = { ...services, queue: { ...services.queue, url: `${services.queue.url}-gone` } };
    await expect(
      send(services, { kind: 'status', call, form: answered, services: broken }),
    ).rejects.toThrow();
  });
});
