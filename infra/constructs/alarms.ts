import {
  Alarm,
  AlarmRule,
  ComparisonOperator,
  CompositeAlarm,
  type IMetric,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { CfnSubscription, Topic } from 'aws-cdk-lib/aws-sns';
import { CfnCondition, type CfnParameter, Duration, Fn, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { type AlarmingEvent, alarmingEvents } from '#shared/observability/alarming-events.ts';
import { alarmMetric, metricsNamespace } from '#shared/observability/metrics.ts';

export const alarmPeriod = Duration.minutes(5);

export interface AlarmProps {
  readonly metric: IMetric;
  /** Fires when the metric reaches this in one period. */
  readonly threshold: number;
  /** One sentence for the person on call: what users notice. */
  readonly meaning: string;
  /** Fires below the threshold and on missing data: what is watched happens all the time. */
  readonly expects?: boolean;
  /** Its firing means that no calls are made. */
  readonly stopsCalls?: boolean;
}

/** What users notice when a function logs the event. */
const eventMeanings: Record<AlarmingEvent, string> = {
  'carrier-without-credentials':
    'Tasks of live projects fail without a call, because the service has no credentials for the live carrier.',
  'carrier-refuses-our-configuration':
    'Tasks wait or calls fail, because the carrier refuses our credentials, our number or our call settings.',
  'carrier-secret-not-read':
    'Calls are not placed and callbacks are refused, because the credentials for the carrier cannot be read.',
  'webhook-secret-not-opened':
    'Webhooks are missing or lack a signature, because KMS refuses to decrypt signing secrets.',
  'recording-given-up':
    'Clients see a call without its recording, which the carrier still has, for fetching by hand.',
  'recording-left-at-carrier':
    'The carrier still has a recording of a call, because it is longer than the one that clients get.',
  'call-closed-at-deadline':
    'Clients see a call as failed whose outcome is unknown, because the carrier no longer reports it.',
  'access-entry-not-written':
    "The audit log lacks an access by a client, which only the function's log line shows.",
  'carrier-signature-refused':
    'Calls are answered in silence, because the carrier signs another address or token than ours.',
  'socket-event-failed': 'Answered calls end with an apology, because the carrier is refused.',
  'conversation-not-opened': 'Answered calls end with an apology, because no conversation begins.',
  'relay-frame-failed': 'The agent does not react to an event on the line.',
  'words-not-answered': 'People on the line hear an apology instead of an answer.',
  'frames-not-sent': 'The agent falls silent, because its text does not reach the carrier.',
  'dialogue-fallback': 'Calls end with an apology, because the language model is late or fails.',
};

/** Events in one period that raise the alarm, where one is not enough. */
const eventThresholds: Partial<Record<AlarmingEvent, number>> = {
  // An occasional failed call is redialed; several are no accident.
  'dialogue-fallback': 5,
  // A socket may close while a message is being sent.
  'frames-not-sent': 3,
};

/** Events that each mean that no calls are made or no conversation is possible. */
const eventsThatStopCalls: ReadonlySet<AlarmingEvent> = new Set([
  'carrier-without-credentials',
  'carrier-refuses-our-configuration',
  'carrier-secret-not-read',
  'carrier-signature-refused',
  'conversation-not-opened',
]);

/** A metric that functions write into their log lines, per stage. */
export function loggedMetric(scope: Construct, metricName: string, props: LoggedMetricProps = {}): Metric {
  const { dimension = {}, statistic = 'Sum', label } = props;
  return new Metric({
    namespace: metricsNamespace,
    metricName,
    dimensionsMap: { stage: Stack.of(scope).stackName, ...dimension },
    statistic,
    period: alarmPeriod,
    ...(label === undefined ? {} : { label }),
  });
}

export interface LoggedMetricProps {
  /** The metric's dimension besides the stage. */
  readonly dimension?: Readonly<Record<string, string>>;
  readonly statistic?: string;
  readonly label?: string;
}

/** The alarms of the stack and the topic they report to. */
export class Alarms extends Construct {
  readonly topic: Topic;
  /** The alarms that mean that no calls are made. */
  readonly stopping: Alarm[] = [];

  /** @param key encrypts what the topic holds, and lets CloudWatch use it */
  constructor(scope: Construct, id: string, key: IKey) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', {
      displayName: 'Voice agent tasks alarms',
      enforceSSL: true,
      masterKey: key,
    });
    // The topic policy made by enforceSSL replaces the default one, so CloudWatch must be allowed by name.
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
        metric: loggedMetric(this, alarmMetric, { dimension: { event } }),
        threshold: eventThresholds[event] ?? 1,
        meaning: eventMeanings[event],
        stopsCalls: eventsThatStopCalls.has(event),
      });
    }
  }

  add(
    scope: Construct,
    id: string,
    { metric, threshold, meaning, expects = false, stopsCalls = false }: AlarmProps,
  ): Alarm {
    if (!/^[A-Z].{20,}\.$/.test(meaning)) {
      throw new Error(
        `Alarm ${id} needs a sentence that says what its firing means for users, not "${meaning}"`,
      );
    }
    const alarm = new Alarm(scope, id, {
      alarmDescription: meaning,
      metric,
      threshold,
      // Events that happen all the time may be late once, as after the first deployment.
      evaluationPeriods: expects ? 2 : 1,
      comparisonOperator: expects
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: expects ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    alarm.addOkAction(new SnsAction(this.topic));
    if (stopsCalls) this.stopping.push(alarm);
    return alarm;
  }

  /** One alarm that combines all of `stopping`. Add it after them. */
  addComposite(): CompositeAlarm {
    const composite = new CompositeAlarm(this, 'NoCalls', {
      alarmDescription: 'Calls are not being made, or are silent.',
      alarmRule: AlarmRule.anyOf(...this.stopping),
    });
    composite.addAlarmAction(new SnsAction(this.topic));
    composite.addOkAction(new SnsAction(this.topic));
    return composite;
  }

  /** Sends alarms to an address, if one is given. */
  sendTo(address: CfnParameter): void {
    const isGiven = new CfnCondition(this, 'HasEmail', {
      expression: Fn.conditionNot(Fn.conditionEquals(address.valueAsString, '')),
    });
    const subscription = new CfnSubscription(this, 'Email', {
      topicArn: this.topic.topicArn,
      protocol: 'email',
      endpoint: address.valueAsString,
    });
    subscription.cfnOptions.condition = isGiven;
  }
}
