import type { ServerResponse } from 'node:http';
import { CreateQueueCommand } from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import { applyCarrierEvent } from '#shared/calls/carrier-events/apply-carrier-event.ts';
import { createCarrierClient } from '#shared/carrier/carrier-client.ts';
import type { Call } from '#shared/domain/call.ts';
import { ingestRecording } from '#shared/recordings/ingest-recording.ts';
import { callFixtureForThisFile } from '../../support/call-fixture.ts';
import { recordingKeyOf } from '../../support/call-identifiers.ts';
import { respondJson, type SeenRequest } from '../../support/http-server.ts';
import { wavFile } from '../../support/wav-file.ts';
import { expectStoredWhole } from './stored-recording.ts';

const fixture = await callFixtureForThisFile();

const audio = wavFile({ channels: 2, seconds: 1.5 });

function isMediaRequest({ url }: SeenRequest): boolean {
  return url.includes('.wav');
}

async function expectNothingStored(call: Call): Promise<void> {
  await expect(fixture.storedBytes(recordingKeyOf(call))).rejects.toThrow();
}

type Fault = (response: ServerResponse, request: SeenRequest) => void;

test('the call is read once to store its recording and delete it at the carrier', async () => {
  const call = await fixture.newEnded();
  const { sid } = fixture.addRecording(call, audio);
  const reads: string[] = [];
  fixture.table.client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'QueryCommand') {
          reads.push(String(Object(args.input).ExpressionAttributeValues[':prefix']));
        }
        return next(args);
      },
    { step: 'initialize', name: 'note-reads' },
  );
  try {
    await fixture.recordingReady(call, sid);
  } finally {
    fixture.table.client.middlewareStack.remove('note-reads');
  }
  await expectStoredWhole(fixture, call, audio, 2);
  expect(fixture.isAtCarrier(sid)).toBe(false);
  // Once by the receiver of the report, and once by the worker that stores the recording.
  expect(reads.filter((sk) => sk === `CALL#${call.id}`)).toHaveLength(2);
});

