import type { BatchMessage, ImportMessage } from './call-message.ts';
import { type CallQueue, enqueueCallMessage } from './call-queue.ts';

/*
 * Work that is longer than a function runs: an import, a batch of tasks. How far it is stands in the table. Messages carry
 * it on and may be repeated, late and at the same time; the sweeper sends one when the lease is over.
 */

/** Short, because the invocation, with the calls that came in it, is over only when this is. */
const longestRunMs = 5_000;
const leaseMs = 60_000;

/** When the sweeper looks after work that is being done now: its worker has died by then, or its message was lost. */
export function leaseEnd(now: Date): Date {
  return new Date(now.getTime() + leaseMs);
}

interface WorkServices {
  readonly queue: CallQueue;
  readonly now: () => Date;
}

/**
 * Does one slice after the other for some seconds, and leaves the rest to another message.
 *
 * @param slice reads how far the work is and does the next of it; `over` when nothing is left, or somebody else goes on
 */
export async function workInSlices(
  { queue, now }: WorkServices,
  message: ImportMessage | BatchMessage,
  slice: () => Promise<'more' | 'over'>,
): Promise<void> {
  const endMs = now().getTime() + longestRunMs;
  while ((await slice()) === 'more') {
    if (now().getTime() >= endMs) return enqueueCallMessage(queue, message, message.project_id);
  }
}
