import { S3Client } from '@aws-sdk/client-s3';
import { afterEach, expect, test } from 'vitest';
import { bucketRecordingStore } from '#shared/recordings/recording-store.ts';
import { startTestServer, type TestServer } from '../../support/http-server.ts';

/*
 * The embedded S3 keeps no versions, so a server that answers as S3 documents it (ListObjectVersions, DeleteObject) stands
 * in for a versioned bucket here.
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
    const xml = `<?xml version="1.0"?><ListVersionsResult><IsTruncated>${isMore}</IsTruncated>${next}${shown.join('')}</ListVersionsResult>`;
    response.writeHead(200, { 'Content-Type': 'application/xml' }).end(xml);
  });
  return new S3Client({
    endpoint: server.origin,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
}

test('erasing a recording leaves no version and no delete marker of it, and every other recording', async () => {
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