describe('a failed transfer', () => {
  const announced = { 'Content-Type': 'audio/x-wav', 'Content-Length': String(audio.length) };
  const cutAfter =
    (bytes: number, headers: Record<string, string> = announced) =>
    (response: ServerResponse): void => {
      response.writeHead(200, headers);
      response.write(audio.subarray(0, bytes), () => response.destroy());
    };
  const answer =
    (status: number, body: unknown = {}) =>
    (response: ServerResponse): void =>
      respondJson(response, status, body);
  const serve =
    (bytes: Buffer) =>
    (response: ServerResponse): void => {
      response.writeHead(200, { 'Content-Type': 'audio/x-wav' }).end(bytes);
    };

  const faults: [string, Fault][] = [
    ['media that is not there yet', answer(404, { code: 20404 })],
    ['too many requests', answer(429, { code: 20429 })],
    ['a fault of the carrier', answer(503)],
    ['a refusal', answer(401, { code: 20003 })],
    ['a refusal of one channel and of two', answer(400, { code: 20001 })],
    ['no content', (response) => response.writeHead(204).end()],
    ['a redirect to itself', (response, { url }) => response.writeHead(302, { Location: url }).end()],
    ['a connection that is cut before the answer', (response) => response.destroy()],
    ...[0, 1, 43, 44, audio.length / 2, audio.length - 1].map((bytes): [string, Fault] => [
      `a connection that is cut after ${bytes} bytes`,
      cutAfter(bytes),
    ]),
    ['a connection of unknown length that is cut', cutAfter(audio.length / 2, {})],
    ['less than the file says', serve(audio.subarray(0, -2))],
    ['nothing', serve(Buffer.alloc(0))],
    ['an error that looks like a success', answer(200, { code: 20500, message: 'internal error' })],
    ['another kind of audio', serve(Buffer.concat([Buffer.from('ID3'), audio.subarray(3)]))],
    ['a recording without audio', serve(wavFile({ channels: 2, seconds: 0 }))],
  ];

  test.each(faults)('is retried and never stored as complete: %s', async (_, fault) => {
    const call = await fixture.newEnded();
    const { sid } = fixture.addRecording(call, audio);
    breakMedia(fault);
    await fixture.recordingReady(call, sid);
    expect(await fixture.call(call)).toMatchObject({ completed_at: null, recording: { status: 'awaited' } });
    await expectNothingStored(call);
    expect(fixture.isAtCarrier(sid)).toBe(true);
    fixture.carrier.interfere = () => false;
    expect(await fixture.lookUntilCompleted(call)).toBeLessThanOrEqual(10);
    await expectStoredWhole(fixture, call, audio, 2);
    expect(fixture.isAtCarrier(sid)).toBe(false);
  });

  function breakMedia(fault: Fault): void {
    fixture.carrier.interfere = (request, response) => {
      if (!isMediaRequest(request)) return false;
      fault(response, request);
      return true;
    };
  }

  test.each<[string, Fault]>([
    ['media that are never there', answer(404, { code: 20404 })],
    ['a connection that is always cut', cutAfter(audio.length / 2)],
  ])('ends without a recording after an hour of failures: %s', async (_, fault) => {
    const call = await fixture.newEnded();
    const { sid } = fixture.addRecording(call, audio);
    breakMedia(fault);
    await fixture.recordingReady(call, sid);
    const seconds = await fixture.lookUntilCompleted(call);
    expect(seconds).toBeGreaterThanOrEqual(3600);
    expect(seconds).toBeLessThanOrEqual(3600 + 300);
    expect(await fixture.call(call)).toMatchObject({
      status: 'SUCCESS',
      recording: { status: 'none', reason: 'The recording could not be fetched from the carrier.' },
    });
    await expectNothingStored(call);
    expect(fixture.isAtCarrier(sid)).toBe(true);
  });

  test('is retried if our storage fails', async () => {
    const call = await fixture.newEnded();
    const { sid } = fixture.addRecording(call, audio);
    const { recordings } = fixture.services;
    const message = { task_id: call.task_id, call_id: call.id };
    const dies = {
      ...fixture.services,
      recordings: {
        ...recordings,
        // Stored, but not recorded in the table.
        put: async (key: string, body: AsyncIterable<Uint8Array>) => {
          await recordings.put(key, body);
          throw new Error('the answer was lost');
        },
      },
    };
    breakMedia((response) => response.destroy());
    await fixture.recordingReady(call, sid);
    fixture.carrier.interfere = () => false;
    await ingestRecording(dies, message);
    expect(await fixture.call(call)).toMatchObject({ recording: { status: 'awaited' } });
    expect(fixture.isAtCarrier(sid)).toBe(true);
    await fixture.lookUntilCompleted(call);
    await expectStoredWhole(fixture, call, audio, 2);
  });

  test('leaves nothing behind when it breaks after some parts of a long recording were stored', async () => {
    const long = wavFile({ channels: 2, seconds: 10 * 60 });
    const call = await fixture.newEnded();
    const { sid } = fixture.addRecording(call, long);
    breakMedia((response) => {
      response.writeHead(200, { ...announced, 'Content-Length': String(long.length) });
      response.write(long.subarray(0, -1000), () => response.destroy());
    });
    await fixture.recordingReady(call, sid);
    await expectNothingStored(call);
    fixture.carrier.interfere = () => false;
    await fixture.lookUntilCompleted(call);
    await expectStoredWhole(fixture, call, long, 2);
  });

  test('is abandoned for now if the carrier stalls', async () => {
    const call = await fixture.newEnded();
    const { sid } = fixture.addRecording(call, audio);
    breakMedia((response) => response.destroy());
    await fixture.recordingReady(call, sid);
    breakMedia((response) => {
      response.writeHead(200, announced);
      response.write(audio.subarray(0, audio.length / 2));
    });
    const impatient = createCarrierClient({
      baseUrl: fixture.carrier.origin,
      credentials: { accountSid: 'AC1', restUser: 'AC1', restPassword: 'token' },
      mediaTimeoutMs: 300,
    });
    await ingestRecording(
      { ...fixture.services, carrier: async () => impatient },
      { task_id: call.task_id, call_id: call.id },
    );
    expect(await fixture.call(call)).toMatchObject({ completed_at: null, recording: { status: 'awaited' } });
    await expectNothingStored(call);
    fixture.carrier.interfere = () => false;
    await fixture.lookUntilCompleted(call);
    await expectStoredWhole(fixture, call, audio, 2);
  });

  test('is not started without credentials, and retried with them', async () => {
    const call = await fixture.newEnded();
    const { sid } = fixture.addRecording(call, audio);
    fixture.hasCredentials = false;
    await fixture.recordingReady(call, sid);
    expect(await fixture.call(call)).toMatchObject({ completed_at: null, recording: { status: 'awaited' } });
    fixture.hasCredentials = true;
    expect(await fixture.lookUntilCompleted(call)).toBeLessThanOrEqual(60);
    await expectStoredWhole(fixture, call, audio, 2);
  });
});

