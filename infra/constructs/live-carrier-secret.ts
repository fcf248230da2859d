import { CfnPolicy } from 'aws-cdk-lib/aws-iam';
import { ArnFormat, CfnCondition, type CfnParameter, Fn, type Stack } from 'aws-cdk-lib/core';
import type { ServiceFunction } from './service-function.ts';

/** Names the live account's secret to the functions and, if there is one, lets them read it. */
export function letUseLiveCarrierSecret(
  stack: Stack,
  users: readonly ServiceFunction[],
  secretName: CfnParameter,
): void {
  for (const user of users) {
    user.setEnvironment('LIVE_CARRIER_SECRET_ID', secretName.valueAsString);
  }
  const hasLiveCarrier = new CfnCondition(stack, 'HasLiveCarrier', {
    expression: Fn.conditionNot(Fn.conditionEquals(secretName.valueAsString, '')),
  });
  const policy = new CfnPolicy(stack, 'LiveCarrierSecretPolicy', {
    policyName: 'LiveCarrierSecret',
    roles: users.map((user) => user.role.roleName),
    policyDocument: {
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Action: 'secretsmanager:GetSecretValue',
          // Secrets Manager ends the ARN of a secret with six characters of its own.
          Resource: stack.formatArn({
            service: 'secretsmanager',
            resource: 'secret',
            resourceName: `${secretName.valueAsString}-??????`,
            arnFormat: ArnFormat.COLON_RESOURCE_NAME,
          }),
        },
      ],
    },
  });
  policy.cfnOptions.condition = hasLiveCarrier;
}
