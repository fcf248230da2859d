import type { ServerResponse } from 'node:http';
import { CreateQueueCommand } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { applyCarrierEvent } from '#shared/calls/follow/apply-carrier-event.ts';
import { createCarrierClient } from '#shared/carrier/carrier-client.ts';
import type { Call } from '#shared/domain/call.ts';
import { keepRecording } from '#shared/recordings/keep-recording.ts';
import { CallWorld, recordingKeyOf } from '../../support/call-world.ts';
import { answerJson, type SeenRequest } from '../../support/http-server.ts';
import { wavFile } from '../../support/wav-file.ts';

let world: CallWorld;
beforeAll(async () => {
  world = await CallWorld.start();
});
afterAll(() => world.stop());
afterEach(() => {
  world.carrier.interfere = () => false;
  world.hasCredentials = true;
});

const audio = wavFile({ channels: 2, seconds: 1.5 });

function isMediaRequest({ url }: SeenRequest): boolean {
  return url.includes('.wav');
}

async function expectStoredWhole(call: Call, bytes: Buffer, channels: number): Promise<void> {
  expect(await world.call(call)).toMatchObject({
    status: 'SUCCESS',
    due_at: null,
    recording: {
      status: 'stored',
      key: recordingKeyOf(call),
      bytes: bytes.length,
      channels,
      at_carrier: false,
    },
  });
  expect((await world.storedBytes(recordingKeyOf(call))).equals(bytes)).toBe(true);
}

async function expectNothingStored(call: Call): Promise<void> {
  await expect(world.storedBytes(recordingKeyOf(call))).rejects.toThrow();
}

type Fault = (response: ServerResponse, request: SeenRequest) => void;

