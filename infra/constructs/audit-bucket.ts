import { Key } from 'aws-cdk-lib/aws-kms';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  ObjectLockRetention,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { ServiceContext } from './service-context.ts';
import type { ServiceFunction } from './service-function.ts';

/** Prefix of all copies; grants cover nothing else in the bucket. */
const copiesPrefix = 'audit/';
/** Six years, as 45 CFR 164.316(b)(2)(i) requires for documentation. */
const retention = Duration.days(6 * 365 + 2);

/** Copies of the audit log. If the stage locks them, they cannot be changed or deleted for six years. */
export class AuditBucket extends Construct {
  readonly bucket: Bucket;
  private readonly key: Key;

  constructor(scope: Construct, id: string, { stage, accessLogs }: ServiceContext) {
    super(scope, id);
    this.key = new Key(this, 'Key', {
      description: 'Encrypts the copies of the audit log',
      enableKeyRotation: true,
      removalPolicy: stage.dataRemoval,
    });
    this.bucket = new Bucket(this, 'Bucket', {
      encryption: BucketEncryption.KMS,
      encryptionKey: this.key,
      bucketKeyEnabled: true,
      enforceSSL: true,
      versioned: true,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      ...(stage.auditLock
        ? { objectLockEnabled: true, objectLockDefaultRetention: ObjectLockRetention.compliance(retention) }
        : {}),
      serverAccessLogsBucket: accessLogs,
      serverAccessLogsPrefix: 'audit/',
      removalPolicy: stage.dataRemoval,
    });
    acknowledge(this.bucket, {
      'HIPAA.Security-S3BucketReplicationEnabled':
        'It is the second copy of a log that the table also has, and the lock in prod prevents changes.',
    });
  }

  /** Lets the function add copies, but not read or delete any. */
  letWrite(keeper: ServiceFunction): void {
    const copies = this.bucket.arnForObjects(`${copiesPrefix}*`);
    keeper.allow(['s3:PutObject'], [copies]);
    keeper.explainWildcard(copies, 'Copies are added every day, all below this prefix.');
    keeper.allow(
      ['kms:GenerateDataKey'],
      [this.key.keyArn],
      `s3.${Stack.of(this).region}.${Stack.of(this).urlSuffix}`,
    );
  }
}
