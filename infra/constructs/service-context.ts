import type { Key } from 'aws-cdk-lib/aws-kms';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Alarms } from './alarms.ts';
import type { Stage } from './stage.ts';

/** What every construct of the service is built with. */
export interface ServiceContext {
  readonly stage: Stage;
  readonly alarms: Alarms;
  /** Encrypts logs. */
  readonly operationsKey: Key;
  /** Where S3 writes who used the objects of the other buckets. */
  readonly accessLogs: IBucket;
  /** Directory that holds one folder per bundled function. */
  readonly bundlesDir: string;
}
