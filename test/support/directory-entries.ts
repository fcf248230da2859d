import type { DirectoryEntry } from '#shared/domain/directory-entry.ts';
import type { Table } from '#shared/table/client.ts';
import { putDirectoryEntryItem } from '#shared/table/directory.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { sampleTime } from './sample-tasks.ts';

/** An operator's entry for a payer's line of which nothing else is known. */
export function directoryEntry(phone_number: string, changes: Partial<DirectoryEntry> = {}): DirectoryEntry {
  return {
    project_id: null,
    phone_number,
    last_phone_number: null,
    name: 'Example Health',
    kind: 'payer',
    hours: null,
    max_hold_minutes: null,
    max_call_minutes: null,
    concurrent_calls: null,
    updated_by: 'kim',
    updated_at: sampleTime,
    ...changes,
  };
}

export async function storeEntry(
  table: Table,
  phoneNumber: string,
  changes: Partial<DirectoryEntry> = {},
): Promise<void> {
  const entry = directoryEntry(phoneNumber, changes);
  await writeTransaction(table, [putDirectoryEntryItem(table, null, entry)]);
}
