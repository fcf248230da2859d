import { setTimeout as wait } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Table } from './client.ts';

/** One write or check of a transaction, as the entity files return them to be composed. */
export type TransactionItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** Makes the items that are written together with what was made, such as the audit entry of who made it. */
export type AlsoWrite<Made> = (made: Made) => TransactionItem[];

export const writeNothingElse = (): TransactionItem[] => [];

/** A transaction whose conditions did not all hold; `failed` lists the positions of those items. */
export class TransactionConditionFailed extends Error {
  readonly failed: readonly number[];

  constructor(failed: readonly number[]) {
    super(`condition of transaction item ${failed.join(', ')} failed`);
    this.name = 'TransactionConditionFailed';
    this.failed = failed;
  }
}

/**
 * Writes all items or none. Throws `TransactionConditionFailed` when conditions did not hold; any other
 * cancellation (a conflict with another transaction, throttling) is the SDK's own error and may be tried again.
 */
export async function writeTransaction(table: Table, items: TransactionItem[]): Promise<void> {
  try {
    await table.client.send(new TransactWriteCommand({ TransactItems: items }));
  } catch (error) {
    if (error instanceof TransactionCanceledException) {
      const codes = (error.CancellationReasons ?? []).map((reason) => reason.Code);
      const failed = codes.flatMap((code, position) => (code === 'ConditionalCheckFailed' ? [position] : []));
      if (failed.length > 0) throw new TransactionConditionFailed(failed);
    }
    throw error;
  }
}

const maxContendedTries = 8;
const longestWaitMs = 400;

/**
 * `writeTransaction` for items that many transactions check at the same time, such as a busy project: DynamoDB cancels
 * one of two that meet at an item, and nothing but trying again, after a random wait, is needed.
 */
export async function writeContendedTransaction(
  table: Table,
  items: TransactionItem[],
  random: () => number = Math.random,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await writeTransaction(table, items);
    } catch (error) {
      if (tries === maxContendedTries || !isTransactionConflict(error)) throw error;
      await wait(random() * Math.min(longestWaitMs, 20 * 2 ** tries));
    }
  }
}

/** Whether DynamoDB cancelled a transaction because it met another one at an item. */
export function isTransactionConflict(error: unknown): boolean {
  return (
    error instanceof TransactionCanceledException &&
    (error.CancellationReasons ?? []).some(({ Code }) => Code === 'TransactionConflict')
  );
}
