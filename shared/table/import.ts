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

/** Earlier versions did not count erasures. */
const rowsAsRead = 'next_part = :part AND (attribute_not_exists(erasures) OR erasures = :erasures)';

/**
 * Stores the results of a part and advances to the next. Holds for the first worker to finish the part, unless rows
 * were erased since it read them.
 */
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
        ConditionExpression: rowsAsRead,
        ExpressionAttributeNames: { '#counts': 'counts' },
        ExpressionAttributeValues: {
          ':part': one.next_part,
          ':erasures': one.erasures,
          ':next': one.next_part + 1,
          ':rows': rows.length,
          ...Object.fromEntries(added.map(([, count], at) => [`:c${at}`, count])),
        },
      },
    },
    replaceRowsItem(table, one, one.next_part, rows),
  ];
}

/**
 * Replaces a part with one whose rows about a patient are emptied. Holds while no rows changed since they were read.
 *
 * @param skipped how many more rows will not be imported
 */
export function erasePartItems(
  table: Table,
  one: Import,
  part: number,
  { rows, skipped }: { readonly rows: readonly ImportRow[]; readonly skipped: number },
): TransactionItem[] {
  const { next_part, erasures } = one;
  return [
    itemUpdate(table, importKey(one), {
      change: 'SET erasures = :next, bad_rows = bad_rows + :skipped',
      condition: rowsAsRead,
      values: { part: next_part, erasures, next: erasures + 1, skipped },
    }),
    replaceRowsItem(table, one, part, rows),
  ];
}

function replaceRowsItem(
  table: Table,
  one: Import,
  part: number,
  rows: readonly ImportRow[],
): TransactionItem {
  return itemUpdate(table, partKey(one, part), {
    change: 'SET #rows = :rows',
    condition: 'attribute_exists(pk)',
    values: { rows: sealPacked(one.project_id, 'rows', rows) },
  });
}

/** Deletes the rows of an import; its own item is erased with the project. */
export function deleteImportRows(table: Table, id: string): Promise<void> {
  return deletePartition(table, `${prefixes.import}${id}`);
}
