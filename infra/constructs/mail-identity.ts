import { CfnPolicy } from 'aws-cdk-lib/aws-iam';
import { CfnCondition, type CfnParameter, Fn, type Stack } from 'aws-cdk-lib/core';
import { acknowledge } from './acknowledge.ts';
import { inlinePolicyReason, type ServiceFunction } from './service-function.ts';

/**
 * Lets the functions send email from one address, if there is one. Either the address or its domain is verified in
 * Amazon SES, and a request needs permission on the verified one.
 */
export function letSendMail(stack: Stack, users: readonly ServiceFunction[], mailFrom: CfnParameter): void {
  const address = mailFrom.valueAsString;
  const sendsMail = new CfnCondition(stack, 'SendsMail', {
    expression: Fn.conditionNot(Fn.conditionEquals(address, '')),
  });
  const identity = (resourceName: string): string =>
    stack.formatArn({ service: 'ses', resource: 'identity', resourceName });
  const policy = new CfnPolicy(stack, 'SendMailPolicy', {
    policyName: 'SendMail',
    roles: users.map((user) => user.role.roleName),
    policyDocument: {
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Action: 'ses:SendEmail',
          Resource: [identity(address), identity(Fn.select(1, Fn.split('@', address)))],
          Condition: { StringEquals: { 'ses:FromAddress': address } },
        },
      ],
    },
  });
  policy.cfnOptions.condition = sendsMail;
  acknowledge(policy, inlinePolicyReason);
}
