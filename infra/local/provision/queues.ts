import { CreateQueueCommand, SetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
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
