import type { Call } from '#shared/domain/call.ts';
import { isRecordingKnown, noRecording, Recording, unknownRecording } from '#shared/domain/recording.ts';
import type { Table } from './client.ts';
import { dueIndexAttributes } from './indexes.ts';
import { withoutNulls } from './null-members.ts';
import { callKey, recordingKey } from './task-key.ts';
import type { TransactionItem } from './transaction.ts';
import { isNew, isVersion, itemCheck, itemDelete, itemPut, when } from './transaction-items.ts';

type Item = Readonly<Record<string, unknown>>;

/** The recording of a call as it is stored, from the moment at which something is known of it. */
function recordingItem({ id, task_id, project_id, updated_at, recording }: Call): Record<string, unknown> {
  const { due_at, leased_until, version, ...members } = recording;
  return withoutNulls({
    ...recordingKey(task_id, id),
    type: 'recording',
    // Beside the call in the index by its identifier.
    call_pk: id,
    project_id,
    // Apart from the rest, which the index has, too, so that a lease does not change it.
    recording: withoutNulls(members),
    leased_until,
    version,
    updated_at,
    ...dueIndexAttributes(id, due_at),
  });
}

/**
 * Writes the recording of a call if it is unchanged since it was read. It is created only beside its call, which is
 * checked unless the same transaction writes it.
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
    // Else it could outlive its call, which is erased meanwhile.
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

/** A recording from its item, in which a member that is not there means null. */
export function recordingFromItem({ recording, due_at, leased_until, version }: Item): Recording {
  return Recording.parse({ ...unknownRecording, ...Object(recording), due_at, leased_until, version });
}

/** The recording of a call that has no item for it. */
export function recordingOfCallItem(call: Item): Recording {
  if (call.recording !== undefined) return recordingOfEarlierVersion(call);
  // One that was answered is not completed before its recording is settled.
  return (call.completed_at ?? null) === null
    ? unknownRecording
    : noRecording('Nobody answered, so nothing was recorded.');
}

/** Earlier versions kept the recording in the item of its call, whose due time was also that of its recording. */
function recordingOfEarlierVersion({ recording, due_pk, due_at }: Item): Recording {
  const embedded = Recording.parse({ ...unknownRecording, ...Object(recording) });
  const isDue = String(due_pk).startsWith('DUE#') && isRecordingKnown(embedded);
  if (!isDue) return embedded;
  const due = { due_at: String(due_at) };
  // Any due time may be the end of a lease as long as there is something to fetch.
  return { ...embedded, ...due, leased_until: embedded.status === 'stored' ? null : due.due_at };
}
