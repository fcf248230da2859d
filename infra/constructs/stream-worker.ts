import { EventSourceMapping, FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { StreamTrigger } from '#shared/triggers/manifest.ts';
import { acknowledge } from './acknowledge.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import type { ServiceContext } from './service-context.ts';
import type { ServiceFunction } from './service-function.ts';
import type { ServiceTable } from './service-table.ts';

export interface StreamWorkerProps {
  readonly table: ServiceTable;
  readonly worker: ServiceFunction;
  readonly trigger: StreamTrigger;
}

/** A function that follows the table's stream; a failing batch is halved, retried and finally set aside. */
export class StreamWorker extends Construct {
  readonly deadLetters: Queue;

  constructor(
    scope: Construct,
    id: string,
    context: ServiceContext,
    { table, worker, trigger }: StreamWorkerProps,
  ) {
    super(scope, id);
    this.deadLetters = new DeadLetterQueue(this, 'DeadLetters', context, trigger.deadLettersMean).queue;
    table.letFollow(worker);
    worker.allow(['sqs:SendMessage'], [this.deadLetters.queueArn]);
    acknowledge(this.deadLetters, {
      'AwsSolutions-SQS3':
        'It is the dead-letter queue of a stream, which names it in its event source mapping.',
    });
    const mapping = new EventSourceMapping(this, 'Mapping', {
      target: worker.lambda,
      eventSourceArn: table.streamArn,
      // From the oldest record, so that nothing written while the mapping is created is missed.
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: trigger.batchSize,
      ...(trigger.batchWindowSeconds === undefined
        ? {}
        : { maxBatchingWindow: Duration.seconds(trigger.batchWindowSeconds) }),
      retryAttempts: trigger.retryAttempts,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      filters: trigger.filters.map((filter) => FilterCriteria.filter(filter)),
      onFailure: new SqsDlq(this.deadLetters),
    });
    // The mapping is refused until its function may read the stream.
    mapping.node.addDependency(worker.role);
  }
}
