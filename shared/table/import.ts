import { Import, type ImportCounts, ImportRow } from '#shared/domain/import.ts';
import type { Table } from './client.ts';
import { createItem, putItem } from './create-item.ts';
import { deletePartition } from './delete-items.ts';
import { getItem } from './get-item.ts';
import { dueIndexAttributes } from './indexes.ts';
import { unpack } from './packed.ts';
import type { PrimaryKey } from './primary-key.ts';
import { queryPages, queryPrefix } from './query-pages.ts';
import { isExpired } from './time-to-live.ts';
import { sealPacked } from './to-seal.ts';
import type { TransactionItem } from './transaction.ts';
import { itemUpdate, updateIf } from './transaction-items.ts';

const prefixes = { project: 'PROJECT#', import: 'IMPORT#' } as const;

/** The import's item is in the project's partition, so that it is erased with the project. */
export interface ImportName {
  readonly project_id: string;
  readonly id: string;
}

function importKey({ project_id, id }: ImportName): PrimaryKey {
  return { pk: `${prefixes.project}${project_id}`, sk: `${prefixes.import}${id}` };
}

/** The import of an item's key. */
export function importOfKey({ pk, sk }: PrimaryKey): ImportName {
  return { project_id: pk.slice(prefixes.project.length), id: sk.slice(prefixes.import.length) };
}

/** Rows are stored in parts, each within the item size. */
function partKey({ id }: Pick<ImportName, 'id'>, part: number): PrimaryKey {
  return { pk: `${prefixes.import}${id}`, sk: `PART#${String(part).padStart(4, '0')}` };
}

/** Written last, because an import needs its rows. */
export async function putImport(table: Table, one: Import): Promise<void> {
  await createItem(table, { ...importKey(one), type: 'import', ...one });
}

export async function putImportPart(
  table: Table,
  one: Import,
  part: number,
  rows: readonly ImportRow[],
): Promise<void> {
  await putItem(table, {
    ...partKey(one, part),
    type: 'import-part',
    rows: sealPacked(one.project_id, 'rows', rows),
    expires_at_seconds: one.expires_at_seconds,
  });
}

/** Strongly consistent; null for an expired import. */
export async function getImport(table: Table, name: ImportName, now: Date): Promise<Import | null> {
  const one = await getItem(table, importKey(name), Import.parse);
  return one === null || isExpired(one, now.getTime()) ? null : one;
}

/** A project's imports, newest first. */
export async function listImports(table: Table, projectId: string, now: Date): Promise<Import[]> {
  const items = await queryPrefix(table, `${prefixes.project}${projectId}`, prefixes.import, {
    ScanIndexForward: false,
  });
  return items.map((item) => Import.parse(item)).filter((one) => !isExpired(one, now.getTime()));
}

export async function getImportPart(
  table: Table,
  name: Pick<ImportName, 'id'>,
  part: number,
): Promise<ImportRow[]> {
  const rows = await getItem(table, partKey(name, part), toRows);
  if (rows === null) throw new Error('an import has lost some of its rows');
  return rows;
}

/** All rows in order, read a few parts at a time. */
export async function* importRows(table: Table, { id }: Pick<ImportName, 'id'>): AsyncGenerator<ImportRow[]> {
  const pages = queryPages(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': `${prefixes.import}${id}` },
    ConsistentRead: true,
  });
  for await (const page of pages) yield page.flatMap(toRows);
}

function toRows(item: Record<string, unknown>): ImportRow[] {
  const rows = unpack(item.rows);
  return Array.isArray(rows) ? rows.map((row) => ImportRow.parse(row)) : [];
}

/**
 * Changes an import unless its status has changed since it was read: one that was stopped meanwhile stays stopped.
 * Returns whether it was changed.
 *
 * @param dueAt when the lease expires and the sweeper steps in
 */
export function changeImport(
  table: Table,
  read: Import,
  change: Partial<Pick<Import, 'status' | 'started_by' | 'stopped_because'>>,
  dueAt: Date | null,
): Promise<boolean> {
  const set = { ...change, ...dueIndexAttributes(read.id, dueAt?.toISOString() ?? null) };
  const names = Object.keys(set).map((name) => `#${name} = :${name}`);
  return updateIf(table, importKey(read), {
    change: `SET ${names.join(', ')}${dueAt === null ? ' REMOVE due_pk, due_at' : ''}`,
    condition: '#status = :read',
    values: { ...set, read: read.status },
  });
}

/** Stores the results of a part and advances to the next. Holds for the first worker to finish the part. */
export function finishPartItems(
  table: Table,
  one: Import,
  rows: readonly ImportRow[],
  counts: ImportCounts,
): TransactionItem[] {
  const added = Object.entries(counts);
  return [
    {
      Update: {
        TableName: table.name,
        Key: importKey(one),
        UpdateExpression: `SET next_part = :next, rows_done = rows_done + :rows, ${added
          .map(([name], at) => `#counts.${name} = #counts.${name} + :c${at}`)
          .join(', ')}`,
        ConditionExpression: 'next_part = :part',
        ExpressionAttributeNames: { '#counts': 'counts' },
        ExpressionAttributeValues: {
          ':part': one.next_part,
          ':next': one.next_part + 1,
          ':rows': rows.length,
          ...Object.fromEntries(added.map(([, count], at) => [`:c${at}`, count])),
        },
      },
    },
    itemUpdate(table, partKey(one, one.next_part), {
      change: 'SET #rows = :rows',
      condition: 'attribute_exists(pk)',
      values: { rows: sealPacked(one.project_id, 'rows', rows) },
    }),
  ];
}

/** Deletes the rows of an import; its own item is erased with the project. */
export function deleteImportRows(table: Table, id: string): Promise<void> {
  return deletePartition(table, `${prefixes.import}${id}`);
}
