import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
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

/** Functions that start a call or run while a person is on the line; an alarm takes at most ten metrics. */
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

/** Maximum age of work before an alarm, in the unit of the metric. */
interface Age {
  readonly metric: IMetric;
  readonly limit: number;
}

/** Alarms on work that is not done although no function fails. */
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
      meaning: 'Calls begin late or stall, because the account has reached its concurrency quota.',
      stopsCalls: true,
    });
    const waits = (name: QueueName, seconds: number): Age => ({
      metric: queue(name).queue.metricApproximateAgeOfOldestMessage({
        period: alarmPeriod,
        statistic: 'Maximum',
      }),
      limit: seconds,
    });
    const follows = (name: string, seconds: number): Age => ({
      metric: functionNamed(name).lambda.metric('IteratorAge', { period: alarmPeriod, statistic: 'Maximum' }),
      limit: seconds * 1000,
    });
    alarms.add(this, 'Waiting', {
      metric: worstOf([waits('callQueue', 300), waits('watchQueue', 300)]),
      threshold: 1,
      meaning: 'Calls begin late or stay silent, because messages about them wait longer than they should.',
      stopsCalls: true,
    });
    alarms.add(this, 'Late', {
      metric: worstOf([
        waits('deliveryQueue', 900),
        // A failed message returns only after its function's longest timeout, 15 minutes.
        waits('recordingQueue', 3600),
        waits('erasureQueue', 3600),
        // The stream retains records for 24 hours.
        follows('webhook-fanout', 600),
        follows('audit-keeper', 600),
      ]),
      threshold: 1,
      meaning:
        'Webhooks, recordings, erasures or audit log seals are late, because their work waits too long.',
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

/** The largest share of its limit that any metric has used. */
function worstOf(ages: readonly Age[]): MathExpression {
  return new MathExpression({
    expression: `MAX([${ages.map(({ limit }, index) => `m${index} / ${limit}`).join(', ')}])`,
    label: 'Oldest work, as a share of its limit',
    usingMetrics: Object.fromEntries(ages.map(({ metric }, index) => [`m${index}`, metric])),
    period: alarmPeriod,
  });
}
