import { expect, test } from 'vitest';
import {
  refusedAs,
  TransactionConditionFailed,
  type TransactionItem,
  writeTransaction,
} from '#shared/table/transaction.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { forThisFile } from '../../support/lifetime.ts';

const embedded = await forThisFile(startEmbeddedTable());

function newItem(pk: string): TransactionItem {
  return {
    Put: {
      TableName: embedded.table.name,
      Item: { pk, sk: 'ITEM' },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

test.each([
  ['one item', (pk: string) => [newItem(pk)]],
  ['several items', (pk: string) => [newItem(pk), newItem(`${pk} too`)]],
])('%s with a false condition is refused the same way', async (name, itemsOf) => {
  await writeTransaction(embedded.table, itemsOf(name));
  await expect(writeTransaction(embedded.table, itemsOf(name))).rejects.toMatchObject({
    name: 'TransactionConditionFailed',
    failed: expect.arrayContaining([0]),
  });
  const refused = itemsOf(name).map((item) => refusedAs(item, () => new RangeError('taken')));
  await expect(writeTransaction(embedded.table, refused)).rejects.toThrow(RangeError);
});

test('a check alone is also performed', async () => {
  const check: TransactionItem = {
    ConditionCheck: {
      TableName: embedded.table.name,
      Key: { pk: 'missing', sk: 'ITEM' },
      ConditionExpression: 'attribute_exists(pk)',
    },
  };
  await expect(writeTransaction(embedded.table, [check])).rejects.toThrow(TransactionConditionFailed);
});
