import { objectLink } from '#shared/aws/object-link.ts';
import { objectUrl } from '#shared/aws/presign.ts';
import type { Table } from '#shared/table/client.ts';
import { findRecordingKey } from './find-recording.ts';

/** The host that browsers following such a link are redirected to: `https://host`. */
export async function recordingsOrigin(table: Table, bucket: string): Promise<string> {
  return objectUrl(bucket, '', await table.client.config.region()).origin;
}

/** A temporary URL of a call's recording; throws what `findRecordingKey` throws. */
export async function recordingLink(
  table: Table,
  bucket: string,
  callerProjectId: string,
  callId: string,
  { fileName }: { readonly fileName?: string } = {},
): Promise<string> {
  const key = await findRecordingKey(table, callerProjectId, callId);
  return objectLink(table.client.config, bucket, key, { fileName });
}
