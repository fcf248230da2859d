import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { Uuid } from '#shared/domain/identifiers.ts';
import { idempotencyKeyHash } from '#shared/idempotency/idempotent.ts';
import type { Table } from '#shared/table/client.ts';
import {
  createIdempotencyRecordItem,
  getIdempotencyRecord,
  type IdempotencyKey,
} from '#shared/table/idempotency.ts';
import { writeTransaction } from '#shared/table/transaction.ts';

function keyOf(projectId: string, id: string): IdempotencyKey {
  return { projectId, keyHash: idempotencyKeyHash(`dashboard result ${id}`, 'result') };
}

/** Remembers for 24 hours what a form did, so that Back and a reload show it without doing it again. Returns its ID. */
export async function keepResult(table: Table, projectId: string, result: object): Promise<string> {
  const id = randomUUID();
  const record = { request_hash: id, answer: JSON.stringify(result) };
  await writeTransaction(table, [
    createIdempotencyRecordItem(table, keyOf(projectId, id), record, new Date()),
  ]);
  return id;
}

/** The kept result; null for an unknown or expired ID. */
export async function readKeptResult<Result>(
  table: Table,
  projectId: string,
  id: string,
  schema: z.ZodMiniType<Result>,
): Promise<Result | null> {
  if (!Uuid.safeParse(id).success) return null;
  const record = await getIdempotencyRecord(table, keyOf(projectId, id), new Date());
  return record === null ? null : z.parse(schema, JSON.parse(record.answer));
}
