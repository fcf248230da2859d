import { retry } from './retry.ts';
import { isTransactionConflict, TransactionConditionFailed } from './transaction.ts';

/** Enough for a full call queue that started at the same moment to get through one by one. */
const usualTries = 30;

/**
 * Retries work that reads, decides and writes on the condition that nothing changed in between, while other writers
 * win. After a bounded number of tries it throws the conflict, and the queue redelivers.
 */
export function retryOnConflict<Result>(
  work: () => Promise<Result>,
  { tries = usualTries }: { readonly tries?: number } = {},
): Promise<Result> {
  return retry(work, { tries, firstWaitMs: 20, longestWaitMs: 300, isTransient: isConflict });
}

/** Whether another writer has changed, or is changing, the item. */
export function isConflict(error: unknown): boolean {
  return error instanceof TransactionConditionFailed || isTransactionConflict(error);
}
