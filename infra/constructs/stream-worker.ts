import { EventSourceMapping, FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import type { ServiceContext } from './service-context.ts';
import type { ServiceFunction } from './service-function.ts';
import type { ServiceTable } from './service-table.ts';

export interface StreamWorkerProps {
  readonly table: ServiceTable;
  readonly worker: ServiceFunction;
  /** Patterns of records the worker wants; the others never invoke it. */
  readonly filters: readonly Record<string, unknown>[];
  readonly batchSize: number;
  readonly retryAttempts: number;
  /** One sentence for the alarm on given-up batches: what users notice. */
  readonly deadLettersMean: string;
}

/** A function that follows the table's stream; a batch it cannot do is halved, retried and at last set aside. */
export class StreamWorker extends Construct {
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, context: ServiceContext, props: StreamWorkerProps) {
    super(scope, id);
    this.deadLetters = new DeadLetterQueue(this, 'DeadLetters', context, props.deadLettersMean).queue;
    props.table.letFollow(props.worker);
    const mapping = new EventSourceMapping(this, 'Mapping', {
      target: props.worker.lambda,
      eventSourceArn: props.table.streamArn,
      // From the oldest record: what is written while the mapping is being made must not be missed.
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: props.batchSize,
      retryAttempts: props.retryAttempts,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      filters: props.filters.map((filter) => FilterCriteria.filter(filter)),
      onFailure: new SqsDlq(this.deadLetters),
    });
    // The mapping is refused while its function may not read the stream yet.
    mapping.node.addDependency(props.worker.role);
  }
}
