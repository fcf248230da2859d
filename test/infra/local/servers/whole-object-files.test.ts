import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { WholeObjectFiles } from '../../../../infra/local/servers/whole-object-files.ts';

type S3Object = Parameters<WholeObjectFiles['upsertObject']>[1];

const objectOf = (key: string, text: string): S3Object => ({
  key,
  body: Buffer.from(text),
  contentType: 'text/plain',
  contentLength: text.length,
  etag: '"tag"',
  lastModified: new Date(),
  metadata: {},
});

test('finished writes are in place, and unfinished ones leave nothing there', () => {
  const directory = mkdtempSync(join(tmpdir(), 'objects-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const files = new WholeObjectFiles(directory);
  const uploadId = 'upload-1';
  files.insertBucket('bucket', new Date(), 'general-purpose');
  files.upsertObject('bucket', objectOf('a/first', 'one'));
  files.upsertObject('bucket', objectOf('a/first', 'one, changed'));
  files.insertMultipartUpload({
    uploadId,
    bucket: 'bucket',
    key: 'b/second',
    contentType: 'text/plain',
    metadata: {},
    initiated: new Date(),
    parts: new Map(),
  });
  const part = { partNumber: 1, etag: '"tag"', body: Buffer.from('two'), lastModified: new Date() };
  files.upsertMultipartPart(uploadId, part);
  files.completeMultipartUpload(uploadId, 'bucket', objectOf('b/second', 'two'));

  const objects = join(directory, 'buckets', 'bucket', 'objects');
  expect(readFileSync(join(objects, 'a', 'first.data'), 'utf8')).toBe('one, changed');
  expect(readFileSync(join(objects, 'b', 'second.data'), 'utf8')).toBe('two');
  const unfinished = join(directory, '_unfinished');
  const left = readdirSync(unfinished, { recursive: true, withFileTypes: true });
  expect(left.filter((entry) => entry.isFile())).toEqual([]);
  expect(existsSync(join(unfinished, '_multipart', uploadId))).toBe(false);
});
