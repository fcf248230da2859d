import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { type AlarmingEvent, alarmingEvents } from '#shared/observability/alarming-events.ts';

export const alarmPeriod = Duration.minutes(5);

export interface AlarmProps {
  readonly metric: IMetric;
  /** Fires when the metric is at least this in one period. */
  readonly threshold: number;
  /** One sentence that tells whoever is woken up what users notice. */
  readonly meaning: string;
}

/** What users notice when a function logs the event. */
const eventMeanings: Record<AlarmingEvent, string> = {
  'carrier-without-credentials':
    'Tasks of live projects fail without a call, because the service has no credentials for the live carrier.',
  'carrier-refuses-our-configuration':
    'Tasks wait and no calls are made, because the carrier refuses our credentials or our caller number.',
  'carrier-secret-not-read':
    'Calls are not placed and callbacks are refused, because the credentials for the carrier cannot be read.',
  'webhook-secret-not-opened':
    'Clients get no webhooks or some with a signature less, because the key service refuses to open signing secrets.',
  'recording-given-up':
    'Clients see a call without its recording, which is still at the carrier and can be fetched by hand.',
  'recording-left-at-carrier':
    'A recording of a call is kept at the carrier, because it is longer than the one that clients get.',
  'call-closed-at-deadline':
    'Clients see a call as failed of which nobody knows how it ended, because the carrier no longer tells.',
  'access-entry-not-written':
    'The audit log lacks what a client saw, which the line in the log of the function still tells.',
  'dialogue-fallback': 'Calls end with an excuse, because the language model is late or fails.',
};

/** How often an event is to be logged in one period before somebody is woken up, where once is not enough. */
const eventThresholds: Partial<Record<AlarmingEvent, number>> = {
  // A call now and then is made again; more of them are no accident.
  'dialogue-fallback': 5,
};

const eventMetric = 'AlarmingEvents';

/** The alarms of the stack and the topic that all of them report to. */
export class Alarms extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { displayName: 'Voice agent tasks alarms', enforceSSL: true });
    // The topic policy made by enforceSSL replaces the default one, so CloudWatch must be let in by name.
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    for (const [id, event] of Object.entries(alarmingEvents)) {
      this.add(this, id, {
        metric: new Metric({
          // One account may hold several stages, each with alarms of its own.
          namespace: Stack.of(this).stackName,
          metricName: eventMetric,
          dimensionsMap: { event },
          statistic: 'Sum',
          period: alarmPeriod,
        }),
        threshold: eventThresholds[event] ?? 1,
        meaning: eventMeanings[event],
      });
    }
  }

  /** Counts the alarming events of a function's log, by their name. */
  watch(scope: Construct, logGroup: ILogGroup): void {
    const events = Object.values(alarmingEvents).map((event) =>
      FilterPattern.stringValue('$.event', '=', event),
    );
    new MetricFilter(scope, 'AlarmingEvents', {
      logGroup,
      filterPattern: FilterPattern.any(...events),
      metricNamespace: Stack.of(this).stackName,
      metricName: eventMetric,
      metricValue: '1',
      dimensions: { event: '$.event' },
    });
  }

  add(scope: Construct, id: string, { metric, threshold, meaning }: AlarmProps): Alarm {
    if (!/^[A-Z].{20,}\.$/.test(meaning)) {
      throw new Error(
        `Alarm ${id} needs a sentence that says what its firing means for users, not "${meaning}"`,
      );
    }
    const alarm = new Alarm(scope, id, {
      alarmDescription: meaning,
      metric,
      threshold,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    return alarm;
  }
}
