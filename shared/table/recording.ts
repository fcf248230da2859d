import type { Call } from '#shared/domain/call.ts';
import { isRecordingKnown, noRecording, Recording, unknownRecording } from '#shared/domain/recording.ts';
import type { Table } from './client.ts';
import { dueIndexAttributes } from './indexes.ts';
import { withoutNulls } from './null-members.ts';
import { callKey, recordingKey } from './task-key.ts';
import type { TransactionItem } from './transaction.ts';
import { isNew, isVersion, itemCheck, itemDelete, itemPut, when } from './transaction-items.ts';

type Item = Readonly<Record<string, unknown>>;

/** A call's recording as stored, once something is known about it. */
function recordingItem({ id, task_id, project_id, updated_at, recording }: Call): Record<string, unknown> {
  const { due_at, leased_until, version, ...members } = recording;
  return withoutNulls({
    ...recordingKey(task_id, id),
    type: 'recording',
    // Beside the call in the index by its ID.
    call_pk: id,
    project_id,
    // Separate from the rest, which is in the index, so that a lease does not change the index.
    recording: withoutNulls(members),
    leased_until,
    version,
    updated_at,
    ...dueIndexAttributes(id, due_at),
  });
}

/**
 * Writes a call's recording if unchanged since it was read. Created only with its call, which is checked unless the
 * same transaction writes it.
 */
export function replaceRecordingItems(
  table: Table,
  next: Call,
  { isCallWritten }: { readonly isCallWritten: boolean },
): TransactionItem[] {
  const readVersion = next.recording.version - 1;
  const item = recordingItem(next);
  if (readVersion > 0) return [itemPut(table, item, isVersion({ version: readVersion }))];
  return [
    itemPut(table, item, isNew),
    // Otherwise it could outlive its call, which may be erased meanwhile.
    ...(isCallWritten
      ? []
      : [itemCheck(table, callKey(next.task_id, next.id), when('attribute_exists(pk)'))]),
  ];
}

/** Deletes what is stored of a call's recording, if it is as it was read. */
export function deleteRecordingItem(table: Table, { task_id, id, recording }: Call): TransactionItem {
  const { version } = recording;
  return itemDelete(table, recordingKey(task_id, id), version === 0 ? isNew : isVersion(recording));
}

/** A recording from its item, where a missing member means null. */
export function recordingFromItem({ recording, due_at, leased_until, version }: Item): Recording {
  return Recording.parse({ ...unknownRecording, ...Object(recording), due_at, leased_until, version });
}

/** The recording of a call without an item for it. */
export function recordingOfCallItem(call: Item): Recording {
  if (call.recording !== undefined) return recordingOfEarlierVersion(call);
  // An answered call is not completed before its recording is settled.
  return (call.completed_at ?? null) === null
    ? unknownRecording
    : noRecording('Nobody answered, so nothing was recorded.');
}

/** Earlier versions stored the recording in its call's item, with a shared due time. */
function recordingOfEarlierVersion({ recording, due_pk, due_at }: Item): Recording {
  const embedded = Recording.parse({ ...unknownRecording, ...Object(recording) });
  const isDue = String(due_pk).startsWith('DUE#') && isRecordingKnown(embedded);
  if (!isDue) return embedded;
  const due = { due_at: String(due_at) };
  // Any due time may be the end of a lease while there is something to fetch.
  return { ...embedded, ...due, leased_until: embedded.status === 'stored' ? null : due.due_at };
}
