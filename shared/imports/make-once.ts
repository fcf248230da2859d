import * as z from 'zod/mini';
import { Uuid } from '#shared/domain/identifiers.ts';
import type { Table } from '#shared/table/client.ts';
import { createIdempotencyRecordItem, getIdempotencyRecord } from '#shared/table/idempotency.ts';
import type { Alongside } from '#shared/table/transaction.ts';
import { importedKey, rememberedSeconds } from './row-keys.ts';

/** What a row has made, and as which row of which import. */
export const MadeByRow = z.object({ id: Uuid, import_id: Uuid, row: z.int() });
export type MadeByRow = z.infer<typeof MadeByRow>;

export interface RowToMake {
  readonly projectId: string;
  readonly importId: string;
  readonly row: number;
  /** As `rowKey` makes it. */
  readonly key: string;
}

/** What was made under the key in the last 30 days; null for nothing. */
export async function findMade(
  table: Table,
  { projectId, key }: Pick<RowToMake, 'projectId' | 'key'>,
  now: Date,
): Promise<MadeByRow | null> {
  const record = await getIdempotencyRecord(table, importedKey(projectId, key), now);
  return record === null ? null : MadeByRow.parse(JSON.parse(record.answer));
}

/**
 * Makes something unless it has been made under the same key in the last 30 days. Throws what `make` throws.
 *
 * @param make must write what `remember` makes before all else in the transaction of what it does
 */
export async function makeOnce(
  table: Table,
  { projectId, importId, row, key }: RowToMake,
  now: Date,
  make: (remember: Alongside<{ readonly id: string }>) => Promise<unknown>,
): Promise<MadeByRow> {
  const made = (id: string): MadeByRow => ({ id, import_id: importId, row });
  let id = '';
  try {
    await make((thing) => {
      id = thing.id;
      const record = { request_hash: key, answer: JSON.stringify(made(id)) };
      return [
        createIdempotencyRecordItem(table, importedKey(projectId, key), record, now, rememberedSeconds),
      ];
    });
    return made(id);
  } catch (error) {
    const earlier = await findMade(table, { projectId, key }, now);
    if (earlier === null) throw error;
    return earlier;
  }
}
