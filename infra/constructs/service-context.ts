import type { Key } from 'aws-cdk-lib/aws-kms';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Alarms } from './alarms.ts';
import type { Stage } from './stage.ts';

/** What every construct of the service needs. */
export interface ServiceContext {
  readonly stage: Stage;
  readonly alarms: Alarms;
  /** Encrypts logs. */
  readonly operationsKey: Key;
  /** Receives the S3 access logs of the other buckets. */
  readonly accessLogs: IBucket;
  /** Directory with one folder per bundled function. */
  readonly bundlesDir: string;
}
