import { AttributeType, BillingMode, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Duration, Fn, RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { peoplePrefix } from '../../shared/sandbox-phone/people/people-bucket.ts';
import { QueueWorker } from './queue-worker.ts';
import type { ServiceContext } from './service-context.ts';
import { ServiceFunction } from './service-function.ts';

export interface SandboxPhoneProps {
  readonly publicBaseUrl: string;
  readonly relayUrl: string;
  /** Real seconds that one simulated second takes. */
  readonly pace: string;
  /** `voices` or `tones`. */
  readonly speech: string;
  /** How many calls may start in a second; 0 is no limit. */
  readonly callsPerSecond: string;
}

/** The account that the sandbox phone knows; public, only its token is a secret. */
const accountSid = 'AC5a9db0c5000000000000000000000001';

/**
 * The simulated telephone network. It is a peer on the wire that shares nothing with the service but the account's
 * secret: its own table, bucket and queue, which hold invented people only and forget within a week.
 */
export class SandboxPhone extends Construct {
  readonly restApi: ServiceFunction;
  readonly line: ServiceFunction;
  readonly lineWorker: QueueWorker;
  readonly table: Table;
  readonly bucket: Bucket;
  private readonly secret: Secret;

  constructor(scope: Construct, id: string, context: ServiceContext, props: SandboxPhoneProps) {
    super(scope, id);
    this.secret = new Secret(this, 'CarrierSecret', {
      description: 'Account of the sandbox phone',
      generateSecretString: {
        secretStringTemplate: JSON.stringify({ account_sid: accountSid }),
        generateStringKey: 'auth_token',
        passwordLength: 32,
        excludePunctuation: true,
      },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.table = new Table(this, 'Table', {
      partitionKey: { name: 'sid', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: 'expires_at_seconds',
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.table.addGlobalSecondaryIndex({
      indexName: 'created-index',
      partitionKey: { name: 'account_sid', type: AttributeType.STRING },
      sortKey: { name: 'created_at', type: AttributeType.STRING },
      projectionType: ProjectionType.ALL,
    });
    this.bucket = new Bucket(this, 'Bucket', {
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      lifecycleRules: [
        {
          id: 'Forget',
          // People of one's own stay.
          prefix: 'recordings/',
          expiration: Duration.days(7),
          abortIncompleteMultipartUploadAfter: Duration.days(1),
        },
      ],
      removalPolicy: RemovalPolicy.DESTROY,
    });

    this.restApi = new ServiceFunction(this, context, {
      name: 'sandbox-phone-api',
      description: 'Sandbox phone: REST API of the simulated carrier',
      memoryMb: 1024,
      timeoutSeconds: 10,
      failureMeans:
        'Calls of sandbox projects are not placed or their recordings not fetched; live projects go on.',
    });
    this.line = new ServiceFunction(this, context, {
      name: 'sandbox-phone-line',
      description: 'Sandbox phone: runs one simulated call from ringing to hang-up',
      // A whole processor, because it synthesizes the speech of both sides.
      memoryMb: 1769,
      timeoutSeconds: 900,
      failureMeans: 'Calls of sandbox projects break off in the middle; live projects go on.',
      feedsItself: true,
    });
    this.lineWorker = new QueueWorker(this, 'LineQueue', context, {
      worker: this.line,
      batchSize: 1,
      // One message is one call and the longest call is the longest a function may run, so six times that is not needed.
      visibilityTimeoutSeconds: 900,
      maxReceives: 3,
      maxConcurrency: 50,
      deadLettersMean:
        'Some calls of sandbox projects were never played; their tasks end by the limit of the call.',
    });

    const recordings = this.bucket.arnForObjects('recordings/*');
    const index = Fn.join('', [this.table.tableArn, '/index/created-index']);
    for (const user of [this.restApi, this.line]) {
      this.letUseSecret(user);
      user.setEnvironment('SANDBOX_TABLE_NAME', this.table.tableName);
      user.setEnvironment('SANDBOX_BUCKET', this.bucket.bucketName);
      user.setEnvironment('PUBLIC_BASE_URL', props.publicBaseUrl);
      user.allow(['dynamodb:Query'], [index]);
      user.allow(['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'], [this.table.tableArn]);
    }
    this.restApi.allow(['dynamodb:DeleteItem'], [this.table.tableArn]);
    this.restApi.allow(['s3:GetObject', 's3:PutObject', 's3:DeleteObject'], [recordings]);
    this.line.allow(['s3:PutObject'], [recordings]);
    // People of one's own.
    this.line.allow(['s3:ListBucket'], [this.bucket.bucketArn]);
    this.line.allow(['s3:GetObject'], [this.bucket.arnForObjects(`${peoplePrefix}*`)]);
    for (const sender of [this.restApi, this.line]) {
      this.lineWorker.letSend(sender, 'SANDBOX_LINE_QUEUE_URL');
    }
    this.restApi.setEnvironment('SANDBOX_PHONE_CALLS_PER_SECOND', props.callsPerSecond);
    this.line.setEnvironment('RELAY_URL', props.relayUrl);
    this.line.setEnvironment('SANDBOX_PHONE_PACE', props.pace);
    this.line.setEnvironment('SANDBOX_PHONE_SPEECH', props.speech);
  }

  /** Of the secret with the simulated account, whose REST API any client of the carrier can use. */
  get secretArn(): string {
    return this.secret.secretArn;
  }

  /** Names the account's secret to the function and lets it read it. */
  letUseSecret(reader: ServiceFunction): void {
    reader.setEnvironment('SANDBOX_CARRIER_SECRET_ID', this.secret.secretArn);
    reader.allow(['secretsmanager:GetSecretValue'], [this.secret.secretArn]);
  }
}
