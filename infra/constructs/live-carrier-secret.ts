import { CfnPolicy } from 'aws-cdk-lib/aws-iam';
import { ArnFormat, CfnCondition, type CfnParameter, Fn, type Stack } from 'aws-cdk-lib/core';
import { acknowledge } from './acknowledge.ts';
import { inlinePolicyReason, type ServiceFunction } from './service-function.ts';

/** Lets the functions read the live account's secret, if there is one. */
export function letReadLiveCarrierSecret(
  stack: Stack,
  users: readonly ServiceFunction[],
  secretName: CfnParameter,
): void {
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
          // Secrets Manager appends six random characters to a secret's ARN.
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
  acknowledge(policy, inlinePolicyReason);
}
