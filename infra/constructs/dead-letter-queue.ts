import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { alarmPeriod } from './alarms.ts';
import type { ServiceContext } from './service-context.ts';

/** Keeps what could not be processed for as long as SQS can, and alarms at the first message. */
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
