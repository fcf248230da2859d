import { setTimeout as wait } from 'node:timers/promises';
import { TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { isTransactionConflict, TransactionConditionFailed } from '#shared/table/transaction.ts';

/** Enough for everything that a full call queue has begun at the same moment to go by, one after the other. */
const maxTries = 30;
const longestWaitMs = 300;

/**
 * Runs work that reads, decides and writes on the condition that nothing changed in between, with retries while
 * another writer is faster. After a bounded number of tries it throws the conflict, and the queue delivers again.
 */
export async function retryOnConflict<Result>(
  work: () => Promise<Result>,
  random: () => number = Math.random,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === maxTries || !isConflict(error)) throw error;
      await wait(random() * Math.min(longestWaitMs, 10 * 2 ** tries));
    }
  }
}

function isConflict(error: unknown): boolean {
  return (
    error instanceof TransactionConditionFailed ||
    error instanceof TransactionConflictException ||
    isTransactionConflict(error)
  );
}
