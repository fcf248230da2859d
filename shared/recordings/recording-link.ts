import type { Table } from '#shared/table/client.ts';
import { findRecordingKey } from './find-recording.ts';
import { objectUrl, presignGet } from './presign.ts';

/** Long enough to begin a download, short enough that a leaked link is soon useless. */
const lifetimeSeconds = 300;

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
  return objectLink(table, bucket, await findRecordingKey(table, callerProjectId, callId), { fileName });
}

/** A temporary URL of an object in the recordings bucket. */
export async function objectLink(
  table: Table,
  bucket: string,
  key: string,
  { fileName }: { readonly fileName?: string | undefined } = {},
): Promise<string> {
  // The table client has the function's credentials and region.
  const { config } = table.client;
  return presignGet(objectUrl(bucket, key, await config.region()), config, {
    lifetimeSeconds,
    fileName,
  });
}
