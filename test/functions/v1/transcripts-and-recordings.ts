import { PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import type { Call } from '#shared/domain/call.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { unknownRecording } from '#shared/domain/recording.ts';
import {
  type ApiReply,
  type ApiUnderTest,
  createPatientIn,
  createTaskIn,
  distinguishable,
} from '../../support/api-under-test.ts';
import { storedCalls } from './stored-calls.ts';

/** What was said in a call: its transcript and its recording. */
export function transcriptAndRecordingSuite(api: () => ApiUnderTest): void {
  const { get, storeTask, storeTranscript, readPages, callIds } = storedCalls(api);

  describe('the transcript of a call', () => {
    test('is there in its order when asked for, and not otherwise', async () => {
      const { task, calls } = await storeTask(2);
      await storeTranscript(String(calls[1]?.id), ['Hello.', 'Hi, who is this?', 'An automated assistant.']);
      expect((await get(`/v1/task/${task.id}`)).text).not.toContain('transcripts');
      const { json } = await get(`/v1/task/${task.id}?include_transcript=True&include_all_calls=1`);
      expect(json.calls.map((call: { transcripts: unknown }) => call.transcripts)).toEqual([
        [
          { role: 'assistant', content: 'Hello.' },
          { role: 'user', content: 'Hi, who is this?' },
          { role: 'assistant', content: 'An automated assistant.' },
        ],
        [],
      ]);
    });

    test('of any length is read in answers below 6 MB', async () => {
      const { task, calls } = await storeTask(3);
      // Quotation marks take four bytes each once Lambda has wrapped the response.
      const long = Array.from({ length: 700 }, (_, index) => `${index} "${'é"'.repeat(3000)}"`);
      await storeTranscript(String(calls[1]?.id), long);
      await storeTranscript(String(calls[2]?.id), ['the newest']);
      const pages = await readPages(`/v1/task/${task.id}?include_transcript=true&include_all_calls=true`);
      for (const page of pages) {
        expect(Buffer.byteLength(JSON.stringify({ body: page.text }))).toBeLessThan(6_000_000);
      }
      expect(callIds(pages)[0]).toBe(calls[2]?.id);
      expect(callIds(pages).at(-1)).toBe(calls[0]?.id);
      const transcript = pages
        .flatMap((page) => page.json.calls)
        .filter((call) => call.id === calls[1]?.id)
        .flatMap((call) => call.transcripts.map((entry: { content: string }) => entry.content));
      expect(transcript).toEqual(long);
    });
  });

  describe('the recording of a call', () => {
    const stored = (key: string): Call['recording'] => ({
      ...unknownRecording,
      status: 'stored',
      key,
      bytes: 4,
      channels: 2,
      duration_seconds: 1,
    });

    test('is found at the address in the task, by a link that lives five minutes', async () => {
      const key = `recordings/${uuidv7()}/odd +name(1)é.wav`;
      const { task, calls } = await storeTask(1, () => ({ recording: stored(key) }));
      const { client, bucket } = api().recordings;
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: 'RIFF' }));
      const { json } = await get(`/v1/task/${task.id}`);
      const path = String(/\/v1\/call\/.*$/.exec(json.calls[0].recording_url)?.[0]);
      expect(path).toBe(`/v1/call/${calls[0]?.id}/recording`);

      const reply = await get(path);
      expect(reply.status).toBe(302);
      expect(reply.headers.get('cache-control')).toBe('no-store');
      expect(reply.text).toBe('');
      const link = new URL(String(reply.headers.get('location')));
      expect(link.searchParams.get('X-Amz-Expires')).toBe('300');
      expect(await (await fetch(link)).text()).toBe('RIFF');
      expect(
        (await get(path.toUpperCase().replace('V1/CALL', 'v1/call').replace('RECORDING', 'recording')))
          .status,
      ).toBe(302);
    });

    test("of another project's call is answered byte for byte like that of an unknown one", async () => {
      const { calls } = await storeTask(1, () => ({ recording: stored('recordings/x.wav') }));
      const ask = (id: string): Promise<ApiReply> => get(`/v1/call/${id}/recording`, api().other.apiKey);
      const unknown = await ask(uuidv7());
      expect([unknown.status, unknown.json]).toEqual([404, { detail: 'Call not found' }]);
      expect(distinguishable(await ask(String(calls[0]?.id)))).toEqual(distinguishable(unknown));
    });

    test('that is not there, or not yet, is answered 404', async () => {
      for (const status of ['awaited', 'none'] as const) {
        const { calls } = await storeTask(1, () => ({ recording: { ...stored('x'), status, key: null } }));
        const reply = await get(`/v1/call/${calls[0]?.id}/recording`);
        expect([reply.status, reply.json]).toEqual([404, { detail: 'Recording not found' }]);
      }
    });

    test('does not take a task or a patient for a call', async () => {
      const patientId = await createPatientIn(api(), api().mine);
      for (const id of [patientId, await createTaskIn(api(), api().mine, patientId)]) {
        expect((await get(`/v1/call/${id}/recording`)).json).toEqual({ detail: 'Call not found' });
      }
    });
  });
}
