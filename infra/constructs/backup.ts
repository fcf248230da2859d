import { CfnBackupPlan, CfnBackupSelection, CfnBackupVault } from 'aws-cdk-lib/aws-backup';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Aws, CfnCondition, CfnOutput, CfnParameter, CfnResource, Fn, type Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { ServiceContext } from './service-context.ts';
import { stackUuidStart } from './stage.ts';

export interface BackupProps {
  /** Encrypts the vault. */
  readonly key: IKey;
  /** ARNs of the sources. */
  readonly sources: readonly string[];
}

/** As far as point-in-time recovery reaches back; after that, erased data is gone everywhere. */
const keptDays = 35;

/** The role that AWS Backup uses to copy and restore tables and buckets. */
const managedPolicies = [
  'service-role/AWSBackupServiceRolePolicyForBackup',
  'service-role/AWSBackupServiceRolePolicyForRestores',
  'AWSBackupServiceRolePolicyForS3Backup',
  'AWSBackupServiceRolePolicyForS3Restore',
];

/**
 * A daily copy of each source in a vault of its own, if the stage or a parameter asks for it. The vault is always
 * there, because one that left the stack with its copies would keep its name from the next.
 */
export class Backup extends Construct {
  constructor(scope: Stack, id: string, { stage }: ServiceContext, { key, sources }: BackupProps) {
    super(scope, id);
    const wanted = new CfnParameter(scope, 'Backups', {
      description: 'Whether AWS Backup copies the table and the recordings every day, and keeps 35 of each.',
      default: stage.backups ? 'on' : 'off',
      allowedValues: ['on', 'off'],
    });
    const isWanted = new CfnCondition(scope, 'HasBackups', {
      expression: Fn.conditionEquals(wanted.valueAsString, 'on'),
    });

    const vault = new CfnBackupVault(this, 'Vault', {
      // A vault retained after its stack was deleted keeps its name, so the next one needs another.
      backupVaultName: Fn.join('-', [Aws.STACK_NAME, stackUuidStart()]),
      encryptionKeyArn: key.keyArn,
    });
    vault.applyRemovalPolicy(stage.dataRemoval);
    const plan = new CfnBackupPlan(this, 'Plan', {
      backupPlan: {
        backupPlanName: Aws.STACK_NAME,
        backupPlanRule: [
          {
            ruleName: 'Daily',
            targetBackupVault: vault.ref,
            // Night in the Americas, when few calls are made. Times are UTC.
            scheduleExpression: 'cron(0 8 * * ? *)',
            lifecycle: { deleteAfterDays: keptDays },
          },
        ],
      },
    });
    const role = new Role(this, 'Role', {
      description: 'AWS Backup copies and restores the data of the service',
      assumedBy: new ServicePrincipal('backup.amazonaws.com'),
      managedPolicies: managedPolicies.map((name) => ManagedPolicy.fromAwsManagedPolicyName(name)),
    });
    acknowledge(
      role,
      Object.fromEntries(
        managedPolicies.map((name) => [
          `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${name}]`,
          'AWS keeps it up to date for AWS Backup, which alone can assume the role.',
        ]),
      ),
    );
    new CfnBackupSelection(this, 'Selection', {
      backupPlanId: plan.attrBackupPlanId,
      backupSelection: {
        selectionName: 'Data',
        iamRoleArn: role.roleArn,
        resources: [...sources],
      },
    });
    for (const resource of this.node.findAll()) {
      if (resource instanceof CfnResource && resource !== vault) resource.cfnOptions.condition = isWanted;
    }
    new CfnOutput(scope, 'BackupVaultName', { value: vault.ref });
    new CfnOutput(scope, 'BackupRoleArn', { value: role.roleArn, condition: isWanted });
  }
}
