import type { BatchMessage, ImportMessage } from './call-message.ts';
import { type CallQueue, enqueueCallMessage } from './call-queue.ts';

/*
 * Work that takes longer than one invocation: an import or a batch of tasks. Its progress is in the table. Messages
 * continue it; they may be duplicated, late or concurrent, and the sweeper sends one when the lease expires.
 */

/** Short, because calls of the same invocation wait for it to end. */
const longestRunMs = 5_000;
const leaseMs = 60_000;

/** When the lease expires: by then the worker has died or the message was lost. */
export function leaseEnd(now: Date): Date {
  return new Date(now.getTime() + leaseMs);
}

interface WorkServices {
  readonly queue: CallQueue;
  readonly now: () => Date;
}

/**
 * Works in slices for a few seconds and leaves the rest to another message.
 *
 * @param slice reads the progress and does the next slice; returns `over` when nothing is left or another
 * worker continues
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
