import { BatchWriteCommand, type BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Table } from './client.ts';
import type { PrimaryKey } from './primary-key.ts';
import { retry } from './retry.ts';

/** DynamoDB's limit of puts and deletes per request. */
const writesAtOnce = 25;

type WriteRequest = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number];

/** DynamoDB deferred some writes of a batch, because too many came at once. */
class WritesPutOff extends Error {}

/**
 * Puts and deletes items without conditions or sealing; their keys must differ. A failure may leave some written, so
 * use it only for repeatable writes.
 */
export async function batchWrite(
  { name, client }: Table,
  { puts, deletes }: { readonly puts: readonly PrimaryKey[]; readonly deletes: readonly PrimaryKey[] },
): Promise<void> {
  const writes: WriteRequest[] = [
    ...puts.map((item) => ({ PutRequest: { Item: { ...item } } })),
    ...deletes.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })),
  ];
  for (let start = 0; start < writes.length; start += writesAtOnce) {
    let left = writes.slice(start, start + writesAtOnce);
    const write = async (): Promise<void> => {
      const { UnprocessedItems } = await client.send(
        new BatchWriteCommand({ RequestItems: { [name]: left } }),
      );
      left = UnprocessedItems?.[name] ?? [];
      if (left.length > 0) throw new WritesPutOff('the table takes no more writes for the moment');
    };
    await retry(write, {
      tries: 6,
      firstWaitMs: 50,
      isTransient: (error) => error instanceof WritesPutOff,
    });
  }
}
