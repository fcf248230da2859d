import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';

export const alarmPeriod = Duration.minutes(5);

export interface AlarmProps {
  readonly metric: IMetric;
  /** Fires when the metric is at least this in one period. */
  readonly threshold: number;
  /** One sentence that tells whoever is woken up what users notice. */
  readonly meaning: string;
}

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