describe('a transfer that goes wrong', () => {
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
      answerJson(response, status, body);
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

  test.each(faults)('is tried again and never stored as whole: %s', async (_, fault) => {
    const call = await world.newEnded();
    const { sid } = world.addRecording(call, audio);
    breakMedia(fault);
    await world.recordingReady(call, sid);
    expect(await world.call(call)).toMatchObject({ completed_at: null, recording: { status: 'awaited' } });
    await expectNothingStored(call);
    expect(world.isAtCarrier(sid)).toBe(true);
    world.carrier.interfere = () => false;
    expect(await world.lookUntilCompleted(call)).toBeLessThanOrEqual(10);
    await expectStoredWhole(call, audio, 2);
    expect(world.isAtCarrier(sid)).toBe(false);
  });

  function breakMedia(fault: Fault): void {
    world.carrier.interfere = (request, response) => {
      if (!isMediaRequest(request)) return false;
      fault(response, request);
      return true;
    };
  }

  test.each<[string, Fault]>([
    ['media that are never there', answer(404, { code: 20404 })],
    ['a connection that is always cut', cutAfter(audio.length / 2)],
  ])('is settled for none after an hour when it always goes wrong: %s', async (_, fault) => {
    const call = await world.newEnded();
    const { sid } = world.addRecording(call, audio);
    breakMedia(fault);
    await world.recordingReady(call, sid);
    const seconds = await world.lookUntilCompleted(call);
    expect(seconds).toBeGreaterThanOrEqual(3600);
    expect(seconds).toBeLessThanOrEqual(3600 + 300);
    expect(await world.call(call)).toMatchObject({
      status: 'SUCCESS',
      recording: { status: 'none', reason: 'The recording could not be fetched from the carrier.' },
    });
    await expectNothingStored(call);
    expect(world.isAtCarrier(sid)).toBe(true);
  });

  test('is tried again when it is our storage that fails', async () => {
    const call = await world.newEnded();
    const { sid } = world.addRecording(call, audio);
    const { recordings } = world.services;
    const message = { task_id: call.task_id, call_id: call.id };
    const dies = {
      ...world.services,
      recordings: {
        ...recordings,
        // Stored, and nobody knows it.
        put: async (key: string, body: AsyncIterable<Uint8Array>) => {
          await recordings.put(key, body);
          throw new Error('the answer was lost');
        },
      },
    };
    breakMedia((response) => response.destroy());
    await world.recordingReady(call, sid);
    world.carrier.interfere = () => false;
    await keepRecording(dies, message);
    expect(await world.call(call)).toMatchObject({ recording: { status: 'awaited' } });
    expect(world.isAtCarrier(sid)).toBe(true);
    await world.lookUntilCompleted(call);
    await expectStoredWhole(call, audio, 2);
  });

  test('leaves nothing behind when it breaks after some parts of a long recording were stored', async () => {
    const long = wavFile({ channels: 2, seconds: 10 * 60 });
    const call = await world.newEnded();
    const { sid } = world.addRecording(call, long);
    breakMedia((response) => {
      response.writeHead(200, { ...announced, 'Content-Length': String(long.length) });
      response.write(long.subarray(0, -1000), () => response.destroy());
    });
    await world.recordingReady(call, sid);
    await expectNothingStored(call);
    world.carrier.interfere = () => false;
    await world.lookUntilCompleted(call);
    await expectStoredWhole(call, long, 2);
  });

  test('is given up for the time being when the carrier falls silent in the middle of it', async () => {
    const call = await world.newEnded();
    const { sid } = world.addRecording(call, audio);
    breakMedia((response) => response.destroy());
    await world.recordingReady(call, sid);
    breakMedia((response) => {
      response.writeHead(200, announced);
      response.write(audio.subarray(0, audio.length / 2));
    });
    const impatient = createCarrierClient({
      baseUrl: world.carrier.origin,
      credentials: { accountSid: 'AC1', restUser: 'AC1', restPassword: 'token' },
      mediaTimeoutMs: 300,
    });
    await keepRecording(
      { ...world.services, carrier: async () => impatient },
      { task_id: call.task_id, call_id: call.id },
    );
    expect(await world.call(call)).toMatchObject({ completed_at: null, recording: { status: 'awaited' } });
    await expectNothingStored(call);
    world.carrier.interfere = () => false;
    await world.lookUntilCompleted(call);
    await expectStoredWhole(call, audio, 2);
  });

  test('is not begun without credentials, and is tried again with them', async () => {
    const call = await world.newEnded();
    const { sid } = world.addRecording(call, audio);
    world.hasCredentials = false;
    await world.recordingReady(call, sid);
    expect(await world.call(call)).toMatchObject({ completed_at: null, recording: { status: 'awaited' } });
    world.hasCredentials = true;
    expect(await world.lookUntilCompleted(call)).toBeLessThanOrEqual(60);
    await expectStoredWhole(call, audio, 2);
  });
});

describe('channels', () => {
  test('one is taken where the carrier has no two', async () => {
    const call = await world.newEnded();
    const mono = wavFile({ channels: 1, seconds: 2 });
    const { sid } = world.addRecording(call, mono);
    world.carrier.interfere = (request, response) => {
      if (!request.url.includes('RequestedChannels=2')) return false;
      answerJson(response, 400, { code: 20001 });
      return true;
    };
    await world.recordingReady(call, sid);
    await expectStoredWhole(call, mono, 1);
  });

  test('are counted from the bytes, whatever was asked for', async () => {
    const call = await world.newEnded();
    const mono = wavFile({ channels: 1, seconds: 2 });
    const { sid } = world.addRecording(call, mono);
    await world.recordingReady(call, sid);
    await expectStoredWhole(call, mono, 1);
  });
});

