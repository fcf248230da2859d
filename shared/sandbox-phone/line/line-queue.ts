import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';

/** Message of the line queue: one call to be played. */
export const LineMessage = z.object({ call_sid: z.string() });
export type LineMessage = z.infer<typeof LineMessage>;

export interface LineQueue {
  readonly url: string;
  readonly client: SQSClient;
}

/** @param delaySeconds at most 900, which is SQS's limit */
export async function enqueueLine(queue: LineQueue, message: LineMessage, delaySeconds = 0): Promise<void> {
  await queue.client.send(
    new SendMessageCommand({
      QueueUrl: queue.url,
      MessageBody: JSON.stringify(message),
      DelaySeconds: delaySeconds,
    }),
  );
}
