import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  NoSuchKey,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { objectLimits } from '#shared/aws/client-limits.ts';
import type { FindProjectKey } from '#shared/encryption/project-key.ts';

/** The bucket of recordings and patient exports. */
export interface RecordingStore {
  /** Stores a stream of unknown length. When the stream fails, nothing is stored and its error is thrown. */
  put(key: string, body: AsyncIterable<Uint8Array>, contentType?: string): Promise<void>;
  /** The bytes as a stream; null if the object does not exist. */
  open(key: string): Promise<AsyncIterable<Uint8Array> | null>;
  /** Deletes a recording; a versioned bucket keeps it for some time. Succeeds if it is already gone. */
  delete(key: string): Promise<void>;
  /** Deletes a recording with all its versions, for good. Succeeds if it is already gone. */
  erase(key: string): Promise<void>;
}

export function recordingKey(projectId: string, callId: string): string {
  return `recordings/${projectId}/${callId}.wav`;
}

const partBytes = 8 * 1024 * 1024;

/**
 * A bucket. Holds at most two parts in memory, however long the recording. S3 encrypts each object with its project's
 * key; the object's own key names the project.
 */
export function bucketRecordingStore(
  bucket: string,
  projectKey: FindProjectKey,
  client: S3Client = new S3Client(objectLimits()),
): RecordingStore {
  return {
    async put(key, body, contentType = 'audio/wav') {
      const [, projectId = ''] = key.split('/');
      const own = await projectKey(projectId);
      const upload = new Upload({
        client,
        params: {
          Bucket: bucket,
          Key: key,
          Body: Readable.from(body),
          ContentType: contentType,
          // Without one, the bucket's key is used.
          ...(own === null ? {} : { ServerSideEncryption: 'aws:kms', SSEKMSKeyId: own.kmsKeyArn }),
        },
        partSize: partBytes,
        queueSize: 1,
      });
      await upload.done();
    },
    async open(key) {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
        return Body instanceof Readable ? Body : null;
      } catch (error) {
        if (error instanceof NoSuchKey) return null;
        throw error;
      }
    },
    async delete(key) {
      // The bucket keeps deleted objects for one more day.
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
    },
    async erase(key) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
      for (const VersionId of await versionsOf(client, bucket, key)) {
        await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key, VersionId }));
      }
    },
  };
}

/** Everything that the bucket has of an object, including delete markers. */
async function versionsOf(client: S3Client, bucket: string, key: string): Promise<string[]> {
  const found: string[] = [];
  let marker: { KeyMarker?: string; VersionIdMarker?: string } | null = {};
  while (marker !== null) {
    const page: ListObjectVersionsCommandOutput = await client.send(
      new ListObjectVersionsCommand({ Bucket: bucket, Prefix: key, ...marker }),
    );
    const versions = [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])];
    // The prefix also matches longer keys.
    found.push(
      ...versions.flatMap(({ Key, VersionId }) =>
        Key === key && VersionId !== undefined ? [VersionId] : [],
      ),
    );
    marker =
      page.NextKeyMarker === undefined || page.NextKeyMarker === ''
        ? null
        : { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker ?? '' };
  }
  return found;
}
