import { ServiceError } from '#shared/domain/errors.ts';
import type { Recording } from '#shared/domain/recording.ts';
import { findCall, getCall } from '#shared/table/call.ts';
import type { Table } from '#shared/table/client.ts';
import { taskIdOfKey } from '#shared/table/task-key.ts';

/**
 * The key of a call's recording in the bucket. Throws the same `not_found` for another project's call as for an
 * unknown one, and for a call without a recording (yet).
 */
export async function findRecordingKey(
  table: Table,
  callerProjectId: string,
  callId: string,
): Promise<string> {
  const found = await findCall(table, callId);
  if (found === null || found.project_id !== callerProjectId) {
    throw new ServiceError('not_found', 'Call not found');
  }
  const key = storedKey(found.recording);
  if (key !== null) return key;
  // The index may lag behind, but a client that just got the webhook must get the recording.
  const call = await getCall(table, taskIdOfKey(found), callId);
  const newestKey = call === null ? null : storedKey(call.recording);
  if (newestKey === null) throw new ServiceError('not_found', 'Recording not found');
  return newestKey;
}

function storedKey(recording: Recording): string | null {
  return recording.status === 'stored' ? recording.key : null;
}
