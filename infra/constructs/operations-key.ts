import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { ArnFormat, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Stage } from './stage.ts';

/**
 * Encrypts logs and alarm notifications. Its key policy allows CloudWatch Logs and CloudWatch alarms to use it; roles
 * that read patient data have no access. Sources: CloudWatch Logs user guide, "Encrypt log data"; SNS developer guide,
 * "Enable compatibility between event sources from AWS services and encrypted topics".
 */
export function operationsKey(scope: Construct, id: string, stage: Stage): Key {
  const { region, stackName } = Stack.of(scope);
  const key = new Key(scope, id, {
    description: 'Encrypts logs and alarms',
    enableKeyRotation: true,
    removalPolicy: stage.dataRemoval,
  });
  const ofStack = Stack.of(scope).formatArn({
    service: 'logs',
    resource: 'log-group',
    resourceName: `${stackName}-*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  key.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal(`logs.${region}.amazonaws.com`)],
      actions: ['kms:Encrypt*', 'kms:Decrypt*', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:Describe*'],
      resources: ['*'],
      conditions: { ArnLike: { 'kms:EncryptionContext:aws:logs:arn': ofStack } },
    }),
  );
  // No condition, as AWS documents: an alarm without access to the key would notify nobody. The topic's policy admits
  // only alarms of this account.
  key.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
      resources: ['*'],
    }),
  );
  return key;
}
