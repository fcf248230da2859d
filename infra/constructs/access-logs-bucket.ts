import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { Stage } from './stage.ts';

/** Holds the other buckets' S3 access logs for as long as the functions' logs. */
export function accessLogsBucket(scope: Construct, id: string, stage: Stage): IBucket {
  const bucket = new Bucket(scope, id, {
    // S3 cannot deliver access logs to a bucket encrypted with a customer managed key.
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    versioned: true,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    lifecycleRules: [
      {
        id: 'Forget',
        expiration: Duration.days(stage.logRetention),
        noncurrentVersionExpiration: Duration.days(1),
      },
    ],
    removalPolicy: stage.dataRemoval,
  });
  acknowledge(bucket, {
    'HIPAA.Security-S3BucketReplicationEnabled':
      'Access logs name objects by random IDs and hold no health information, so one copy is enough.',
    'HIPAA.Security-S3DefaultEncryptionKMS':
      'S3 delivers access logs only to buckets encrypted with its own keys, as this one is.',
  });
  // The class allows `undefined` where the interface allows only an absent property.
  return bucket as IBucket;
}
