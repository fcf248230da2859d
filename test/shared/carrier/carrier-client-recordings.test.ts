import { describe, expect, test } from 'vitest';
import { respondJson, startTestServer } from '../../support/http-server.ts';
import { forThisTest } from '../../support/lifetime.ts';
import { accountSid, authorization, callSid, carrier, errorOf, recordingSid } from './carrier-under-test.ts';

describe('recordings', () => {
  const bytes = Buffer.from('RIFF-not-really');

  test('the redirect is followed, and the storage host never sees our credentials', async () => {
    const storage = await forThisTest(
      startTestServer((_, response) => {
        response.writeHead(200, { 'Content-Length': String(bytes.length) });
        response.end(bytes);
      }),
    );
    const { client, requests } = await carrier((_, response) => {
      response.writeHead(302, { Location: `${storage.origin}/stored?signature=1` });
      response.end();
    });
    const media = await client.fetchRecordingMedia(recordingSid);
    expect(media.contentLength).toBe(bytes.length);
    expect(Buffer.from(await new Response(media.body).arrayBuffer())).toEqual(bytes);
    expect(requests[0]).toMatchObject({
      url: `/2010-04-01/Accounts/${accountSid}/Recordings/${recordingSid}.wav?RequestedChannels=2`,
      headers: { authorization },
    });
    expect(storage.requests).toHaveLength(1);
    expect(storage.requests[0]?.headers.authorization).toBeUndefined();
  });

  test('one channel is requested if there are not two', async () => {
    const { client, requests } = await carrier((request, response) => {
      if (request.url.includes('RequestedChannels=2')) respondJson(response, 400, { code: 20001 });
      else response.end(bytes);
    });
    const media = await client.fetchRecordingMedia(recordingSid);
    expect(Buffer.from(await new Response(media.body).arrayBuffer())).toEqual(bytes);
    expect(requests.map(({ url }) => url.slice(-1))).toEqual(['2', '1']);
  });

  test('a refusal by the storage host does not change the channels: the recording is requested later', async () => {
    for (const status of [400, 403, 410]) {
      const storage = await carrier((_, response) => {
        response.writeHead(status).end();
      });
      const { client, requests } = await carrier((_, response) => {
        response.writeHead(302, { Location: `${storage.origin}/media.wav` }).end();
      });
      expect(await errorOf(client.fetchRecordingMedia(recordingSid))).toMatchObject({ kind: 'unknown' });
      expect(requests.map(({ url }) => url.slice(-1))).toEqual(['2']);
    }
  });

  test('media that is not yet available is distinguished from other failures', async () => {
    const statuses = [404, 503];
    const { client } = await carrier((_, response) => respondJson(response, statuses.shift() ?? 200, {}));
    expect(await errorOf(client.fetchRecordingMedia(recordingSid))).toMatchObject({ kind: 'not-found' });
    expect(await errorOf(client.fetchRecordingMedia(recordingSid))).toMatchObject({ kind: 'unknown' });
  });

  test('an endless redirect is abandoned', async () => {
    const { client, requests } = await carrier((request, response) => {
      response.writeHead(302, { Location: request.url });
      response.end();
    });
    expect(await errorOf(client.fetchRecordingMedia(recordingSid))).toMatchObject({ kind: 'unknown' });
    expect(requests.length).toBeLessThan(6);
  });

  test("lists a call's recordings with open states", async () => {
    const { client } = await carrier((_, response) =>
      respondJson(response, 200, {
        recordings: [
          { sid: 'RE1', status: 'completed', duration: '41' },
          { sid: 'RE2', status: 'absent' },
          { sid: 'RE3', status: 'a-state-of-tomorrow' },
        ],
        next_page_uri: null,
      }),
    );
    expect(await client.listRecordings(callSid)).toEqual([
      { sid: 'RE1', status: 'completed', durationSeconds: 41 },
      { sid: 'RE2', status: 'absent', durationSeconds: null },
      { sid: 'RE3', status: 'in-progress', durationSeconds: null },
    ]);
  });

  test('deleting a deleted recording succeeds', async () => {
    const statuses = [204, 404, 500];
    const { client } = await carrier((_, response) => {
      response.writeHead(statuses.shift() ?? 500);
      response.end();
    });
    await client.deleteRecording(recordingSid);
    await client.deleteRecording(recordingSid);
    expect(await errorOf(client.deleteRecording(recordingSid))).toMatchObject({ kind: 'unknown' });
  });
});
