import { randomUUID } from 'node:crypto';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { Table } from '#shared/table/client.ts';
import type { PrimaryKey } from '#shared/table/primary-key.ts';
import {
  TransactionConditionFailed,
  type TransactionItem,
  writeTransaction,
} from '#shared/table/transaction.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { forThisFile, forThisTest } from '../../support/lifetime.ts';
import { losingFirstAnswer, type OnTheWay, startTableProxy } from '../../support/table-proxy.ts';

const embedded = await forThisFile(startEmbeddedTable());
const { table } = embedded;

type Write = (key: PrimaryKey) => TransactionItem;

const as = { TableName: table.name, ExpressionAttributeValues: { ':read': 1 } };
const ifAsRead = 'version = :read';

/** Writes on the condition that the item is unchanged since it was read; each of them changes it. */
const writes: Readonly<Record<string, Write>> = {
  replaces: (key) => ({
    Put: {
      ...as,
      Item: { ...key, version: 2, bytes: Buffer.from([1, 2]), list: [{ a: null }] },
      ConditionExpression: ifAsRead,
    },
  }),
  updates: (Key) => ({
    Update: {
      ...as,
      Key,
      UpdateExpression: 'SET version = :next, #name = :name REMOVE note',
      ConditionExpression: ifAsRead,
      ExpressionAttributeNames: { '#name': 'name' },
      ExpressionAttributeValues: { ':read': 1, ':next': 2, ':name': 'invented' },
    },
  }),
  'removes from': (Key) => ({
    Update: { ...as, Key, UpdateExpression: 'REMOVE version, note', ConditionExpression: ifAsRead },
  }),
  deletes: (Key) => ({ Delete: { ...as, Key, ConditionExpression: ifAsRead } }),
};

async function storedItem(): Promise<PrimaryKey> {
  const key = { pk: `ITEM#${randomUUID()}`, sk: 'ITEM' };
  const Item = { ...key, version: 1, note: 'x' };
  await table.client.send(new PutCommand({ TableName: table.name, Item }));
  return key;
}

async function seenThrough(onTheWay: OnTheWay): Promise<Table> {
  return (await forThisTest(startTableProxy(embedded, onTheWay))).table;
}

async function itemAt(key: PrimaryKey): Promise<Record<string, unknown> | undefined> {
  return (await table.client.send(new GetCommand({ TableName: table.name, Key: key }))).Item;
}

describe('a conditional write whose response is lost', () => {
  test.each(Object.entries(writes))('%s the item once, and is recognized as its own', async (_, write) => {
    const key = await storedItem();
    const lossy = await seenThrough(losingFirstAnswer());
    await writeTransaction(lossy, [write(key)]);
    expect((await itemAt(key))?.version).not.toBe(1);
  });

  test.each(Object.entries(writes))('%s nothing if another write came before the retry', async (_, write) => {
    const key = await storedItem();
    let isFirst = true;
    const lossy = await seenThrough(async (operation, forward, response) => {
      if (isFirst && operation !== 'GetItem') {
        isFirst = false;
        const theirs = { ...key, version: 2, note: 'theirs' };
        await table.client.send(new PutCommand({ TableName: table.name, Item: theirs }));
        response.destroy();
        return;
      }
      await forward();
    });
    await expect(writeTransaction(lossy, [write(key)])).rejects.toThrow(TransactionConditionFailed);
    expect(await itemAt(key)).toMatchObject({ note: 'theirs' });
  });

  test('succeeds once in a transaction, too', async () => {
    const [one, other] = [await storedItem(), await storedItem()];
    const lossy = await seenThrough(losingFirstAnswer());
    const { replaces, updates } = writes;
    if (replaces === undefined || updates === undefined) throw new Error('a write is missing');
    await writeTransaction(lossy, [replaces(one), updates(other)]);
    expect([await itemAt(one), await itemAt(other)]).toMatchObject([{ version: 2 }, { version: 2 }]);
  });
});
