import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import {
  coversNumber,
  DirectoryEntry,
  type DirectoryOwner,
  operatorDirectory,
} from '#shared/domain/directory-entry.ts';
import { Timestamp } from '#shared/domain/values.ts';
import type { Table } from './client.ts';
import { getItem } from './get-item.ts';
import type { PrimaryKey } from './primary-key.ts';
import { queryPrefix } from './query-pages.ts';
import type { TransactionItem } from './transaction.ts';
import { asRead, isVersion, itemDelete, itemPut } from './transaction-items.ts';

const entryPrefix = 'LINE#';
const changePrefix = 'LINECHANGE#';
const versionSortKey = 'LINES';

function ownerPartition(owner: DirectoryOwner): string {
  return owner === operatorDirectory ? operatorDirectory : `PROJECT#${owner}`;
}

/** Sorts by length, then number: the entry that covers a number is the last one at or before it. */
function entryKey(owner: DirectoryOwner, phoneNumber: string): PrimaryKey {
  const length = String(phoneNumber.length).padStart(2, '0');
  return { pk: ownerPartition(owner), sk: `${entryPrefix}${length}#${phoneNumber}` };
}

function ownerOf({ project_id }: Pick<DirectoryEntry, 'project_id'>): DirectoryOwner {
  return project_id ?? operatorDirectory;
}

/** Holds when the entry is unchanged since it was read; null for none. */
export function putDirectoryEntryItem(
  table: Table,
  previous: DirectoryEntry | null,
  next: DirectoryEntry,
): TransactionItem {
  const key = entryKey(ownerOf(next), next.phone_number);
  return itemPut(table, { ...key, type: 'directory-entry', ...next }, asRead(previous));
}

/** Holds when the entry is unchanged since it was read. */
export function deleteDirectoryEntryItem(table: Table, previous: DirectoryEntry): TransactionItem {
  return itemDelete(table, entryKey(ownerOf(previous), previous.phone_number), asRead(previous));
}

/**
 * The owner's entries that cover these numbers, by number. Reads backwards from the highest number, so that numbers
 * without entries between them share a request. Eventually consistent: changes take effect after a moment.
 */
export async function findDirectoryEntries(
  table: Table,
  owner: DirectoryOwner,
  phoneNumbers: readonly string[],
): Promise<Map<string, DirectoryEntry>> {
  const found = new Map<string, DirectoryEntry>();
  let open = phoneNumbers
    .map((number) => ({ number, ...entryKey(owner, number) }))
    .sort((one, other) => (one.sk < other.sk ? 1 : -1));
  for (let [highest] = open; highest !== undefined; [highest] = open) {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :number',
        ExpressionAttributeValues: { ':pk': highest.pk, ':first': entryPrefix, ':number': highest.sk },
        ScanIndexForward: false,
        Limit: open.length,
      }),
    );
    const entries = Items.map((item) => ({ sk: String(item.sk), entry: DirectoryEntry.parse(item) }));
    const unread = [];
    for (const wanted of open) {
      const before = entries.find(({ sk }) => sk <= wanted.sk);
      if (before === undefined) unread.push(wanted);
      else if (coversNumber(before.entry, wanted.number)) found.set(wanted.number, before.entry);
    }
    open = LastEvaluatedKey === undefined ? [] : unread;
  }
  return found;
}

/** All entries of an owner, by number. */
export async function listDirectory(table: Table, owner: DirectoryOwner): Promise<DirectoryEntry[]> {
  const items = await queryPrefix(table, ownerPartition(owner), entryPrefix);
  return items.map((item) => DirectoryEntry.parse(item));
}

const DirectoryVersion = z.object({ version: z.number() });
export type DirectoryVersion = z.infer<typeof DirectoryVersion>;

/** Counts what was saved in a directory; null before the first time. Strongly consistent. */
export async function readDirectoryVersion(
  table: Table,
  owner: DirectoryOwner,
): Promise<DirectoryVersion | null> {
  return getItem(table, { pk: ownerPartition(owner), sk: versionSortKey }, DirectoryVersion.parse);
}

/** Holds when nothing was saved in the directory since this version was read. */
export function nextDirectoryVersionItem(
  table: Table,
  owner: DirectoryOwner,
  read: DirectoryVersion | null,
): TransactionItem {
  const next = { type: 'directory-version', version: (read?.version ?? 0) + 1 };
  return itemPut(table, { pk: ownerPartition(owner), sk: versionSortKey, ...next }, isVersion(read));
}

/** Who changed an operator's entry. Kept apart because no project's audit log covers it. */
export const DirectoryChange = z.object({
  at: Timestamp,
  by: z.string(),
  action: z.enum(['destination.saved', 'destination.removed']),
  before: z.nullable(DirectoryEntry),
  after: z.nullable(DirectoryEntry),
});
export type DirectoryChange = z.infer<typeof DirectoryChange>;

export function directoryChangeItem(table: Table, id: string, change: DirectoryChange): TransactionItem {
  return itemPut(table, {
    pk: operatorDirectory,
    sk: `${changePrefix}${id}`,
    type: 'directory-change',
    ...change,
  });
}

/** All changes of the operator's directory, newest first. */
export async function listDirectoryChanges(table: Table): Promise<DirectoryChange[]> {
  const items = await queryPrefix(table, operatorDirectory, changePrefix, { ScanIndexForward: false });
  return items.map((item) => DirectoryChange.parse(item));
}
