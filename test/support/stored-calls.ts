import type { Call } from '#shared/domain/call.ts';
import { isRecordingKnown } from '#shared/domain/recording.ts';
import { createCallItem } from '#shared/table/call.ts';
import type { Table } from '#shared/table/client.ts';
import { replaceRecordingItems } from '#shared/table/recording.ts';
import type { TransactionItem } from '#shared/table/transaction.ts';

/** A new call with its recording, as stored once something is known about it. */
export function storedCallItems(table: Table, call: Call): TransactionItem[] {
  const recorded = { ...call, recording: { ...call.recording, version: 1 } };
  return [
    createCallItem(table, call),
    ...(isRecordingKnown(call.recording)
      ? replaceRecordingItems(table, recorded, { isCallWritten: true })
      : []),
  ];
}
