import { batchGet } from './batch-get.ts';
import type { Table } from './client.ts';
import type { RowCheck } from './newest-first.ts';
import { metadataAttribute } from './to-seal.ts';

type Item = Record<string, unknown>;

/**
 * The items of rows read from an index, in their order, without those deleted since. Strongly consistent, so that none
 * is missing that the index has.
 *
 * @param attributes to read; default: all
 */
export async function wholeItems(
  table: Table,
  rows: readonly Item[],
  attributes?: readonly string[],
): Promise<Item[]> {
  const keys = rows.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) }));
  const items = await batchGet(table, keys, {
    ...(attributes === undefined ? {} : { attributes: ['pk', 'sk', ...attributes] }),
    consistently: true,
  });
  const byName = new Map(items.map((item) => [nameOf(item), item] as const));
  return rows.flatMap((row) => {
    const item = byName.get(nameOf(row));
    return item === undefined ? [] : [item];
  });
}

/** Keeps rows whose items have all of this metadata, which no index has; null for none to check. */
export function metadataCheck(table: Table, wanted: Readonly<Record<string, string>> = {}): RowCheck | null {
  const entries = Object.entries(wanted);
  if (entries.length === 0) return null;
  return async (rows) => {
    const items = await wholeItems(table, rows, [metadataAttribute]);
    const fitting = new Set(
      items.flatMap((item) => {
        const own = new Map(Object.entries(item[metadataAttribute] ?? {}));
        return entries.every(([name, value]) => own.get(name) === value) ? [nameOf(item)] : [];
      }),
    );
    return rows.filter((row) => fitting.has(nameOf(row)));
  };
}

function nameOf({ pk, sk }: Item): string {
  return `${pk} ${sk}`;
}
