import * as z from 'zod/mini';
import { type MessageQueue, sendMessage, tryToEnqueue } from '#shared/aws/message-queue.ts';
import { Uuid } from '#shared/domain/identifiers.ts';

/** Requests work on an erasure, a project's retention or a patient's export; the item says what to do. */
export const ErasureMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('erasure'), id: Uuid }),
  z.object({ kind: z.literal('retention'), project_id: Uuid }),
  z.object({ kind: z.literal('export'), patient_id: Uuid }),
]);
export type ErasureMessage = z.infer<typeof ErasureMessage>;

export type ErasureQueue = MessageQueue;

/** Idempotent. @param delaySeconds capped at what the queue can do */
export function enqueueErasure(
  queue: ErasureQueue,
  message: ErasureMessage,
  delaySeconds = 0,
): Promise<void> {
  return sendMessage(queue, message, { delaySeconds: Math.ceil(delaySeconds) });
}

/** Enqueues an ordered erasure ahead of the sweeper. */
export function tryToEnqueueErasure(queue: ErasureQueue, id: string): Promise<void> {
  return tryToEnqueue(enqueueErasure(queue, { kind: 'erasure', id }), 'erasure-not-enqueued', {
    erasure_id: id,
  });
}

/** The same for a patient export. */
export function tryToEnqueueExport(queue: ErasureQueue, patientId: string): Promise<void> {
  const message = { kind: 'export', patient_id: patientId } as const;
  return tryToEnqueue(enqueueErasure(queue, message), 'export-not-enqueued', { patient_id: patientId });
}
