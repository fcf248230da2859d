import { S3Client } from '@aws-sdk/client-s3';
import { afterEach, expect, test } from 'vitest';
import { projectKeyOf } from '#shared/encryption/project-key.ts';
import { bucketRecordingStore, recordingKey } from '#shared/recordings/recording-store.ts';
import { startTestServer, type TestServer } from '../../support/http-server.ts';

/*
 * The embedded S3 keeps no versions, so a server that follows S3's documentation (ListObjectVersions, DeleteObject)
 * replaces a versioned bucket here.
 */

let server: TestServer | null = null;
afterEach(() => server?.stop());

interface Version {
  readonly key: string;
  readonly id: string;
  readonly isMarker: boolean;
}

async function versionedBucket(versions: Version[]): Promise<S3Client> {
  server = await startTestServer(({ method, url }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://s3.test');
    const key = decodeURIComponent(pathname.split('/').slice(2).join('/'));
    if (method === 'DELETE') {
      const id = searchParams.get('versionId');
      if (id === null) versions.unshift({ key, id: `marker-${versions.length}`, isMarker: true });
      else versions.splice(0, versions.length, ...versions.filter((version) => version.id !== id));
      response.writeHead(204).end();
      return;
    }
    const found = versions.filter((version) => version.key.startsWith(searchParams.get('prefix') ?? ''));
    const start = found.findIndex(({ id }) => id === searchParams.get('version-id-marker')) + 1;
    const page = found.slice(start, start + 2);
    const last = page.at(-1);
    const isMore = found.length > start + 2 && last !== undefined;
    const shown = page.map(({ key: name, id, isMarker }) => {
      const tag = isMarker ? 'DeleteMarker' : 'Version';
      return `<${tag}><Key>${name}</Key><VersionId>${id}</VersionId></${tag}>`;
    });
    const next = isMore
      ? `<NextKeyMarker>${last.key}</NextKeyMarker><NextVersionIdMarker>${last.id}</NextVersionIdMarker>`
      : '';
    const content = `<IsTruncated>${isMore}</IsTruncated>${next}${shown.join('')}`;
    response
      .writeHead(200, { 'Content-Type': 'application/xml' })
      .end(`<?xml version="1.0"?><ListVersionsResult>${content}</ListVersionsResult>`);
  });
  return new S3Client({
    endpoint: server.origin,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
}

test('erasing a recording leaves no version or delete marker of it, and keeps all others', async () => {
  const key = 'recordings/project/call.wav';
  const of = (name: string, id: string, isMarker = false): Version => ({ key: name, id, isMarker });
  const others = [of(`${key}.bak`, 'other'), of('recordings/project/call-2.wav', 'another')];
  const versions = [of(key, 'v3'), of(key, 'm2', true), of(key, 'v1'), of(key, 'v0'), ...others];
  const store = bucketRecordingStore('bucket', async () => null, await versionedBucket(versions));
  await store.erase(key);
  expect(versions).toEqual(others);
  await store.erase(key);
  expect(versions).toEqual(others);
});

test('55: S3 encrypts an object with the key of its project', async () => {
  const asked: unknown[] = [];
  server = await startTestServer(({ headers }, response) => {
    asked.push([
      headers['x-amz-server-side-encryption'],
      headers['x-amz-server-side-encryption-aws-kms-key-id'],
    ]);
    response.writeHead(200, { ETag: '"1"' }).end();
  });
  const client = new S3Client({
    endpoint: server.origin,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const arn = 'arn:aws:kms:us-east-1:000000000000:key/of-the-project';
  const projectId = '019a9f3c-0000-7000-8000-000000000001';
  const key = projectKeyOf(projectId, Buffer.alloc(32, 1), arn);
  const store = bucketRecordingStore('bucket', async (id) => (id === projectId ? key : null), client);
  async function* sound(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('sound');
  }
  await store.put(recordingKey(projectId, 'call'), sound());
  await store.put(recordingKey('another', 'call'), sound());
  expect(asked).toEqual([
    ['aws:kms', arn],
    [undefined, undefined],
  ]);
});
