import { readFile } from 'node:fs/promises';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Call } from '#shared/domain/call.ts';
import { eraseCall } from '#shared/erasure/erase-call.ts';
import { findRecordingKey } from '#shared/recordings/find-recording.ts';
import { callKey } from '#shared/table/task-key.ts';
import { callFixtureForThisFile } from '../../support/call-fixture.ts';
import { sampleResult, sampleTime } from '../../support/sample-tasks.ts';
import { wavFile } from '../../support/wav-file.ts';

/*
 * Calls as the version of 2026-11-23 stored them (9b973f27), with their recordings and the due times of both in one
 * item. Never to be changed.
 */
const stored = z
  .array(z.record(z.string(), z.unknown()))
  .parse(JSON.parse(await readFile(new URL('./calls-of-earlier-versions.json', import.meta.url), 'utf8')));
const fixture = await callFixtureForThisFile();
const audio = wavFile({ channels: 2, seconds: 1.5 });

const idsOf = (number: number) => ({
  task_id: `019ab0de-0000-7000-8000-00000000010${number}`,
  id: `019ab0de-0000-7000-8000-00000000020${number}`,
});
const fetched = idsOf(1);
const keptForDays = idsOf(2);
const atCarrier = idsOf(3);
const givenUp = idsOf(4);
const talking = idsOf(5);
const keptForGood = idsOf(6);

beforeAll(async () => {
  for (const Item of stored) {
    await fixture.table.client.send(new PutCommand({ TableName: fixture.table.name, Item }));
  }
  const untilMs = Date.parse(sampleTime) + 75_000;
  fixture.pass((untilMs - fixture.now.getTime()) / 1000);
});

/** Where the carrier keeps a call's recording, by the identifier in the call. */
async function putAtCarrier(ids: Pick<Call, 'id' | 'task_id'>): Promise<string> {
  const call = await fixture.call(ids);
  const sid = call.recording.carrier_recording_sid ?? '';
  const made = fixture.carrier.addRecording(call.carrier_call_sid ?? '', audio);
  Object.assign(made, { sid });
  return sid;
}

async function itemOf({ task_id, id }: Pick<Call, 'id' | 'task_id'>) {
  const { Item } = await fixture.table.client.send(
    new GetCommand({ TableName: fixture.table.name, Key: callKey(task_id, id) }),
  );
  return Item;
}

describe('a call of an earlier version', () => {
  test("is read with its recording and the recording's due time", async () => {
    expect(await fixture.call(fetched)).toMatchObject({
      due_at: '2026-03-02T15:17:10.000Z',
      recording: { due_at: '2026-03-02T15:17:10.000Z', leased_until: '2026-03-02T15:17:10.000Z', version: 0 },
    });
    expect(await fixture.call(keptForDays)).toMatchObject({
      due_at: null,
      recording: { status: 'stored', due_at: '2026-04-01T15:01:00.000Z', leased_until: null, version: 0 },
    });
    expect(await fixture.call(keptForGood)).toMatchObject({
      due_at: null,
      recording: { status: 'stored', due_at: null },
    });
    const { project_id, recording } = await fixture.call(keptForGood);
    expect(await findRecordingKey(fixture.table, project_id, keptForGood.id)).toBe(recording.key);
  });

  test('is not erased while its recording may be in transfer', async () => {
    expect(await eraseCall(fixture.services, await fixture.call(givenUp))).toEqual({
      reason: 'The recording of a call is being fetched.',
      until: new Date('2026-03-02T15:16:10.000Z'),
    });
  });

  test('with a recording in transfer completes with it once the lease has ended', async () => {
    const sid = await putAtCarrier(fetched);
    const call = await fixture.call(fetched);
    fixture.results.set(call.id, sampleResult());
    expect(await fixture.lookUntilCompleted(call)).toBe(955);
    expect(await fixture.call(fetched)).toMatchObject({
      status: 'SUCCESS',
      due_at: null,
      recording: { status: 'stored', bytes: audio.length, leased_until: null },
    });
    expect(await itemOf(fetched)).not.toHaveProperty('recording');
    expect(fixture.isAtCarrier(sid)).toBe(false);
  });

  test('with a recording at the carrier leaves the due index when that is deleted', async () => {
    const sid = await putAtCarrier(atCarrier);
    await fixture.lookUntilSettled(await fixture.call(atCarrier));
    expect(fixture.isAtCarrier(sid)).toBe(false);
    expect(await fixture.isDue(atCarrier.id)).toBe(false);
    expect(await itemOf(atCarrier)).toMatchObject({ due_pk: expect.stringMatching(/^ENDED#/) });
    expect(await itemOf(atCarrier)).not.toHaveProperty('recording');
  });

  test('with an abandoned recording gets it late', async () => {
    await putAtCarrier(givenUp);
    await fixture.lookUntilSettled(await fixture.call(givenUp));
    expect(await fixture.call(givenUp)).toMatchObject({ due_at: null, recording: { status: 'stored' } });
  });

  test('in progress continues', async () => {
    fixture.results.set(talking.id, sampleResult());
    const call = await fixture.call(talking);
    await fixture.progress(call, 'completed', 3, { talk_seconds: 2 });
    await fixture.recordingReady(call, fixture.addRecording(call, audio).sid);
    expect(await fixture.call(talking)).toMatchObject({ status: 'SUCCESS', recording: { status: 'stored' } });
  });

  test('with a stored recording loses it after its retention', async () => {
    const { recording } = await fixture.call(keptForDays);
    await fixture.services.recordings.put(
      recording.key ?? '',
      (async function* () {
        yield audio;
      })(),
    );
    await fixture.lookUntilSettled(await fixture.call(keptForDays));
    expect(await fixture.call(keptForDays)).toMatchObject({
      recording: { status: 'none', reason: 'Deleted after 30 days, by the project’s retention.' },
    });
    await expect(fixture.storedBytes(recording.key ?? '')).rejects.toThrow();
    expect(await fixture.isDue(keptForDays.id)).toBe(false);
  });
});
