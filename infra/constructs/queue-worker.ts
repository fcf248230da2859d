import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { QueueTrigger } from '#shared/triggers/manifest.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import type { ServiceContext } from './service-context.ts';
import type { ServiceFunction } from './service-function.ts';

export interface QueueWorkerProps {
  readonly worker: ServiceFunction;
  readonly trigger: QueueTrigger;
}

/** Permissions that an event source needs in its function's role. */
const receiveActions = [
  'sqs:ChangeMessageVisibility',
  'sqs:DeleteMessage',
  'sqs:GetQueueAttributes',
  'sqs:GetQueueUrl',
  'sqs:ReceiveMessage',
];

/** A queue, its worker function, and the dead-letter queue for failed messages. */
export class QueueWorker extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, context: ServiceContext, { worker, trigger }: QueueWorkerProps) {
    super(scope, id);
    this.deadLetters = new DeadLetterQueue(this, 'DeadLetters', context, trigger.deadLettersMean).queue;
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout: Duration.seconds(
        trigger.visibilityTimeoutSeconds ?? 6 * worker.manifest.timeoutSeconds,
      ),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: trigger.maxReceives },
    });
    worker.allow(receiveActions, [this.queue.queueArn]);
    worker.lambda.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: trigger.batchSize,
        maxConcurrency: trigger.maxConcurrency,
        reportBatchItemFailures: true,
      }),
    );
  }

  letSend(sender: ServiceFunction): void {
    sender.allow(['sqs:SendMessage'], [this.queue.queueArn]);
  }
}
