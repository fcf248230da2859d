import type { Table } from '#shared/table/client.ts';
import { findRecordingKey } from './find-recording.ts';
import { objectUrl, presignGet } from './presign.ts';

/** Long enough to begin a download, short enough that a leaked link is soon worth nothing. */
const lifetimeSeconds = 300;

/** Where browsers that follow such a link are sent to: `https://host`. */
export async function recordingsOrigin(table: Table, bucket: string): Promise<string> {
  return objectUrl(bucket, '', await table.client.config.region()).origin;
}

/** A temporary address of a call's recording; throws what `findRecordingKey` throws. */
export async function recordingLink(
  table: Table,
  bucket: string,
  callerProjectId: string,
  callId: string,
  { fileName }: { readonly fileName?: string } = {},
): Promise<string> {
  return objectLink(table, bucket, await findRecordingKey(table, callerProjectId, callId), { fileName });
}

/** A temporary URL of an object in the recordings bucket. */
export async function objectLink(
  table: Table,
  bucket: string,
  key: string,
  { fileName }: { readonly fileName?: string | undefined } = {},
): Promise<string> {
  // The credentials and the region of the table's client are those of the function.
  const { config } = table.client;
  return presignGet(objectUrl(bucket, key, await config.region()), config, {
    lifetimeSeconds,
    fileName,
  });
}
