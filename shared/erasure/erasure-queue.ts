import * as z from 'zod/mini';
import { failFastLimits } from '#shared/aws/client-limits.ts';
import { type MessageQueue, openQueueClient, sendMessage } from '#shared/aws/message-queue.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import { logError } from '#shared/observability/log.ts';

/** Requests work on an erasure, a project's retention or a patient's export; the item says what to do. */
export const ErasureMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('erasure'), id: Uuid }),
  z.object({ kind: z.literal('retention'), project_id: Uuid }),
  z.object({ kind: z.literal('export'), patient_id: Uuid }),
]);
export type ErasureMessage = z.infer<typeof ErasureMessage>;

export type ErasureQueue = MessageQueue;

export function openErasureQueue(url: string, client = openQueueClient()): ErasureQueue {
  return { url, client };
}

/** For callers that an unresponsive queue must not block: the order is already in the table. */
export function openFailFastErasureQueue(url: string): ErasureQueue {
  return openErasureQueue(url, openQueueClient(failFastLimits));
}

/** Idempotent. @param delaySeconds capped at what the queue can do */
export function enqueueErasure(
  queue: ErasureQueue,
  message: ErasureMessage,
  delaySeconds = 0,
): Promise<void> {
  return sendMessage(queue, message, { delaySeconds: Math.ceil(delaySeconds) });
}

/** Enqueues an ordered erasure ahead of the sweeper. Only logs a failure, because the sweeper finds due work. */
export async function tryToEnqueueErasure(queue: ErasureQueue, id: string): Promise<void> {
  try {
    await enqueueErasure(queue, { kind: 'erasure', id });
  } catch (error) {
    logError('erasure-not-enqueued', error, { erasure_id: id });
  }
}

/** The same for a patient export. */
export async function tryToEnqueueExport(queue: ErasureQueue, patientId: string): Promise<void> {
  try {
    await enqueueErasure(queue, { kind: 'export', patient_id: patientId });
  } catch (error) {
    logError('export-not-enqueued', error, { patient_id: patientId });
  }
}