describe('the message that sends somebody for a recording', () => {
  test('may be lost: the call comes back to it within minutes', async () => {
    const call = await world.newEnded();
    const { sid } = world.addRecording(call, audio);
    const { url, client } = world.services.recordingQueue;
    const nobodyReads = `${url}-nobody-reads`;
    await client.send(new CreateQueueCommand({ QueueName: new URL(nobodyReads).pathname.split('/').at(-1) }));
    await applyCarrierEvent(
      { ...world.services, recordingQueue: { url: nobodyReads, client } },
      call.task_id,
      call.id,
      {
        type: 'recording',
        carrier_call_sid: call.carrier_call_sid ?? '',
        status: 'completed',
        recording_sid: sid,
      },
    );
    expect(await world.call(call)).toMatchObject({ recording: { status: 'awaited' } });
    expect(await world.lookUntilCompleted(call)).toBeLessThanOrEqual(120);
    await expectStoredWhole(call, audio, 2);
  });

  test('is not sent again for a report that is repeated while the recording is being fetched', async () => {
    const call = await world.newEnded();
    const { sid } = world.addRecording(call, audio);
    let fetches = 0;
    world.carrier.interfere = (request, response) => {
      if (!isMediaRequest(request)) return false;
      fetches += 1;
      void world.recordingReady(call, sid).then(() => response.end(audio));
      return true;
    };
    await world.recordingReady(call, sid);
    expect(fetches).toBe(1);
    await expectStoredWhole(call, audio, 2);
  });

  test('about a call that is not there, or with nothing left to do, changes nothing', async () => {
    const call = await world.newEnded();
    const { sid } = world.addRecording(call, audio);
    await world.recordingReady(call, sid);
    const before = await world.call(call);
    const requests = world.carrier.requests.length;
    await keepRecording(world.services, { task_id: call.task_id, call_id: call.id });
    await keepRecording(world.services, { task_id: call.id, call_id: call.task_id });
    expect(await world.call(call)).toEqual(before);
    expect(world.carrier.requests).toHaveLength(requests);
  });
});

describe('two that keep the same recording at the same time', () => {
  test('store one object, whole, and complete the call once', async () => {
    const call = await world.newEnded();
    const { sid } = world.addRecording(call, audio);
    const held: (() => void)[] = [];
    world.carrier.interfere = (request, response) => {
      if (!isMediaRequest(request)) return false;
      // The first half of each, then a wait until both are under way.
      response.writeHead(200, { 'Content-Type': 'audio/x-wav' });
      response.write(audio.subarray(0, audio.length / 2));
      held.push(() => response.end(audio.subarray(audio.length / 2)));
      if (held.length === 2) for (const go of held) go();
      return true;
    };
    const message = { task_id: call.task_id, call_id: call.id };
    const first = world.recordingReady(call, sid);
    await expect.poll(() => held.length, { timeout: 30_000 }).toBe(1);
    await Promise.all([first, keepRecording(world.services, message)]);
    await expectStoredWhole(call, audio, 2);
    expect(world.isAtCarrier(sid)).toBe(false);
  });
});

describe('having the carrier forget a recording', () => {
  test('comes when it is stored and known to be, never before', async () => {
    const call = await world.newEnded();
    const { sid } = world.addRecording(call, audio);
    const looks: Promise<[Call, Buffer]>[] = [];
    world.carrier.interfere = ({ method }, response) => {
      if (method !== 'DELETE') return false;
      const look = Promise.all([world.call(call), world.storedBytes(recordingKeyOf(call))]);
      looks.push(look);
      void look.finally(() => answerJson(response, 503, {}));
      return true;
    };
    await world.recordingReady(call, sid);
    expect(looks).toHaveLength(1);
    for (const [seen, bytes] of await Promise.all(looks)) {
      expect(seen).toMatchObject({ recording: { status: 'stored', key: recordingKeyOf(call) } });
      expect(bytes.equals(audio)).toBe(true);
    }
  });

  test.each([
    ['whose answer is lost', (response: ServerResponse) => response.destroy()],
    ['that the carrier does not take', (response: ServerResponse) => answerJson(response, 429, {})],
    ['that fails at the carrier', (response: ServerResponse) => answerJson(response, 500, {})],
    ['that is refused', (response: ServerResponse) => answerJson(response, 401, {})],
  ])('is repeated until it has happened: a deletion %s', async (_, fault) => {
    const call = await world.newEnded();
    const { sid } = world.addRecording(call, audio);
    let faultsLeft = 4;
    world.carrier.interfere = ({ method }, response) => {
      if (method !== 'DELETE' || faultsLeft === 0) return false;
      faultsLeft -= 1;
      fault(response);
      return true;
    };
    await world.recordingReady(call, sid);
    // The client need not wait for it.
    expect(await world.call(call)).toMatchObject({
      status: 'SUCCESS',
      completed_at: world.now.toISOString(),
      recording: { status: 'stored', at_carrier: true },
    });
    expect(await world.lookUntilSettled(call)).toBeLessThanOrEqual(300);
    await expectStoredWhole(call, audio, 2);
    expect(world.isAtCarrier(sid)).toBe(false);
  });
});

