import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { Uuid } from '#shared/domain/identifiers.ts';
import { CarrierEvent } from './carrier-event.ts';

/** Everything the call-runner is asked to do. Identifiers and states only: a queue holds no health information. */
export const CallMessage = z.discriminatedUnion('kind', [
  /** The task's next attempt is due: claim it and dial. */
  z.object({ kind: z.literal('dial'), task_id: Uuid }),
  /** The carrier told us something about a call. */
  z.object({ kind: z.literal('carrier-event'), task_id: Uuid, call_id: Uuid, event: CarrierEvent }),
  /** The call waited for something that did not come: look at it. */
  z.object({ kind: z.literal('call-due'), task_id: Uuid, call_id: Uuid }),
]);
export type CallMessage = z.infer<typeof CallMessage>;

export interface CallQueue {
  readonly url: string;
  readonly client: SQSClient;
}

/**
 * Puts a message on the call queue.
 *
 * @param fairnessGroup the project where it is known: SQS fair queues keep one group's backlog from delaying others
 */
export async function enqueueCallMessage(
  queue: CallQueue,
  message: CallMessage,
  fairnessGroup?: string,
): Promise<void> {
  await queue.client.send(
    new SendMessageCommand({
      QueueUrl: queue.url,
      MessageBody: JSON.stringify(message),
      ...(fairnessGroup === undefined ? {} : { MessageGroupId: fairnessGroup }),
    }),
  );
}
