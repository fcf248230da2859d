import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { ServiceFunction } from './service-function.ts';

export interface ScheduledFunctionProps {
  readonly job: ServiceFunction;
  readonly everyMinutes: number;
}

/** Runs a function on a schedule. A failed run is not retried, because the next one is soon. */
export class ScheduledFunction extends Construct {
  constructor(scope: Construct, id: string, { job, everyMinutes }: ScheduledFunctionProps) {
    super(scope, id);
    const every = Duration.minutes(everyMinutes);
    new Rule(this, 'Rule', {
      description: `Runs ${job.manifest.name}`,
      schedule: Schedule.rate(every),
      targets: [new LambdaFunction(job.lambda, { retryAttempts: 0, maxEventAge: every })],
    });
  }
}
