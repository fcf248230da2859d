import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { ServiceContext } from './service-context.ts';
import type { ServiceFunction } from './service-function.ts';

/** Every recording lies below this prefix; nothing else of the bucket is granted. */
const recordingsPrefix = 'recordings/';

/** The bucket of call recordings: own key, TLS only, versioned, closed to the public. */
export class RecordingsBucket extends Construct {
  readonly bucket: Bucket;
  private readonly key: Key;

  constructor(scope: Construct, id: string, { stage, accessLogs }: ServiceContext) {
    super(scope, id);
    this.key = new Key(this, 'Key', {
      description: 'Encrypts call recordings',
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
      lifecycleRules: [
        {
          id: 'RemoveLeftovers',
          // What a project has deleted must be gone; a day is left to notice that something was deleted by mistake.
          noncurrentVersionExpiration: Duration.days(1),
          expiredObjectDeleteMarker: true,
          abortIncompleteMultipartUploadAfter: Duration.days(1),
        },
      ],
      serverAccessLogsBucket: accessLogs,
      serverAccessLogsPrefix: 'recordings/',
      removalPolicy: stage.dataRemoval,
    });
    acknowledge(this.bucket, {
      'HIPAA.Security-S3BucketReplicationEnabled':
        'Where it matters a daily backup is kept apart from it, and a copy elsewhere would keep what was erased.',
    });
  }

  /** Lets the function fetch, or presign the fetching of, recordings. */
  letRead(reader: ServiceFunction): void {
    this.let(reader, ['s3:GetObject'], ['kms:Decrypt']);
  }

  /** Lets the function store recordings, in parts if they are long, and delete them. */
  letWrite(keeper: ServiceFunction): void {
    this.let(
      keeper,
      ['s3:PutObject', 's3:AbortMultipartUpload', 's3:DeleteObject'],
      // Completing an upload in parts makes S3 decrypt the parts' data key, so storing needs both key actions.
      ['kms:GenerateDataKey', 'kms:Decrypt'],
    );
  }

  /** Lets the function delete recordings with all their versions, and hear none. */
  letErase(eraser: ServiceFunction): void {
    eraser.allow(['s3:DeleteObject', 's3:DeleteObjectVersion'], [this.objects(eraser)]);
    eraser.grant(
      new PolicyStatement({
        actions: ['s3:ListBucketVersions'],
        resources: [this.bucket.bucketArn],
        conditions: { StringLike: { 's3:prefix': `${recordingsPrefix}*` } },
      }),
    );
  }

  /** All recordings, as what the user is granted. */
  private objects(user: ServiceFunction): string {
    const objects = this.bucket.arnForObjects(`${recordingsPrefix}*`);
    user.explainWildcard(objects, 'Recordings come and go, and all of them lie below this prefix.');
    return objects;
  }

  private let(user: ServiceFunction, actions: readonly string[], keyActions: readonly string[]): void {
    user.allow(actions, [this.objects(user)]);
    user.allow(keyActions, [this.key.keyArn], `s3.${Stack.of(this).region}.${Stack.of(this).urlSuffix}`);
  }
}
