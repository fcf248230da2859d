import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { toEntry } from '#shared/audit/access-entry.ts';
import { callClaimed, patientSeen, patientsSeen, recordingSeen } from '#shared/audit/actions.ts';
import { nextBlock } from '#shared/audit/audit-chain.ts';
import { bucketAuditCopies } from '#shared/audit/audit-copies.ts';
import { keepEntries } from '#shared/audit/keep-entries.ts';
import { verifyChain } from '#shared/audit/verify-chain.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { auditItems, chainItems } from '#shared/table/audit-chain.ts';
import { listPatientAccess, writeAuditEntry } from '#shared/table/audit-log.ts';
import { createCallItem } from '#shared/table/call.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { startEmbeddedQueues } from '../../support/embedded-queues.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { sampleCall, sampleTask } from '../../support/sample-tasks.ts';

const [tables, stores] = await Promise.all([
  forThisFile(startEmbeddedTable()),
  forThisFile(startEmbeddedQueues()),
]);
stores.createBucket('audit');

const doer = { actor: { kind: 'api-key', id: uuidv7() }, origin: null } as const;
const start = new Date('2026-11-23T09:00:00.000Z');
const later = new Date(start.getTime() + 60 * 60_000);

interface Kept {
  readonly projectId: string;
  readonly services: Parameters<typeof keepEntries>[0];
  /** Identifiers of the entries, oldest first. */
  readonly ids: readonly string[];
  verify(): ReturnType<typeof verifyChain>;
}

