import { describe, expect, test } from 'vitest';
import { advanceCall } from '#shared/calls/lifecycle/advance-call.ts';
import { cancelTask } from '#shared/tasks/cancel-task.ts';
import { callFixtureForThisFile } from '../../../support/call-fixture.ts';
import { wavFile } from '../../../support/wav-file.ts';

const fixture = await callFixtureForThisFile();

const audio = wavFile({ channels: 2, seconds: 1.5 });

describe('the recording', () => {
  test('is fetched again if not yet available', async () => {
    const { call } = await fixture.newTalking();
    const recording = fixture.addRecording(call, null);
    await fixture.progress(call, 'completed', 3);
    await fixture.recordingReady(call, recording.sid);
    expect(await fixture.call(call)).toMatchObject({
      status: 'IN_PROGRESS',
      recording: { status: 'awaited', carrier_recording_sid: recording.sid },
    });
    expect(fixture.isAtCarrier(recording.sid)).toBe(true);
    recording.media = audio;
    expect(await fixture.lookUntilCompleted(call)).toBeLessThanOrEqual(10);
    expect(await fixture.call(call)).toMatchObject({ status: 'SUCCESS', recording: { status: 'stored' } });
    expect(fixture.isAtCarrier(recording.sid)).toBe(false);
  });

  test("is fetched soon even if reported before the call's end and not yet available", async () => {
    const { call } = await fixture.newTalking();
    const recording = fixture.addRecording(call, null);
    await fixture.recordingReady(call, recording.sid);
    recording.media = audio;
    await fixture.progress(call, 'completed', 3);
    expect(await fixture.lookUntilCompleted(call)).toBeLessThanOrEqual(10);
    expect(await fixture.call(call)).toMatchObject({ closed_by: 'carrier', recording: { status: 'stored' } });
  });

  test('is fetched by one worker at a time', async () => {
    const { call } = await fixture.newTalking();
    const recording = fixture.addRecording(call, audio);
    let isReported = false;
    fixture.carrier.interfere = ({ url }, response) => {
      if (isReported || !url.includes('.wav')) return false;
      isReported = true;
      // The end of the call is reported, and checked, during the transfer.
      void fixture
        .progress(call, 'completed', 3)
        .then(() => fixture.look(call))
        .then(() => response.end(audio));
      return true;
    };
    const before = fixture.carrier.requests.length;
    await fixture.recordingReady(call, recording.sid);
    const fetches = fixture.carrier.requests.slice(before).filter(({ url }) => url.includes('.wav'));
    expect(fetches).toHaveLength(1);
    expect(await fixture.call(call)).toMatchObject({ status: 'SUCCESS', recording: { status: 'stored' } });
  });

  test('that is stored while its call ends completes the call at the next check', async () => {
    const { call } = await fixture.newTalking();
    const { sid } = fixture.addRecording(call, null);
    await fixture.recordingReady(call, sid);
    // Each decides on what it has read, and neither sees the other's write.
    const readBefore = await fixture.call(call);
    await fixture.progress(call, 'completed', 3);
    await advanceCall(fixture.services, readBefore, {
      type: 'recording-stored',
      recording_sid: sid,
      key: `recordings/${call.project_id}/${call.id}.wav`,
      bytes: audio.length,
      channels: 2,
      duration_seconds: 1.5,
      kept_until: null,
    });
    expect(await fixture.call(call)).toMatchObject({ completed_at: null, recording: { status: 'stored' } });
    expect(await fixture.lookUntilCompleted(call)).toBeLessThanOrEqual(60);
  });

  test('that is truncated is neither stored nor deleted, but fetched again', async () => {
    const { call } = await fixture.newTalking();
    const recording = fixture.addRecording(call, audio.subarray(0, 1000));
    await fixture.progress(call, 'completed', 3);
    await fixture.recordingReady(call, recording.sid);
    expect(await fixture.call(call)).toMatchObject({ recording: { status: 'awaited', key: null } });
    await expect(fixture.storedBytes(`recordings/${call.project_id}/${call.id}.wav`)).rejects.toThrow();
    expect(fixture.isAtCarrier(recording.sid)).toBe(true);
    recording.media = audio;
    await fixture.lookUntilCompleted(call);
    expect(await fixture.call(call)).toMatchObject({ recording: { status: 'stored', bytes: audio.length } });
  });

  test('is found if the carrier’s report is lost', async () => {
    const { call } = await fixture.newTalking();
    const { sid } = fixture.addRecording(call, audio);
    await fixture.progress(call, 'completed', 3);
    expect(await fixture.lookUntilCompleted(call)).toBeLessThanOrEqual(60);
    expect(await fixture.call(call)).toMatchObject({
      status: 'SUCCESS',
      recording: { status: 'stored', carrier_recording_sid: sid },
    });
    expect(fixture.isAtCarrier(sid)).toBe(false);
  });

  test('that is absent ends the wait at once, with the reason', async () => {
    const { call } = await fixture.newTalking();
    await fixture.report(call, {
      type: 'recording',
      carrier_call_sid: call.carrier_call_sid ?? '',
      status: 'absent',
      recording_sid: `RE${'0'.repeat(32)}`,
    });
    await fixture.progress(call, 'completed', 3);
    expect(await fixture.call(call)).toMatchObject({
      status: 'SUCCESS',
      recording: {
        status: 'none',
        reason: 'The carrier made no recording, because the call was too short or silent.',
      },
    });
  });

  test('that never comes does not hold the call forever', async () => {
    const { call } = await fixture.newTalking();
    await fixture.progress(call, 'completed', 3);
    const seconds = await fixture.lookUntilCompleted(call);
    expect(seconds).toBeGreaterThanOrEqual(600);
    expect(seconds).toBeLessThanOrEqual(1200);
    expect(await fixture.call(call)).toMatchObject({
      status: 'SUCCESS',
      recording: { status: 'none', reason: 'No recording came from the carrier.' },
    });
  });

  test('is not expected for a connection that failed before any speech', async () => {
    const { call } = await fixture.newTalking();
    await fixture.progress(call, 'failed', 3, { talk_seconds: 0 });
    expect(await fixture.lookUntilCompleted(call)).toBeLessThan(120);
    expect((await fixture.call(call)).recording.status).toBe('none');
  });

  test('is not expected for a call ended at our request before any speech', async () => {
    const { task, call } = await fixture.newDialled();
    await fixture.progress(call, 'answered', 2);
    await cancelTask(fixture.table, { projectId: task.project_id, taskId: task.id, now: () => fixture.now });
    await fixture.progress(call, 'completed', 3, { talk_seconds: 0 });
    expect(await fixture.lookUntilCompleted(call)).toBeLessThan(30);
    expect(await fixture.call(call)).toMatchObject({ status: 'CANCELLED', recording: { status: 'none' } });
  });

  test('that is late is stored within a day, beside the completed call', async () => {
    const { call } = await fixture.newTalking();
    const recording = fixture.addRecording(call, null);
    await fixture.progress(call, 'completed', 3);
    await fixture.recordingReady(call, recording.sid);
    await fixture.lookUntilCompleted(call);
    const before = await fixture.call(call);
    recording.media = audio;
    expect(await fixture.lookUntilSettled(call)).toBeLessThanOrEqual(20 * 60);
    expect(await fixture.call(call)).toMatchObject({
      status: before.status,
      completed_at: before.completed_at,
      due_at: null,
      recording: { status: 'stored' },
    });
    expect(fixture.isAtCarrier(recording.sid)).toBe(false);
  });

  test('that stays unavailable for a day is left at the carrier, without a due time', async () => {
    const { call } = await fixture.newTalking();
    const { sid } = fixture.addRecording(call, null);
    await fixture.progress(call, 'completed', 3);
    await fixture.recordingReady(call, sid);
    await fixture.lookUntilCompleted(call);
    const seconds = await fixture.lookUntilSettled(call);
    expect(seconds).toBeGreaterThanOrEqual(24 * 3600);
    expect(seconds).toBeLessThanOrEqual(25 * 3600);
    expect(await fixture.call(call)).toMatchObject({ due_at: null, recording: { status: 'none' } });
    expect(fixture.isAtCarrier(sid)).toBe(true);
  });

  test('that exists but cannot be fetched is abandoned after its own limit, and left at the carrier', async () => {
    const { call } = await fixture.newTalking();
    const { sid } = fixture.addRecording(call, null);
    await fixture.progress(call, 'completed', 3);
    await fixture.recordingReady(call, sid);
    const seconds = await fixture.lookUntilCompleted(call);
    expect(seconds).toBeGreaterThanOrEqual(3600);
    expect(seconds).toBeLessThanOrEqual(3900 + 300);
    expect(await fixture.call(call)).toMatchObject({
      status: 'SUCCESS',
      recording: { status: 'none', carrier_recording_sid: sid },
    });
    expect(fixture.isAtCarrier(sid)).toBe(true);
  });

  test('that arrives after its call completed without it is kept', async () => {
    const { call } = await fixture.newTalking();
    await fixture.progress(call, 'completed', 3);
    await fixture.lookUntilCompleted(call);
    const before = await fixture.call(call);
    fixture.pass(5 * 60 * 60);
    const recording = fixture.addRecording(call, null);
    await fixture.recordingReady(call, recording.sid);
    expect(await fixture.call(call)).toMatchObject({
      completed_at: before.completed_at,
      recording: { status: 'awaited' },
    });
    recording.media = audio;
    expect(await fixture.lookUntilSettled(call)).toBeLessThanOrEqual(10);
    expect(await fixture.call(call)).toMatchObject({
      status: before.status,
      completed_at: before.completed_at,
      recording: { status: 'stored' },
    });
    expect(fixture.isAtCarrier(recording.sid)).toBe(false);
  });

  test('is deleted at the carrier after a first deletion failed', async () => {
    const { call } = await fixture.newTalking();
    const { sid } = fixture.addRecording(call, audio);
    await fixture.progress(call, 'completed', 3);
    fixture.carrier.interfere = ({ method }, response) => {
      if (method !== 'DELETE') return false;
      response.writeHead(503).end();
      return true;
    };
    await fixture.recordingReady(call, sid);
    expect(await fixture.call(call)).toMatchObject({ status: 'SUCCESS', recording: { status: 'stored' } });
    expect(fixture.isAtCarrier(sid)).toBe(true);
    fixture.carrier.interfere = () => false;
    expect(await fixture.lookUntilSettled(call)).toBeLessThanOrEqual(10);
    expect(fixture.isAtCarrier(sid)).toBe(false);
    expect(await fixture.call(call)).toMatchObject({ due_at: null, recording: { status: 'stored' } });
  });

  test('of several megabytes passes through', async () => {
    const long = wavFile({ channels: 2, seconds: 10 * 60 });
    const { call } = await fixture.newTalking();
    const { sid } = fixture.addRecording(call, long);
    await fixture.progress(call, 'completed', 3);
    await fixture.recordingReady(call, sid);
    const { recording } = await fixture.call(call);
    expect(recording).toMatchObject({ status: 'stored', bytes: long.length, duration_seconds: 600 });
    expect((await fixture.storedBytes(recording.key ?? '')).equals(long)).toBe(true);
  });
});
