import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  SetQueueAttributesCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import type { InFlightMessage } from '../servers/queue-and-object-server.ts';
import type { StackState } from '../stack-state.ts';
import type { Deployment } from '../template/deployment.ts';
import { queueArn, queueName, queueUrl } from '../template/resource-types.ts';

const redrivePolicySchema = z.object({
  deadLetterTargetArn: z.string(),
  maxReceiveCount: z.union([z.number(), z.string()]),
});

const queueSchema = z.object({
  FifoQueue: z.optional(z.boolean()),
  ContentBasedDeduplication: z.optional(z.boolean()),
  VisibilityTimeout: z._default(z.number(), 30),
  DelaySeconds: z._default(z.number(), 0),
  MaximumMessageSize: z._default(z.number(), 1_048_576),
  MessageRetentionPeriod: z._default(z.number(), 345_600),
  ReceiveMessageWaitTimeSeconds: z._default(z.number(), 0),
  RedrivePolicy: z.optional(redrivePolicySchema),
});

export interface ProvisionedQueue {
  readonly name: string;
  readonly arn: string;
  readonly url: string;
  readonly visibilityTimeoutSeconds: number;
}

/** Creates the template's queues where they do not exist yet and gives all of them the template's settings. */
export async function provisionQueues(
  deployment: Deployment,
  client: SQSClient,
  origin: string,
): Promise<ProvisionedQueue[]> {
  return Promise.all(
    deployment.ofType('AWS::SQS::Queue').map(async (resource) => {
      const name = queueName(resource);
      const properties = deployment.properties(resource, queueSchema);
      const fifo: Record<string, string> = properties.FifoQueue === true ? { FifoQueue: 'true' } : {};
      // Creating is answered with the queue that exists only if no setting differs, so the settings follow apart.
      await client.send(new CreateQueueCommand({ QueueName: name, Attributes: fifo }));
      const url = queueUrl(origin, name);
      await client.send(
        new SetQueueAttributesCommand({ QueueUrl: url, Attributes: attributesOf(properties) }),
      );
      return { name, arn: queueArn(name), url, visibilityTimeoutSeconds: properties.VisibilityTimeout };
    }),
  );
}

function attributesOf(properties: z.infer<typeof queueSchema>): Record<string, string> {
  const { RedrivePolicy: redrive } = properties;
  return {
    VisibilityTimeout: String(properties.VisibilityTimeout),
    DelaySeconds: String(properties.DelaySeconds),
    MaximumMessageSize: String(properties.MaximumMessageSize),
    MessageRetentionPeriod: String(properties.MessageRetentionPeriod),
    ReceiveMessageWaitTimeSeconds: String(properties.ReceiveMessageWaitTimeSeconds),
    // An empty policy takes away one that the template had before.
    RedrivePolicy:
      redrive === undefined
        ? ''
        : JSON.stringify({ ...redrive, maxReceiveCount: Number(redrive.maxReceiveCount) }),
    ...(properties.ContentBasedDeduplication === true ? { ContentBasedDeduplication: 'true' } : {}),
  };
}

/**
 * Messages whose function was running when the last process was ended become visible at once: nobody works on them any
 * more, and the visibility timeout of a queue of long calls would hide them for many minutes. Only those that a
 * function had failed on go on waiting. Gives the number of messages that are taken up again.
 */
export async function takeUpAgain(
  client: SQSClient,
  queues: readonly ProvisionedQueue[],
  inFlight: readonly InFlightMessage[],
  state: StackState,
): Promise<number> {
  const failed = new Set(state.failedMessages());
  const cutOff = inFlight.filter(({ receiptHandle }) => !failed.has(receiptHandle));
  await Promise.all(
    cutOff.map(async ({ queue, receiptHandle }) => {
      const url = queues.find(({ name }) => name === queue)?.url;
      if (url === undefined) return;
      // A message that has become visible by itself meanwhile is not in flight, which is just as well.
      await client
        .send(
          new ChangeMessageVisibilityCommand({
            QueueUrl: url,
            ReceiptHandle: receiptHandle,
            VisibilityTimeout: 0,
          }),
        )
        .catch(() => {});
    }),
  );
  const waiting = new Set(inFlight.map(({ receiptHandle }) => receiptHandle));
  state.removeFailedMessages([...failed].filter((receiptHandle) => !waiting.has(receiptHandle)));
  return cutOff.length;
}
