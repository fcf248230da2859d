import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Call } from '#shared/domain/call.ts';
import { callFixtureForThisFile } from '../../support/call-fixture.ts';
import { recordingKeyOf } from '../../support/call-identifiers.ts';
import { respondJson } from '../../support/http-server.ts';
import { wavFile } from '../../support/wav-file.ts';
import { expectStoredWhole } from './stored-recording.ts';

const fixture = await callFixtureForThisFile();

const audio = wavFile({ channels: 2, seconds: 1.5 });

describe('deleting a recording at the carrier', () => {
  test('happens once it is stored for certain, never before', async () => {
    const call = await fixture.newEnded();
    const { sid } = fixture.addRecording(call, audio);
    const looks: Promise<[Call, Buffer]>[] = [];
    fixture.carrier.interfere = ({ method }, response) => {
      if (method !== 'DELETE') return false;
      const look = Promise.all([fixture.call(call), fixture.storedBytes(recordingKeyOf(call))]);
      looks.push(look);
      void look.finally(() => respondJson(response, 503, {}));
      return true;
    };
    await fixture.recordingReady(call, sid);
    expect(looks).toHaveLength(1);
    for (const [seen, bytes] of await Promise.all(looks)) {
      expect(seen).toMatchObject({ recording: { status: 'stored', key: recordingKeyOf(call) } });
      expect(bytes.equals(audio)).toBe(true);
    }
  });

  test.each([
    ['whose answer is lost', (response: ServerResponse) => response.destroy()],
    ['that the carrier does not take', (response: ServerResponse) => respondJson(response, 429, {})],
    ['that fails at the carrier', (response: ServerResponse) => respondJson(response, 500, {})],
    ['that is refused', (response: ServerResponse) => respondJson(response, 401, {})],
  ])('is repeated until it succeeds: a deletion %s', async (_, fault) => {
    const call = await fixture.newEnded();
    const { sid } = fixture.addRecording(call, audio);
    let faultsLeft = 4;
    fixture.carrier.interfere = ({ method }, response) => {
      if (method !== 'DELETE' || faultsLeft === 0) return false;
      faultsLeft -= 1;
      fault(response);
      return true;
    };
    await fixture.recordingReady(call, sid);
    // The client need not wait for it.
    expect(await fixture.call(call)).toMatchObject({
      status: 'SUCCESS',
      completed_at: fixture.now.toISOString(),
      recording: { status: 'stored', at_carrier: true },
    });
    expect(await fixture.lookUntilSettled(call)).toBeLessThanOrEqual(300);
    await expectStoredWhole(fixture, call, audio, 2);
    expect(fixture.isAtCarrier(sid)).toBe(false);
  });
});

describe('several recordings of one call', () => {
  const short = wavFile({ channels: 2, seconds: 1 });
  const long = wavFile({ channels: 2, seconds: 3 });

  test.each(['short', 'long', 'neither'] as const)(
    'the longest is kept and none is left behind when %s is reported',
    async (reported) => {
      const call = await fixture.newEnded();
      const sids = {
        short: fixture.addRecording(call, short, 'completed', '1').sid,
        long: fixture.addRecording(call, long, 'completed', '3').sid,
      };
      if (reported === 'neither') await fixture.lookUntilCompleted(call);
      else await fixture.recordingReady(call, sids[reported]);
      await expectStoredWhole(fixture, call, long, 2);
      expect((await fixture.call(call)).recording.carrier_recording_sid).toBe(sids.long);
      expect([fixture.isAtCarrier(sids.short), fixture.isAtCarrier(sids.long)]).toEqual([false, false]);
    },
  );

  test('a recording reported after another was stored is deleted too, unless it is longer', async () => {
    const call = await fixture.newEnded();
    const first = fixture.addRecording(call, short, 'completed', '1');
    await fixture.recordingReady(call, first.sid);
    const same = fixture.addRecording(call, short, 'completed', '1');
    await fixture.recordingReady(call, same.sid);
    expect(fixture.isAtCarrier(same.sid)).toBe(false);
    const more = fixture.addRecording(call, long, 'completed', '3');
    await fixture.recordingReady(call, more.sid);
    expect(fixture.isAtCarrier(more.sid)).toBe(true);
    await expectStoredWhole(fixture, call, short, 2);
  });
});

describe('an unreported recording', () => {
  test.each(['in-progress', 'paused', 'stopped', 'processing'])(
    'and that is %s for ever is settled for none after an hour',
    async (status) => {
      const call = await fixture.newEnded();
      fixture.addRecording(call, null, status);
      const seconds = await fixture.lookUntilCompleted(call);
      expect(seconds).toBeGreaterThanOrEqual(3600);
      expect(seconds).toBeLessThanOrEqual(3600 + 300);
      expect(await fixture.call(call)).toMatchObject({
        recording: { status: 'none', reason: 'No recording came from the carrier.' },
      });
    },
  );

  test.each(['in-progress', 'paused', 'stopped', 'processing'])(
    'is fetched when it is no longer %s',
    async (status) => {
      const call = await fixture.newEnded();
      const recording = fixture.addRecording(call, null, status);
      fixture.pass(60);
      await fixture.look(call);
      expect(await fixture.call(call)).toMatchObject({ completed_at: null });
      Object.assign(recording, { status: 'completed', media: audio });
      await fixture.lookUntilCompleted(call);
      await expectStoredWhole(fixture, call, audio, 2);
    },
  );

  test.each(['absent', 'deleted'])('and that is %s is not waited for', async (status) => {
    const call = await fixture.newEnded();
    fixture.addRecording(call, null, status);
    expect(await fixture.lookUntilCompleted(call)).toBeLessThanOrEqual(60);
    expect(await fixture.call(call)).toMatchObject({ status: 'SUCCESS', recording: { status: 'none' } });
  });

  test('that is listed only after minutes is fetched', async () => {
    const call = await fixture.newEnded();
    fixture.pass(60);
    await fixture.look(call);
    fixture.pass(4 * 60);
    fixture.addRecording(call, audio);
    await fixture.lookUntilCompleted(call);
    await expectStoredWhole(fixture, call, audio, 2);
  });
});
