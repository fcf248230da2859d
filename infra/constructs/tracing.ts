import { CfnStage } from 'aws-cdk-lib/aws-apigateway';
import { CfnPolicy } from 'aws-cdk-lib/aws-iam';
import { CfnCondition, CfnParameter, Fn, type Stack } from 'aws-cdk-lib/core';
import { acknowledge } from './acknowledge.ts';
import type { ServiceRestApi } from './rest-api.ts';
import { inlinePolicyReason, type ServiceFunction } from './service-function.ts';

/** What AWS X-Ray traces: WebSocket APIs, streams and schedules cannot be. */
export interface TracedParts {
  readonly functions: readonly ServiceFunction[];
  readonly restApi: ServiceRestApi;
}

/**
 * Traces by the services themselves, if a parameter asks for it. Functions add nothing, so they hold no health
 * information.
 */
export function addTracing(stack: Stack, { functions, restApi }: TracedParts): void {
  const parameter = new CfnParameter(stack, 'Tracing', {
    description: 'Whether AWS X-Ray traces the REST API and all functions.',
    default: 'off',
    allowedValues: ['off', 'on'],
  });
  const isOn = new CfnCondition(stack, 'TracingIsOn', {
    expression: Fn.conditionEquals(parameter.valueAsString, 'on'),
  });
  for (const traced of functions) {
    traced.trace(Fn.conditionIf(isOn.logicalId, 'Active', 'PassThrough'));
  }
  const stage = restApi.api.deploymentStage.node.defaultChild;
  if (stage instanceof CfnStage) {
    stage.addPropertyOverride('TracingEnabled', Fn.conditionIf(isOn.logicalId, true, false));
  }
  const policy = new CfnPolicy(stack, 'TracingPolicy', {
    policyName: 'Tracing',
    roles: functions.map(({ role }) => role.roleName),
    policyDocument: {
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Action: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
          Resource: '*',
        },
      ],
    },
  });
  policy.cfnOptions.condition = isOn;
  acknowledge(policy, {
    ...inlinePolicyReason,
    'AwsSolutions-IAM5[Resource::*]': "X-Ray's write actions support no resources.",
  });
}