describe('channels', () => {
  test('fall back to one if the carrier does not have two', async () => {
    const call = await fixture.newEnded();
    const mono = wavFile({ channels: 1, seconds: 2 });
    const { sid } = fixture.addRecording(call, mono);
    fixture.carrier.interfere = (request, response) => {
      if (!request.url.includes('RequestedChannels=2')) return false;
      respondJson(response, 400, { code: 20001 });
      return true;
    };
    await fixture.recordingReady(call, sid);
    await expectStoredWhole(fixture, call, mono, 1);
  });

  test('are counted from the bytes, whatever was requested', async () => {
    const call = await fixture.newEnded();
    const mono = wavFile({ channels: 1, seconds: 2 });
    const { sid } = fixture.addRecording(call, mono);
    await fixture.recordingReady(call, sid);
    await expectStoredWhole(fixture, call, mono, 1);
  });
});

describe('the message to fetch a recording', () => {
  test('may be lost: the call becomes due again within minutes', async () => {
    const call = await fixture.newEnded();
    const { sid } = fixture.addRecording(call, audio);
    const { url, client } = fixture.services.recordingQueue;
    const nobodyReads = `${url}-nobody-reads`;
    await client.send(new CreateQueueCommand({ QueueName: new URL(nobodyReads).pathname.split('/').at(-1) }));
    await applyCarrierEvent(
      { ...fixture.services, recordingQueue: { url: nobodyReads, client } },
      call.task_id,
      call.id,
      {
        type: 'recording',
        carrier_call_sid: call.carrier_call_sid ?? '',
        status: 'completed',
        recording_sid: sid,
      },
    );
    expect(await fixture.call(call)).toMatchObject({ recording: { status: 'awaited' } });
    expect(await fixture.lookUntilCompleted(call)).toBeLessThanOrEqual(120);
    await expectStoredWhole(fixture, call, audio, 2);
  });

  test('is not sent again for a repeated report during the transfer', async () => {
    const call = await fixture.newEnded();
    const { sid } = fixture.addRecording(call, audio);
    let fetches = 0;
    fixture.carrier.interfere = (request, response) => {
      if (!isMediaRequest(request)) return false;
      fetches += 1;
      void fixture.recordingReady(call, sid).then(() => response.end(audio));
      return true;
    };
    await fixture.recordingReady(call, sid);
    expect(fetches).toBe(1);
    await expectStoredWhole(fixture, call, audio, 2);
  });

  test('changes nothing for a missing or finished call', async () => {
    const call = await fixture.newEnded();
    const { sid } = fixture.addRecording(call, audio);
    await fixture.recordingReady(call, sid);
    const before = await fixture.call(call);
    const requests = fixture.carrier.requests.length;
    await ingestRecording(fixture.services, { task_id: call.task_id, call_id: call.id });
    await ingestRecording(fixture.services, { task_id: call.id, call_id: call.task_id });
    expect(await fixture.call(call)).toEqual(before);
    expect(fixture.carrier.requests).toHaveLength(requests);
  });
});

describe('two concurrent workers for one recording', () => {
  test('store one complete object, and complete the call once', async () => {
    const call = await fixture.newEnded();
    const { sid } = fixture.addRecording(call, audio);
    const held: (() => void)[] = [];
    fixture.carrier.interfere = (request, response) => {
      if (!isMediaRequest(request)) return false;
      // The first half of each, then a wait until both are in progress.
      response.writeHead(200, { 'Content-Type': 'audio/x-wav' });
      response.write(audio.subarray(0, audio.length / 2));
      held.push(() => response.end(audio.subarray(audio.length / 2)));
      if (held.length === 2) for (const go of held) go();
      return true;
    };
    const message = { task_id: call.task_id, call_id: call.id };
    const first = fixture.recordingReady(call, sid);
    await expect.poll(() => held.length, { timeout: 30_000 }).toBe(1);
    // Due before the lease ends, which only postpones it.
    fixture.pass(130);
    await ingestRecording(fixture.services, message);
    const { due_at, leased_until } = (await fixture.call(call)).recording;
    expect(due_at).toBe(leased_until);
    expect(held).toHaveLength(1);
    // The first one is slower than allowed.
    fixture.pass(16 * 60);
    await Promise.all([first, ingestRecording(fixture.services, message)]);
    await expectStoredWhole(fixture, call, audio, 2);
    expect(fixture.isAtCarrier(sid)).toBe(false);
  });
});
