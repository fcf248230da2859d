import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { alarmPeriod } from './alarms.ts';
import type { ServiceContext } from './service-context.ts';

/** Retains failed messages for as long as SQS can, and alarms on the first. */
export class DeadLetterQueue extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, { alarms }: ServiceContext, meaning: string) {
    super(scope, id);
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    alarms.add(this, 'Alarm', {
      metric: this.queue.metricApproximateNumberOfMessagesVisible({
        period: alarmPeriod,
        statistic: 'Maximum',
      }),
      threshold: 1,
      meaning,
    });
  }
}
