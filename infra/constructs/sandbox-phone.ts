import { AttributeType, BillingMode, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Duration, Fn, RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { QueueName, Use } from '#shared/triggers/manifest.ts';
import { manifest as api } from '../../functions/manifests/sandbox-phone-api.ts';
import { manifest as line } from '../../functions/manifests/sandbox-phone-line.ts';
import { personasPrefix } from '../../shared/sandbox-phone/personas/persona-bucket.ts';
import { QueueWorker } from './queue-worker.ts';
import type { ServiceContext } from './service-context.ts';
import { ServiceFunction } from './service-function.ts';

/** The account that the sandbox phone knows; public, only its token is a secret. */
const accountSid = 'AC5a9db0c5000000000000000000000001';

/**
 * The simulated telephone network. It is a peer on the wire that shares nothing with the service but the account's
 * secret: its own table, bucket and queue, which hold invented people only and forget within a week.
 */
export class SandboxPhone extends Construct {
  readonly restApi: ServiceFunction;
  readonly line: ServiceFunction;
  readonly lineQueue: QueueWorker;
  readonly table: Table;
  readonly bucket: Bucket;
  private readonly secret: Secret;

  constructor(scope: Construct, id: string, context: ServiceContext) {
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

    this.restApi = new ServiceFunction(this, context, api);
    this.line = new ServiceFunction(this, context, line);
    this.lineQueue = new QueueWorker(this, 'LineQueue', context, {
      worker: this.line,
      trigger: line.trigger,
    });
  }

  /** What each use of the phone's own resources lets a function do. */
  get grants(): Record<SandboxUse, (user: ServiceFunction) => void> {
    const recordings = this.bucket.arnForObjects('recordings/*');
    return {
      'sandboxTable.write': (user) => {
        user.allow(['dynamodb:Query'], [Fn.join('', [this.table.tableArn, '/index/created-index'])]);
        user.allow(['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'], [this.table.tableArn]);
      },
      'sandboxTable.delete': (user) => user.allow(['dynamodb:DeleteItem'], [this.table.tableArn]),
      'sandboxRecordings.read': (user) => user.allow(['s3:GetObject'], [recordings]),
      'sandboxRecordings.write': (user) => user.allow(['s3:PutObject'], [recordings]),
      'sandboxRecordings.delete': (user) => user.allow(['s3:DeleteObject'], [recordings]),
      'sandboxPeople.read': (user) => {
        user.allow(['s3:ListBucket'], [this.bucket.bucketArn]);
        user.allow(['s3:GetObject'], [this.bucket.arnForObjects(`${personasPrefix}*`)]);
      },
      'sandboxCarrierSecret.read': (user) =>
        user.allow(['secretsmanager:GetSecretValue'], [this.secret.secretArn]),
    };
  }

  /** Of the secret with the simulated account, whose REST API any client of the carrier can use. */
  get secretArn(): string {
    return this.secret.secretArn;
  }
}

type SandboxUse = Exclude<Extract<Use, `sandbox${string}`>, `${QueueName}.send`>;
