import { retry } from './retry.ts';
import { isTransactionConflict, TransactionConditionFailed } from './transaction.ts';

/** Enough for everything that a full call queue has begun at the same moment to go by, one after the other. */
const usualTries = 30;

/**
 * Runs work that reads, decides and writes on the condition that nothing changed in between, with retries while
 * another writer is faster. After a bounded number of tries it throws the conflict, and the queue delivers again.
 */
export function retryOnConflict<Result>(
  work: () => Promise<Result>,
  { tries = usualTries }: { readonly tries?: number } = {},
): Promise<Result> {
  return retry(work, { tries, firstWaitMs: 20, longestWaitMs: 300, isTransient: isConflict });
}

/** Whether another writer has changed, or is changing, what was to be written. */
export function isConflict(error: unknown): boolean {
  return error instanceof TransactionConditionFailed || isTransactionConflict(error);
}