/** A project with five entries, sealed in two blocks. */
async function kept(): Promise<Kept> {
  const { table } = tables;
  const copies = bucketAuditCopies('audit', stores.s3);
  const services = { table, copies };
  const projectId = uuidv7();
  for (let number = 0; number < 5; number += 1) {
    await writeAuditEntry(
      table,
      toEntry(doer, projectId, patientSeen(uuidv7()), new Date(start.getTime() + number * 1000)),
    );
  }
  const items = await all(auditItems(table, projectId));
  await keepEntries(services, items.slice(0, 3), () => start);
  await keepEntries(services, items.slice(3), () => start);
  return {
    projectId,
    services,
    ids: items.map(({ id }) => String(id)),
    verify: () => verifyChain(services, projectId, later),
  };
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

function auditKey(projectId: string, id: string | undefined) {
  return { pk: `AUDIT#${projectId}`, sk: `AUDIT#${id}` };
}

describe('an untouched audit log', () => {
  test('is proven complete: every entry is sealed, and every block is copied', async () => {
    const { verify } = await kept();
    expect(await verify()).toMatchObject({
      entries: 5,
      blocks: 2,
      copies: 2,
      unsealed_before_chain: 0,
      not_yet_sealed: 0,
      problems: [],
    });
  });

  test('stays complete after a batch is processed twice', async () => {
    const { services, projectId, verify } = await kept();
    const items = await all(auditItems(tables.table, projectId));
    await keepEntries(services, items.slice(1, 4), () => start);
    expect(await verify()).toMatchObject({ entries: 5, blocks: 3, problems: [] });
  });

  test('is one chain with several concurrent keepers', async () => {
    const { services, projectId, verify } = await kept();
    const items = await all(auditItems(tables.table, projectId));
    await Promise.all(items.map((item) => keepEntries(services, [item], () => start)));
    expect(await verify()).toMatchObject({ entries: 5, blocks: 7, problems: [] });
  });

  test('is continued after a keeper that died before the head followed its block', async () => {
    const { services, projectId, verify } = await kept();
    const { table } = tables;
    await table.client.send(
      new DeleteCommand({ TableName: table.name, Key: { pk: `AUDITCHAIN#${projectId}`, sk: 'HEAD' } }),
    );
    expect(await verify()).toMatchObject({ blocks: 2, problems: [] });
    const items = await all(auditItems(table, projectId));
    await keepEntries(services, items.slice(0, 1), () => start);
    expect(await verify()).toMatchObject({ blocks: 3, problems: [] });
  });

  test('may have entries from before sealing, and unsealed new ones', async () => {
    const { projectId, verify } = await kept();
    const { table } = tables;
    for (const at of [new Date(start.getTime() - 60_000), new Date(later.getTime() - 60_000)]) {
      await writeAuditEntry(table, toEntry(doer, projectId, patientSeen(uuidv7()), at));
    }
    expect(await verify()).toMatchObject({ unsealed_before_chain: 1, not_yet_sealed: 1, problems: [] });
  });
});

describe('38: a tampered audit log', () => {
  test('shows one changed byte of an entry', async () => {
    const { projectId, ids, verify } = await kept();
    await tables.table.client.send(
      new UpdateCommand({
        TableName: tables.table.name,
        Key: auditKey(projectId, ids[1]),
        UpdateExpression: 'SET #at = :at',
        ExpressionAttributeNames: { '#at': 'at' },
        ExpressionAttributeValues: { ':at': '2026-11-23T09:00:02.000Z' },
      }),
    );
    expect((await verify()).problems).toEqual([
      `Entry ${ids[1]} differs from what was sealed`,
      `Entry ${ids[1]} differs from its copy`,
    ]);
  });

  test('shows a removed entry', async () => {
    const { projectId, ids, verify } = await kept();
    await tables.table.client.send(
      new DeleteCommand({ TableName: tables.table.name, Key: auditKey(projectId, ids[4]) }),
    );
    expect((await verify()).problems[0]).toBe(`Entry ${ids[4]} is missing`);
  });

  test('shows an inserted entry', async () => {
    const { projectId, verify } = await kept();
    const forged = toEntry(doer, projectId, patientSeen(uuidv7()), new Date(start.getTime() + 1));
    await writeAuditEntry(tables.table, forged);
    expect((await verify()).problems).toEqual([`Entry ${forged.id} was never sealed`]);
  });

  test('shows a removed or changed block', async () => {
    const { projectId, verify } = await kept();
    const [first, second] = await all(chainItems(tables.table, projectId));
    const { table } = tables;
    await table.client.send(
      new PutCommand({ TableName: table.name, Item: { ...second, sealed_at: '2026-11-24T09:00:00.000Z' } }),
    );
    expect((await verify()).problems).toContain('Block 2 does not match its hash');
    await table.client.send(
      new DeleteCommand({ TableName: table.name, Key: { pk: first?.pk, sk: first?.sk } }),
    );
    expect((await verify()).problems).toContain('Block 2 does not follow block 0');
  });

  test('shows that the newest block was removed', async () => {
    const { projectId, verify } = await kept();
    const { table } = tables;
    const newest = (await all(chainItems(table, projectId))).at(-1);
    await table.client.send(
      new DeleteCommand({ TableName: table.name, Key: { pk: newest?.pk, sk: newest?.sk } }),
    );
    expect((await verify()).problems).toContain('The chain ends with block 1, but its head is block 2');
  });

  test('shows, by the copies, a chain rebuilt around a changed entry', async () => {
    const { projectId, ids, verify } = await kept();
    const { table } = tables;
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: auditKey(projectId, ids[0]),
        UpdateExpression: 'SET source_ip = :ip',
        ExpressionAttributeValues: { ':ip': '192.0.2.1' },
      }),
    );
    for (const { pk, sk } of await all(chainItems(table, projectId))) {
      await table.client.send(new DeleteCommand({ TableName: table.name, Key: { pk, sk } }));
    }
    const entries = (await all(auditItems(table, projectId))).map((stored) => ({
      id: String(stored.id),
      stored,
    }));
    const block = nextBlock(projectId, null, entries, start);
    const pk = `AUDITCHAIN#${projectId}`;
    for (const Item of [
      { pk, sk: 'BLOCK#000000000001', ...block },
      { pk, sk: 'HEAD', sequence: 1, hash: block.hash },
    ]) {
      await table.client.send(new PutCommand({ TableName: table.name, Item }));
    }
    expect((await verifyChain({ table, copies: null }, projectId, later)).problems).toEqual([]);
    expect((await verify()).problems).toEqual([
      `Entry ${ids[0]} differs from its copy`,
      '1 blocks have no copy',
    ]);
  });
});

describe('who saw a patient', () => {
  test('takes one query, for every kind of access', async () => {
    const { table } = tables;
    const projectId = uuidv7();
    const task = sampleTask({ id: projectId });
    const call = sampleCall(task);
    await writeTransaction(table, [createTaskItem(table, task), createCallItem(table, call)]);
    const others = [{ id: uuidv7() }, { id: task.patient_id }];
    const deeds = [patientsSeen(projectId, others), callClaimed(call), recordingSeen(call.id)];
    for (const [second, deed] of deeds.entries()) {
      await writeAuditEntry(table, toEntry(doer, projectId, deed, new Date(start.getTime() + second * 1000)));
    }
    const services = { table, copies: bucketAuditCopies('audit', stores.s3) };
    await keepEntries(services, await all(auditItems(table, projectId)));
    const page = await listPatientAccess(table, projectId, task.patient_id, { limit: 10, before: null });
    expect(page.items.map(({ action }) => action)).toEqual([
      'recording.viewed',
      'call.claimed',
      'patients.listed',
    ]);
    // The others in the list do not matter here.
    expect(JSON.stringify(page.items)).not.toContain(others[0]?.id);
  });
});