describe('several recordings of one call', () => {
  const short = wavFile({ channels: 2, seconds: 1 });
  const long = wavFile({ channels: 2, seconds: 3 });

  test.each(['short', 'long', 'neither'] as const)(
    'the longest is kept and none is left behind when %s is reported',
    async (reported) => {
      const call = await world.newEnded();
      const sids = {
        short: world.addRecording(call, short, 'completed', '1').sid,
        long: world.addRecording(call, long, 'completed', '3').sid,
      };
      if (reported === 'neither') await world.lookUntilCompleted(call);
      else await world.recordingReady(call, sids[reported]);
      await expectStoredWhole(call, long, 2);
      expect((await world.call(call)).recording.carrier_recording_sid).toBe(sids.long);
      expect([world.isAtCarrier(sids.short), world.isAtCarrier(sids.long)]).toEqual([false, false]);
    },
  );

  test('one that is reported when another is stored is deleted too, unless it holds more', async () => {
    const call = await world.newEnded();
    const first = world.addRecording(call, short, 'completed', '1');
    await world.recordingReady(call, first.sid);
    const same = world.addRecording(call, short, 'completed', '1');
    await world.recordingReady(call, same.sid);
    expect(world.isAtCarrier(same.sid)).toBe(false);
    const more = world.addRecording(call, long, 'completed', '3');
    await world.recordingReady(call, more.sid);
    expect(world.isAtCarrier(more.sid)).toBe(true);
    await expectStoredWhole(call, short, 2);
  });
});

describe('a recording that the carrier does not report', () => {
  test.each(['in-progress', 'paused', 'stopped', 'processing'])(
    'and that is %s for ever is settled for none after an hour',
    async (status) => {
      const call = await world.newEnded();
      world.addRecording(call, null, status);
      const seconds = await world.lookUntilCompleted(call);
      expect(seconds).toBeGreaterThanOrEqual(3600);
      expect(seconds).toBeLessThanOrEqual(3600 + 300);
      expect(await world.call(call)).toMatchObject({
        recording: { status: 'none', reason: 'No recording came from the carrier.' },
      });
    },
  );

  test.each(['in-progress', 'paused', 'stopped', 'processing'])(
    'is fetched when it is no longer %s',
    async (status) => {
      const call = await world.newEnded();
      const recording = world.addRecording(call, null, status);
      world.pass(60);
      await world.look(call);
      expect(await world.call(call)).toMatchObject({ completed_at: null });
      Object.assign(recording, { status: 'completed', media: audio });
      await world.lookUntilCompleted(call);
      await expectStoredWhole(call, audio, 2);
    },
  );

  test.each(['absent', 'deleted'])('and that is %s is not waited for', async (status) => {
    const call = await world.newEnded();
    world.addRecording(call, null, status);
    expect(await world.lookUntilCompleted(call)).toBeLessThanOrEqual(60);
    expect(await world.call(call)).toMatchObject({ status: 'SUCCESS', recording: { status: 'none' } });
  });

  test('and that shows in the list only after minutes is fetched', async () => {
    const call = await world.newEnded();
    world.pass(60);
    await world.look(call);
    world.pass(4 * 60);
    world.addRecording(call, audio);
    await world.lookUntilCompleted(call);
    await expectStoredWhole(call, audio, 2);
  });
});
