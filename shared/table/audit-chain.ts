import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { Uuid } from '#shared/domain/identifiers.ts';
import { Timestamp } from '#shared/domain/values.ts';
import type { Table } from './client.ts';
import { getItem } from './get-item.ts';
import { indexNames } from './indexes.ts';
import type { PrimaryKey } from './primary-key.ts';
import { prefixQuery, queryAll, queryPages } from './query-pages.ts';
import { TransactionConditionFailed, writeTransaction } from './transaction.ts';
import { isNew, itemPut, when } from './transaction-items.ts';

/** SHA-256 in hexadecimal digits. */
const Hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));

/**
 * Seals audit entries of a project. Each block names the hash of the one before, so none can be changed
 * alone.
 */
export const AuditBlock = z.object({
  project_id: Uuid,
  /** From 1 without gaps. */
  sequence: z.int(),
  /** Of the block before; 64 zeros for the first one. */
  previous_hash: Hash,
  entries: z.array(z.object({ id: Uuid, hash: Hash })),
  sealed_at: Timestamp,
  /** Of everything above. */
  hash: Hash,
});
export type AuditBlock = z.infer<typeof AuditBlock>;

/** The part of a project's newest block that the next one needs. */
export const ChainHead = z.pick(AuditBlock, { sequence: true, hash: true });
export type ChainHead = z.infer<typeof ChainHead>;

/** Finds the projects with a chain. Contains only first blocks, so that it is written once per project. */
const chainsPartition = 'AUDITCHAIN';

function chainPartition(projectId: string): string {
  return `AUDITCHAIN#${projectId}`;
}

function blockSortKey(sequence: number): string {
  return `BLOCK#${String(sequence).padStart(12, '0')}`;
}

/** The end of the chain as far as its head tells, which shows that newer blocks were removed. Strongly consistent. */
export async function getChainHead(table: Table, projectId: string): Promise<ChainHead | null> {
  return getItem(table, headKey(projectId), ChainHead.parse);
}

/** The newest block; null before the first. Strongly consistent. */
export async function getNewestBlock(table: Table, projectId: string): Promise<ChainHead | null> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      ...prefixQuery(chainPartition(projectId), 'BLOCK#'),
      ScanIndexForward: false,
      Limit: 1,
    }),
  );
  const [newest] = Items;
  return newest === undefined ? null : ChainHead.parse(newest);
}

/**
 * Adds a block after the newest one. Throws `TransactionConditionFailed` when another one is already there. The head
 * follows in a write of its own, because a transaction costs twice: it may lag, but never leads or goes back.
 */
export async function appendBlock(table: Table, block: AuditBlock): Promise<void> {
  const { project_id, sequence, hash } = block;
  await writeTransaction(table, [
    itemPut(
      table,
      {
        pk: chainPartition(project_id),
        sk: blockSortKey(sequence),
        type: 'audit-block',
        ...(sequence === 1 ? { project_pk: chainsPartition, project_sk: project_id } : {}),
        ...block,
      },
      isNew,
    ),
  ]);
  const head = itemPut(
    table,
    { ...headKey(project_id), type: 'audit-chain-head', sequence, hash },
    when('attribute_not_exists(pk) OR #sequence < :sequence', { sequence }),
  );
  try {
    await writeTransaction(table, [head]);
  } catch (error) {
    // A later block's head is already there.
    if (!(error instanceof TransactionConditionFailed)) throw error;
  }
}

function headKey(projectId: string): PrimaryKey {
  return { pk: chainPartition(projectId), sk: 'HEAD' };
}

/** The blocks of a project as they are stored, in their order. */
export async function* chainItems(table: Table, projectId: string): AsyncGenerator<Record<string, unknown>> {
  yield* itemsOf(table, chainPartition(projectId), 'BLOCK#');
}

/** The audit entries of a project as they are stored, the oldest first. */
export async function* auditItems(table: Table, projectId: string): AsyncGenerator<Record<string, unknown>> {
  yield* itemsOf(table, `AUDIT#${projectId}`, 'AUDIT#');
}

async function* itemsOf(table: Table, pk: string, prefix: string): AsyncGenerator<Record<string, unknown>> {
  for await (const page of queryPages(table, prefixQuery(pk, prefix))) yield* page;
}

/** The projects that have a chain. Eventually consistent. */
export async function listChains(table: Table): Promise<string[]> {
  const blocks = await queryAll(table, {
    IndexName: indexNames.rows,
    KeyConditionExpression: 'project_pk = :chains',
    ExpressionAttributeValues: { ':chains': chainsPartition },
  });
  return blocks.map(({ project_sk }) => String(project_sk));
}
