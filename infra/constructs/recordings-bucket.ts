import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { ProjectKeys } from './project-keys.ts';
import type { ServiceContext } from './service-context.ts';
import type { ServiceFunction } from './service-function.ts';

/** The key prefixes of recordings and of patient exports. */
const recordingsPrefix = 'recordings/';
const exportsPrefix = 'exports/';

const storeActions = ['s3:PutObject', 's3:AbortMultipartUpload'];
/** S3 decrypts the data key when it completes a multipart upload, so writing needs both permissions. */
const storeKeyActions = ['kms:GenerateDataKey', 'kms:Decrypt'];

/** The bucket of call recordings: encrypted with its own key and projects' keys, TLS only, versioned, private. */
export class RecordingsBucket extends Construct {
  readonly bucket: Bucket;
  private readonly key: Key;
  private readonly projectKeys: ProjectKeys;

  constructor(scope: Construct, id: string, { stage, accessLogs }: ServiceContext, projectKeys: ProjectKeys) {
    super(scope, id);
    this.projectKeys = projectKeys;
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
          // Deleted recordings must be gone; one day remains to undo a mistake.
          noncurrentVersionExpiration: Duration.days(1),
          expiredObjectDeleteMarker: true,
          abortIncompleteMultipartUploadAfter: Duration.days(1),
        },
        {
          // A safety net: the service itself deletes each export a day after creating it.
          id: 'RemoveExports',
          prefix: exportsPrefix,
          expiration: Duration.days(2),
        },
      ],
      serverAccessLogsBucket: accessLogs,
      serverAccessLogsPrefix: 'recordings/',
      removalPolicy: stage.dataRemoval,
    });
    acknowledge(this.bucket, {
      'HIPAA.Security-S3BucketReplicationEnabled':
        'Where it matters, a daily backup exists, and a replica would keep erased data.',
    });
  }

  /** Lets the function read recordings, learn that one is gone, and presign their URLs. */
  letRead(reader: ServiceFunction): void {
    this.let(reader, recordingsPrefix, ['s3:GetObject'], ['kms:Decrypt']);
    // Otherwise S3 denies access to a missing object.
    this.letListBelow(reader, 's3:ListBucket', recordingsPrefix);
  }

  /** As `letRead`, for patient exports. */
  letReadExports(reader: ServiceFunction): void {
    this.let(reader, exportsPrefix, ['s3:GetObject'], ['kms:Decrypt']);
  }

  /** Lets the function store recordings, also in parts, and delete them. */
  letWrite(keeper: ServiceFunction): void {
    this.let(keeper, recordingsPrefix, [...storeActions, 's3:DeleteObject'], storeKeyActions);
  }

  /** Lets the function store patient exports and delete them with all versions. */
  letWriteExports(exporter: ServiceFunction): void {
    this.let(exporter, exportsPrefix, storeActions, storeKeyActions);
    this.letEraseBelow(exporter, exportsPrefix);
  }

  /** Lets the function delete recordings with all versions, but not read them. */
  letErase(eraser: ServiceFunction): void {
    this.letEraseBelow(eraser, recordingsPrefix);
  }

  private letEraseBelow(eraser: ServiceFunction, prefix: string): void {
    eraser.allow(['s3:DeleteObject', 's3:DeleteObjectVersion'], [this.objects(eraser, prefix)]);
    this.letListBelow(eraser, 's3:ListBucketVersions', prefix);
  }

  private letListBelow(user: ServiceFunction, action: string, prefix: string): void {
    user.grant(
      new PolicyStatement({
        actions: [action],
        resources: [this.bucket.bucketArn],
        conditions: { StringLike: { 's3:prefix': `${prefix}*` } },
      }),
    );
  }

  /** The resource of a grant: all objects below a prefix. */
  private objects(user: ServiceFunction, prefix: string): string {
    const objects = this.bucket.arnForObjects(`${prefix}*`);
    user.explainWildcard(objects, 'Recordings and exports come and go, each below its own prefix.');
    return objects;
  }

  private let(
    user: ServiceFunction,
    prefix: string,
    actions: readonly string[],
    keyActions: readonly string[],
  ): void {
    user.allow(actions, [this.objects(user, prefix)]);
    user.allow(keyActions, [this.key.keyArn], `s3.${Stack.of(this).region}.${Stack.of(this).urlSuffix}`);
    this.projectKeys.letUseForObjects(user, keyActions, this.bucket.bucketArn);
  }
}
