import * as z from 'zod/mini';
import { Uuid } from '#shared/domain/identifiers.ts';
import { Timestamp } from '#shared/domain/values.ts';
import type { Table } from './client.ts';
import { getItem } from './get-item.ts';
import { indexNames } from './indexes.ts';
import { prefixQuery, queryAll, queryPages } from './query-pages.ts';
import { writeTransaction } from './transaction.ts';
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

/** Null before the first block. Strongly consistent. */
export async function getChainHead(table: Table, projectId: string): Promise<ChainHead | null> {
  return getItem(table, { pk: chainPartition(projectId), sk: 'HEAD' }, ChainHead.parse);
}

/** Adds a block after `head`. Throws `TransactionConditionFailed` when another one is already there. */
export async function appendBlock(table: Table, head: ChainHead | null, block: AuditBlock): Promise<void> {
  const pk = chainPartition(block.project_id);
  await writeTransaction(table, [
    itemPut(
      table,
      {
        pk,
        sk: blockSortKey(block.sequence),
        type: 'audit-block',
        ...(block.sequence === 1 ? { project_pk: chainsPartition, project_sk: block.project_id } : {}),
        ...block,
      },
      isNew,
    ),
    itemPut(
      table,
      { pk, sk: 'HEAD', type: 'audit-chain-head', sequence: block.sequence, hash: block.hash },
      head === null ? isNew : when('#hash = :hash', { hash: head.hash }),
    ),
  ]);
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
    IndexName: indexNames.project,
    KeyConditionExpression: 'project_pk = :chains',
    ExpressionAttributeValues: { ':chains': chainsPartition },
  });
  return blocks.map(({ project_sk }) => String(project_sk));
}
