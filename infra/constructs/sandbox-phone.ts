import { AttributeType, BillingMode, ProjectionType, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { CfnParameter, Duration, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { FunctionManifest, QueueName, Use } from '#shared/triggers/manifest.ts';
import { manifest as api } from '../../functions/manifests/sandbox-phone-api.ts';
import { manifest as line } from '../../functions/manifests/sandbox-phone-line.ts';
import { personasPrefix } from '../../shared/sandbox-phone/personas/persona-bucket.ts';
import { acknowledge } from './acknowledge.ts';
import { QueueWorker } from './queue-worker.ts';
import type { ServiceContext } from './service-context.ts';
import { ServiceFunction } from './service-function.ts';
import { readKeyActions, writeKeyActions } from './service-table.ts';

export const phoneManifests: readonly FunctionManifest[] = [api, line];

/** Account SID of the sandbox phone; public, only its token is secret. */
const accountSid = 'AC5a9db0c5000000000000000000000001';

export interface SandboxPhoneProps {
  /** Encrypts the phone's data: people try it with realistic tasks. */
  readonly key: Key;
}

/**
 * The simulated telephone network. It is a peer on the wire that shares only the account's secret and the key with the
 * service: it has its own table, bucket and queue, whose data expires within a week.
 */
export class SandboxPhone extends Construct {
  readonly restApi: ServiceFunction;
  readonly line: ServiceFunction;
  readonly lineQueue: QueueWorker;
  readonly table: Table;
  readonly bucket: Bucket;
  readonly parameters: ReturnType<typeof addParameters>;
  private readonly secret: Secret;
  private readonly key: Key;

  constructor(scope: Stack, id: string, context: ServiceContext, { key }: SandboxPhoneProps) {
    super(scope, id);
    this.key = key;
    this.parameters = addParameters(scope);
    this.secret = new Secret(this, 'CarrierSecret', {
      encryptionKey: key,
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
      encryption: TableEncryption.CUSTOMER_MANAGED,
      encryptionKey: key,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.table.addGlobalSecondaryIndex({
      indexName: 'created-index',
      partitionKey: { name: 'account_sid', type: AttributeType.STRING },
      sortKey: { name: 'created_at', type: AttributeType.STRING },
      projectionType: ProjectionType.ALL,
    });
    this.bucket = new Bucket(this, 'Bucket', {
      serverAccessLogsBucket: context.accessLogs,
      serverAccessLogsPrefix: 'sandbox-phone/',
      encryption: BucketEncryption.KMS,
      encryptionKey: key,
      bucketKeyEnabled: true,
      enforceSSL: true,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      lifecycleRules: [
        {
          id: 'Forget',
          // Keeps custom personas.
          prefix: 'recordings/',
          expiration: Duration.days(7),
          abortIncompleteMultipartUploadAfter: Duration.days(1),
        },
      ],
      removalPolicy: RemovalPolicy.DESTROY,
    });

    this.setRulesAside();
    this.restApi = new ServiceFunction(this, context, api);
    this.line = new ServiceFunction(this, context, line);
    this.lineQueue = new QueueWorker(this, 'LineQueue', context, {
      worker: this.line,
      trigger: line.trigger,
    });
  }

  private setRulesAside(): void {
    const rotation = 'It is the account of a simulated carrier, and opens nothing but simulated calls.';
    acknowledge(this.secret, {
      'AwsSolutions-SMG4': rotation,
      'HIPAA.Security-SecretsManagerRotationEnabled': rotation,
    });
    const passing = 'It holds simulated calls, which expire after a week.';
    acknowledge(this.table, {
      'AwsSolutions-DDB3': passing,
      'HIPAA.Security-DynamoDBPITREnabled': passing,
      'HIPAA.Security-DynamoDBInBackupPlan': passing,
    });
    acknowledge(this.bucket, {
      'HIPAA.Security-S3BucketReplicationEnabled': passing,
      'HIPAA.Security-S3BucketVersioningEnabled': passing,
    });
  }

  /** What each `use` of the phone's resources grants to a function. */
  get grants(): Record<SandboxUse, (user: ServiceFunction) => void> {
    return {
      'sandboxTable.write': (user) => {
        user.allow(['dynamodb:Query'], [Fn.join('', [this.table.tableArn, '/index/created-index'])]);
        user.allow(['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'], [this.table.tableArn]);
        this.letUseKey(user, [...readKeyActions, ...writeKeyActions], 'dynamodb');
      },
      'sandboxTable.delete': (user) => user.allow(['dynamodb:DeleteItem'], [this.table.tableArn]),
      'sandboxRecordings.read': (user) => {
        this.allowBelow(user, ['s3:GetObject'], 'recordings/');
        this.letUseKey(user, ['kms:Decrypt'], 's3');
      },
      'sandboxRecordings.write': (user) => {
        this.allowBelow(user, ['s3:PutObject'], 'recordings/');
        this.letUseKey(user, ['kms:GenerateDataKey', 'kms:Decrypt'], 's3');
      },
      'sandboxRecordings.delete': (user) => this.allowBelow(user, ['s3:DeleteObject'], 'recordings/'),
      'sandboxPeople.read': (user) => {
        user.allow(['s3:ListBucket'], [this.bucket.bucketArn]);
        this.allowBelow(user, ['s3:GetObject'], personasPrefix);
        this.letUseKey(user, ['kms:Decrypt'], 's3');
      },
      'sandboxCarrierSecret.read': (user) => {
        user.allow(['secretsmanager:GetSecretValue'], [this.secret.secretArn]);
        this.letUseKey(user, ['kms:Decrypt'], 'secretsmanager');
      },
    };
  }

  /** The secret of the simulated account, whose REST API any client of the carrier can use. */
  get secretArn(): string {
    return this.secret.secretArn;
  }

  /** What a user of the sandbox phone needs. */
  get outputs(): Record<string, string> {
    return {
      SandboxTableName: this.table.tableName,
      SandboxBucketName: this.bucket.bucketName,
      SandboxCarrierSecretArn: this.secretArn,
      SandboxLineQueueUrl: this.lineQueue.queue.queueUrl,
      SandboxLineDeadLetterQueueUrl: this.lineQueue.deadLetters.queueUrl,
    };
  }

  private allowBelow(user: ServiceFunction, actions: readonly string[], prefix: string): void {
    const objects = this.bucket.arnForObjects(`${prefix}*`);
    user.allow(actions, [objects]);
    user.explainWildcard(objects, 'Objects come and go, all below this prefix.');
  }

  private letUseKey(
    user: ServiceFunction,
    actions: readonly string[],
    service: 'dynamodb' | 's3' | 'secretsmanager',
  ): void {
    const { region, urlSuffix } = Stack.of(this);
    user.allow(actions, [this.key.keyArn], `${service}.${region}.${urlSuffix}`);
  }
}

/** Deployment parameters of simulated calls. */
function addParameters(stack: Stack) {
  return {
    pace: new CfnParameter(stack, 'SandboxPhonePace', {
      description: 'Real seconds that one second of a simulated call takes, from 0 to 1, which is real time.',
      default: '0.05',
      allowedPattern: '^(0(\\.\\d+)?|1(\\.0+)?)$',
    }),
    callsPerSecond: new CfnParameter(stack, 'SandboxPhoneCallsPerSecond', {
      description:
        "Simulated calls that may start per second; others wait in the carrier's queue. 0: no limit.",
      default: '0',
      allowedPattern: '^\\d{1,3}(\\.\\d+)?$',
    }),
    speech: new CfnParameter(stack, 'SandboxPhoneSpeech', {
      description:
        'Sound of simulated calls: voices, or tones of the same length, which cost almost nothing.',
      default: 'voices',
      allowedValues: ['voices', 'tones'],
    }),
  };
}

/** Permissions on the sandbox phone, granted only where it is deployed. */
export type SandboxUse = Exclude<Extract<Use, `sandbox${string}`>, `${QueueName}.send`>;
