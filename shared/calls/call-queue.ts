import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { CarrierEvent } from '#shared/domain/carrier-event.ts';
import { Uuid } from '#shared/domain/identifiers.ts';

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

/** Opens the queue; region, credentials and endpoint come from the environment. */
export function openCallQueue(url: string, client: SQSClient = new SQSClient({})): CallQueue {
  return { url, client };
}

/**
 * Puts a message on the call queue.
 *
 * @param fairnessGroup the project where it is known: SQS fair queues keep one group's backlog from delaying others
 * @param delaySeconds how long it stays invisible, at most 900
 */
export async function enqueueCallMessage(
  queue: CallQueue,
  message: CallMessage,
  fairnessGroup?: string,
  delaySeconds = 0,
): Promise<void> {
  await queue.client.send(
    new SendMessageCommand({
      QueueUrl: queue.url,
      MessageBody: JSON.stringify(message),
      ...(fairnessGroup === undefined ? {} : { MessageGroupId: fairnessGroup }),
      ...(delaySeconds === 0 ? {} : { DelaySeconds: delaySeconds }),
    }),
  );
}
