import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { clientLimits } from '#shared/aws/client-limits.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import { carryTrace } from '#shared/observability/trace.ts';

/** The recording of a call needs work; the call says which. */
export const RecordingMessage = z.object({ task_id: Uuid, call_id: Uuid });
export type RecordingMessage = z.infer<typeof RecordingMessage>;

/**
 * A queue of its own, because fetching a long recording takes minutes and must hold up neither dialing nor what the
 * carrier reports.
 */
export interface RecordingQueue {
  readonly url: string;
  readonly client: SQSClient;
}

/** Opens the queue; region, credentials and endpoint come from the environment. */
export function openRecordingQueue(
  url: string,
  client: SQSClient = new SQSClient(clientLimits()),
): RecordingQueue {
  return { url, client: carryTrace(client) };
}

/**
 * Enqueues the work that a call's recording needs. Twice does no harm.
 *
 * @param fairnessGroup the project where it is known: SQS fair queues keep one group's backlog from delaying others
 * @param delaySeconds how long it stays invisible, at most 900
 */
export async function enqueueRecording(
  queue: RecordingQueue,
  message: RecordingMessage,
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
