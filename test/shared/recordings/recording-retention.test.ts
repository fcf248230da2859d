import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { Call } from '#shared/domain/call.ts';
import { findRecordingKey } from '#shared/recordings/find-recording.ts';
import { ingestRecording } from '#shared/recordings/ingest-recording.ts';
import { projectKey } from '#shared/table/project.ts';
import { callFixtureForThisFile } from '../../support/call-fixture.ts';
import { recordingKeyOf } from '../../support/call-identifiers.ts';
import { respondJson } from '../../support/http-server.ts';
import { wavFile } from '../../support/wav-file.ts';

const fixture = await callFixtureForThisFile();

const audio = wavFile({ channels: 2, seconds: 1.5 });
const dayMs = 24 * 60 * 60 * 1000;

async function expectNothingStored(call: Call): Promise<void> {
  await expect(fixture.storedBytes(recordingKeyOf(call))).rejects.toThrow();
}

describe('the retention of recordings', () => {
  async function storedCall(days: number | null): Promise<Call> {
    const call = await fixture.newEnded({ recording_retention_days: days });
    await fixture.recordingReady(call, fixture.addRecording(call, audio).sid);
    return fixture.call(call);
  }

  function passDays(days: number): void {
    fixture.pass((days * dayMs) / 1000);
  }

  test('starts at the end of the call; then only the recording is deleted', async () => {
    const call = await storedCall(30);
    const until = new Date(Date.parse(call.ended_at ?? '') + 30 * dayMs).toISOString();
    expect(call).toMatchObject({
      due_at: null,
      recording: { status: 'stored', kept_until: until, due_at: until },
    });
    passDays(29);
    await fixture.look(call);
    expect(await findRecordingKey(fixture.table, call.project_id, call.id)).toBe(recordingKeyOf(call));
    expect((await fixture.storedBytes(recordingKeyOf(call))).equals(audio)).toBe(true);
    passDays(1);
    expect(await fixture.isDue(call.id)).toBe(true);
    await fixture.look(call);
    await expectNothingStored(call);
    await expect(findRecordingKey(fixture.table, call.project_id, call.id)).rejects.toThrow(
      'Recording not found',
    );
    const deleted = await fixture.call(call);
    const { waveform, ...recording } = call.recording;
    expect(waveform).toHaveLength(2);
    expect(deleted).toEqual({
      ...call,
      updated_at: deleted.updated_at,
      recording: {
        ...recording,
        due_at: null,
        version: recording.version + 1,
        status: 'none',
        found_at: null,
        key: null,
        bytes: null,
        channels: null,
        duration_seconds: null,
        reason: 'Deleted after 30 days, by the project’s retention.',
      },
    });
    expect(await fixture.isDue(call.id)).toBe(false);
  });

  test('is unlimited unless the project sets one', async () => {
    const call = await storedCall(null);
    expect(call).toMatchObject({
      due_at: null,
      recording: { status: 'stored', kept_until: null, due_at: null },
    });
  });

  test("is the project's at the time of storage", async () => {
    const call = await storedCall(7);
    await fixture.table.client.send(
      new UpdateCommand({
        TableName: fixture.table.name,
        Key: projectKey(call.project_id),
        UpdateExpression: 'SET recording_retention_days = :days',
        ExpressionAttributeValues: { ':days': 3650 },
      }),
    );
    passDays(7);
    await fixture.look(call);
    expect(await fixture.call(call)).toMatchObject({ recording: { status: 'none' } });
  });

  test('ends for a late recording as for any other', async () => {
    const call = await fixture.newEnded({ recording_retention_days: 7 });
    await fixture.lookUntilCompleted(call);
    passDays(1);
    await fixture.recordingReady(call, fixture.addRecording(call, audio).sid);
    expect(await fixture.call(call)).toMatchObject({
      due_at: null,
      recording: {
        status: 'stored',
        due_at: new Date(Date.parse(call.ended_at ?? '') + 7 * dayMs).toISOString(),
      },
    });
    passDays(6);
    await fixture.look(call);
    await expectNothingStored(call);
  });

  test('is over only after the deletion, which is retried until then', async () => {
    const call = await storedCall(7);
    passDays(7);
    const { recordings } = fixture.services;
    const broken = { ...fixture.services, recordings: { ...recordings, delete: refuse } };
    const message = { task_id: call.task_id, call_id: call.id };
    await expect(ingestRecording(broken, message)).rejects.toThrow('not now');
    expect(await fixture.call(call)).toMatchObject({ recording: { status: 'stored' } });
    expect(await fixture.isDue(call.id)).toBe(true);
    await fixture.lookUntilSettled(call);
    await expectNothingStored(call);
  });

  async function refuse(): Promise<void> {
    throw new Error('not now');
  }

  test('ends although the carrier keeps its copy, which is deleted later', async () => {
    const call = await fixture.newEnded({ recording_retention_days: 1 });
    const { sid } = fixture.addRecording(call, audio);
    fixture.carrier.interfere = ({ method }, response) => {
      if (method !== 'DELETE') return false;
      respondJson(response, 503, {});
      return true;
    };
    await fixture.recordingReady(call, sid);
    for (let hours = 0; hours < 30; hours += 1) {
      fixture.pass(3600);
      await fixture.look(call);
    }
    await expectNothingStored(call);
    expect(await fixture.call(call)).toMatchObject({
      recording: {
        status: 'none',
        at_carrier: true,
        reason: 'Deleted after 1 day, by the project’s retention.',
      },
    });
    expect(fixture.isAtCarrier(sid)).toBe(true);
    fixture.carrier.interfere = () => false;
    await fixture.lookUntilSettled(call);
    expect(fixture.isAtCarrier(sid)).toBe(false);
  });

  test('succeeds for a deleted recording', async () => {
    const call = await storedCall(7);
    await fixture.services.recordings.delete(recordingKeyOf(call));
    passDays(7);
    await fixture.lookUntilSettled(call);
    expect(await fixture.call(call)).toMatchObject({
      due_at: null,
      recording: { status: 'none', due_at: null },
    });
  });
});
