import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { QueueName } from '#shared/triggers/manifest.ts';
import { alarmPeriod } from './alarms.ts';
import type { QueueWorker } from './queue-worker.ts';
import type { ServiceContext } from './service-context.ts';
import type { ServiceFunction } from './service-function.ts';

export interface FlowAlarmsProps {
  readonly functionNamed: (name: string) => ServiceFunction;
  readonly queue: (name: QueueName) => QueueWorker;
}

/** Functions that a call needs while somebody is on the line, or that begin one; an alarm takes ten metrics. */
const neededByCalls = [
  'create-task',
  'call-sweeper',
  'call-runner',
  'carrier-callback',
  'voice-agent',
  'no-input-timer',
  'recording-ingest',
  'webhook-fanout',
  'webhook-delivery',
];

/**
 * Seconds that the oldest message of a queue may have waited. Failed messages of some come back only after their
 * function's longest time, 15 minutes for a recording.
 */
const patienceSeconds = {
  callQueue: 300,
  watchQueue: 300,
  deliveryQueue: 900,
  recordingQueue: 3600,
} as const;

/** Alarms on work that does not get done although no function fails. */
export class FlowAlarms extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { alarms }: ServiceContext,
    { functionNamed, queue }: FlowAlarmsProps,
  ) {
    super(scope, id);
    const throttles = Object.fromEntries(
      neededByCalls.map((name, index) => [
        `t${index}`,
        functionNamed(name).lambda.metricThrottles({ period: alarmPeriod }),
      ]),
    );
    alarms.add(this, 'Throttled', {
      metric: new MathExpression({
        expression: 'SUM(METRICS())',
        label: 'Throttled invocations',
        usingMetrics: throttles,
        period: alarmPeriod,
      }),
      threshold: 10,
      meaning: 'Calls begin late or stall, because the account runs as many functions as its quota allows.',
      stopsCalls: true,
    });
    const queues = Object.entries(patienceSeconds) as [keyof typeof patienceSeconds, number][];
    alarms.add(this, 'Waiting', {
      metric: new MathExpression({
        // The share of its patience that the worst of the queues has used up.
        expression: `MAX([${queues.map(([name, seconds]) => `${name} / ${seconds}`).join(', ')}])`,
        label: 'Oldest message, of the time it may wait',
        usingMetrics: Object.fromEntries(
          queues.map(([name]) => [
            name,
            queue(name).queue.metricApproximateAgeOfOldestMessage({
              period: alarmPeriod,
              statistic: 'Maximum',
            }),
          ]),
        ),
        period: alarmPeriod,
      }),
      threshold: 1,
      meaning: 'Calls, recordings or webhooks come late, because messages wait longer than they should.',
      stopsCalls: true,
    });
    const { functionName } = functionNamed('webhook-fanout').lambda;
    alarms.add(this, 'StreamBehind', {
      metric: new Metric({
        namespace: 'AWS/Lambda',
        metricName: 'IteratorAge',
        dimensionsMap: { FunctionName: functionName },
        statistic: 'Maximum',
        period: alarmPeriod,
      }),
      // Milliseconds; records are lost after 24 hours.
      threshold: 10 * 60_000,
      meaning: 'Clients get webhooks late, because changes of the table are not read in time.',
    });
    alarms.add(this, 'NoSweep', {
      metric: functionNamed('call-sweeper').lambda.metricInvocations({ period: alarmPeriod }),
      threshold: 1,
      expects: true,
      meaning: 'Redials, lost calls and retried webhooks wait, because the sweeper does not run.',
      stopsCalls: true,
    });
  }
}
