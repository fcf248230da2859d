import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import type { ServiceContext } from './service-context.ts';
import type { ServiceFunction } from './service-function.ts';

export interface QueueWorkerProps {
  readonly worker: ServiceFunction;
  readonly batchSize: number;
  /** At least six times the worker's timeout unless said otherwise, so that a throttled batch is not delivered twice. */
  readonly visibilityTimeoutSeconds?: number;
  /** Deliveries before a message goes to the dead-letter queue. */
  readonly maxReceives: number;
  /** Batches worked on at the same time, so that a flood cannot take the concurrency of the rest of the service. */
  readonly maxConcurrency: number;
  /** One sentence for the alarm on the dead-letter queue: what users notice. */
  readonly deadLettersMean: string;
}

/** A queue, the function that works from it, and the dead-letter queue for what it cannot do. */
export class QueueWorker extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, context: ServiceContext, props: QueueWorkerProps) {
    super(scope, id);
    const { worker } = props;
    this.deadLetters = new DeadLetterQueue(this, 'DeadLetters', context, props.deadLettersMean).queue;
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout: Duration.seconds(props.visibilityTimeoutSeconds ?? 6 * worker.timeoutSeconds),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: props.maxReceives },
    });
    worker.lambda.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: props.batchSize,
        maxConcurrency: props.maxConcurrency,
        reportBatchItemFailures: true,
      }),
    );
  }

  /** Names the queue to the function in the given variable and lets it send. */
  letSend(sender: ServiceFunction, variable: string): void {
    sender.setEnvironment(variable, this.queue.queueUrl);
    sender.allow(['sqs:SendMessage'], [this.queue.queueArn]);
  }
}
