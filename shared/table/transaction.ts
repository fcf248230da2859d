import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Table } from './client.ts';
import { retry } from './retry.ts';

/** One write or check of a transaction, as the entity files return them for composition. */
export type TransactionItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/**
 * Makes items to write together with a result, all or nothing: its audit entry, or the record for repeated requests.
 */
export type Alongside<Made> = (made: Made) => readonly TransactionItem[];

export const nothingAlongside = (): TransactionItem[] => [];

const refusals = new WeakMap<TransactionItem, () => Error>();

/** The error to throw when this item's condition fails. */
export function refusedAs(item: TransactionItem, refusal: () => Error): TransactionItem {
  refusals.set(item, refusal);
  return item;
}

/** A transaction whose conditions failed; `failed` lists the positions of those items. */
export class TransactionConditionFailed extends Error {
  readonly failed: readonly number[];

  constructor(failed: readonly number[]) {
    super(`condition of transaction item ${failed.join(', ')} failed`);
    this.name = 'TransactionConditionFailed';
    this.failed = failed;
  }
}

/**
 * Writes all items or none. If conditions fail, throws the refusal of the first such item that has one, otherwise
 * `TransactionConditionFailed`; any other cancellation (a conflict with another transaction, throttling) is the SDK's
 * own retryable error.
 */
export async function writeTransaction(table: Table, items: TransactionItem[]): Promise<void> {
  const [only, ...others] = items;
  const single = only === undefined || others.length > 0 ? null : singleWrite(only);
  if (only !== undefined && single !== null) {
    try {
      await single(table);
      return;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      throw refusalOf([only], [0]) ?? new TransactionConditionFailed([0]);
    }
  }
  try {
    await table.client.send(new TransactWriteCommand({ TransactItems: items }));
  } catch (error) {
    if (error instanceof TransactionCanceledException) {
      const codes = (error.CancellationReasons ?? []).map((reason) => reason.Code);
      const failed = codes.flatMap((code, position) => (code === 'ConditionalCheckFailed' ? [position] : []));
      if (failed.length > 0) throw refusalOf(items, failed) ?? new TransactionConditionFailed(failed);
    }
    throw error;
  }
}

/** A single write is atomic without a transaction, at half its price. Null for a mere check. */
function singleWrite({ Put, Update, Delete }: TransactionItem): ((table: Table) => Promise<unknown>) | null {
  if (Put !== undefined) return ({ client }) => client.send(new PutCommand(Put));
  if (Update !== undefined) return ({ client }) => client.send(new UpdateCommand(Update));
  if (Delete !== undefined) return ({ client }) => client.send(new DeleteCommand(Delete));
  return null;
}

function refusalOf(items: readonly TransactionItem[], failed: readonly number[]): Error | null {
  const refusing = items.filter((item, position) => failed.includes(position) && refusals.has(item));
  return refusing.map((item) => refusals.get(item)?.()).find((refusal) => refusal !== undefined) ?? null;
}

/**
 * `writeTransaction` for items that many transactions check concurrently, such as a busy project: DynamoDB cancels one
 * of two transactions that meet at an item, and retrying after a random wait is all it takes.
 */
export function writeContendedTransaction(table: Table, items: TransactionItem[]): Promise<void> {
  return retry(() => writeTransaction(table, items), {
    tries: 8,
    firstWaitMs: 40,
    longestWaitMs: 400,
    isTransient: isTransactionConflict,
  });
}

/** Whether DynamoDB canceled a write because of a transaction on the same item. */
export function isTransactionConflict(error: unknown): boolean {
  if (error instanceof TransactionConflictException) return true;
  return (
    error instanceof TransactionCanceledException &&
    (error.CancellationReasons ?? []).some(({ Code }) => Code === 'TransactionConflict')
  );
}
