import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod/mini';
import { objectLimits } from '#shared/aws/client-limits.ts';
import { AuditBlock } from '#shared/table/audit-chain.ts';

/** A block with its entries as they were when sealed. */
export const AuditCopy = z.object({ block: AuditBlock, entries: z.array(z.record(z.string(), z.unknown())) });
export type AuditCopy = z.infer<typeof AuditCopy>;

/** Copies of the audit log, out of reach of anyone who can write to the table. */
export interface AuditCopies {
  put(copy: AuditCopy): Promise<void>;
  /** All copies of a project, in block order. */
  list(projectId: string): AsyncGenerator<AuditCopy>;
}

const prefixOf = (projectId: string): string => `audit/${projectId}/`;

/** A bucket. Two blocks competing for one place in the chain have two copies, because the hash is part of the key. */
export function bucketAuditCopies(
  bucket: string,
  client: S3Client = new S3Client(objectLimits()),
): AuditCopies {
  return {
    async put(copy) {
      const { project_id, sequence, hash } = copy.block;
      await client.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: `${prefixOf(project_id)}${String(sequence).padStart(12, '0')}-${hash}.json`,
          Body: JSON.stringify(copy),
          ContentType: 'application/json',
          // A bucket with Object Lock takes no object without a checksum.
          ChecksumAlgorithm: 'SHA256',
        }),
      );
    },
    async *list(projectId) {
      let token: string | undefined;
      do {
        const page = await client.send(
          new ListObjectsV2Command({
            Bucket: bucket,
            Prefix: prefixOf(projectId),
            ContinuationToken: token,
          }),
        );
        for (const { Key } of page.Contents ?? []) {
          const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key }));
          yield AuditCopy.parse(JSON.parse((await Body?.transformToString()) ?? ''));
        }
        token = page.NextContinuationToken;
      } while (token !== undefined);
    },
  };
}
