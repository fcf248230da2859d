import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Fn, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { indexNames, listedTaskAttributes } from '#shared/table/indexes.ts';
import type { Route } from '../route.ts';
import type { ServiceContext } from './service-context.ts';
import type { ServiceFunction } from './service-function.ts';

const readActions = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];
const readKeyActions = ['kms:Decrypt', 'kms:DescribeKey'];
const writeActions = ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:ConditionCheckItem'];
const writeKeyActions = [
  ...readKeyActions,
  'kms:Encrypt',
  'kms:GenerateDataKey',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
];

/** The one table of the service: on demand, with its own key, a stream, a time to live and its indexes. */
export class ServiceTable extends Construct {
  readonly table: Table;
  private readonly key: Key;

  constructor(scope: Construct, id: string, { stage }: ServiceContext) {
    super(scope, id);
    this.key = new Key(this, 'Key', {
      description: 'Encrypts the table of patients, tasks and calls',
      enableKeyRotation: true,
      removalPolicy: stage.dataRemoval,
    });
    this.table = new Table(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.CUSTOMER_MANAGED,
      encryptionKey: this.key,
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      timeToLiveAttribute: 'expires_at_seconds',
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: stage.pointInTimeRecovery },
      deletionProtection: stage.deletionProtection,
      removalPolicy: stage.dataRemoval,
    });
    this.table.addGlobalSecondaryIndex({
      indexName: indexNames.project,
      partitionKey: { name: 'project_pk', type: AttributeType.STRING },
      sortKey: { name: 'project_sk', type: AttributeType.STRING },
      projectionType: ProjectionType.ALL,
    });
    this.table.addGlobalSecondaryIndex({
      indexName: indexNames.patient,
      partitionKey: { name: 'patient_pk', type: AttributeType.STRING },
      sortKey: { name: 'patient_sk', type: AttributeType.STRING },
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: [...listedTaskAttributes],
    });
    // A recording is looked up by call id alone: what that answer needs is projected, so it takes one request.
    this.table.addGlobalSecondaryIndex({
      indexName: indexNames.call,
      partitionKey: { name: 'call_pk', type: AttributeType.STRING },
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: ['project_id', 'recording'],
    });
    this.table.addGlobalSecondaryIndex({
      indexName: indexNames.due,
      partitionKey: { name: 'due_pk', type: AttributeType.STRING },
      sortKey: { name: 'due_at', type: AttributeType.STRING },
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: ['type'],
    });
    this.table.addGlobalSecondaryIndex({
      indexName: indexNames.lane,
      partitionKey: { name: 'lane_pk', type: AttributeType.STRING },
      sortKey: { name: 'lane_sk', type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    });
  }

  /**
   * Names the table to the function and lets it read items one by one or by query, or also put and update
   * them, alone or in a transaction. Nothing may scan.
   */
  let(user: ServiceFunction, access: Route['tableAccess']): void {
    if (access === 'none') {
      return;
    }
    user.setEnvironment('TABLE_NAME', this.table.tableName);
    user.allow(readActions, [this.table.tableArn, Fn.join('', [this.table.tableArn, '/index/*'])]);
    if (access === 'write') {
      user.allow(writeActions, [this.table.tableArn]);
    }
    user.allow(access === 'write' ? writeKeyActions : readKeyActions, [this.key.keyArn], this.viaDynamoDb());
  }

  /**
   * Lets a function that answers clients write down that an API key was used and how many requests a project made, even if
   * it may write nothing else.
   */
  letNoteRequests(user: ServiceFunction): void {
    user.role.addToPolicy(
      new PolicyStatement({
        actions: ['dynamodb:UpdateItem'],
        resources: [this.table.tableArn],
        conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['APIKEY#*', 'RATE#*'] } },
      }),
    );
    user.allow(writeKeyActions, [this.key.keyArn], this.viaDynamoDb());
  }

  /** Lets a function that writes also delete items: granted by name, because most items leave by their time to live. */
  letDelete(user: ServiceFunction): void {
    user.allow(['dynamodb:DeleteItem'], [this.table.tableArn]);
  }

  get streamArn(): string {
    const arn = this.table.tableStreamArn;
    if (arn === undefined) {
      throw new Error('The table has no stream');
    }
    return arn;
  }

  /** Lets the function be fed from the table's stream. */
  letFollow(follower: ServiceFunction): void {
    follower.allow(
      ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      [this.streamArn],
    );
    // Listing streams cannot be narrowed to one table, and the event source mapping asks for it.
    follower.allow(['dynamodb:ListStreams'], ['*']);
    follower.allow(['kms:Decrypt'], [this.key.keyArn], this.viaDynamoDb());
  }

  private viaDynamoDb(): string {
    const { region, urlSuffix } = Stack.of(this);
    return `dynamodb.${region}.${urlSuffix}`;
  }
}
