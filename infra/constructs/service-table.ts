import {
  AttributeType,
  BillingMode,
  type GlobalSecondaryIndexProps,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Fn, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { type IndexSchema, tableSchema } from '#shared/table/schema.ts';
import { acknowledge } from './acknowledge.ts';
import type { ServiceContext } from './service-context.ts';
import type { ServiceFunction } from './service-function.ts';

const readActions = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];
export const readKeyActions = ['kms:Decrypt', 'kms:DescribeKey'];
const writeActions = ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:ConditionCheckItem'];
export const writeKeyActions = ['kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'];

/** Append-only partitions of the audit log. */
const auditPartitions = ['AUDIT#*', 'AUDITCHAIN#*', 'SEEN#*'];
/** Audit partitions that only the audit keeper adds to. */
const keepersPartitions = ['AUDITCHAIN#*', 'SEEN#*'];
/** Partitions of search terms, written and deleted many items at a time. */
const searchPartitions = ['TERM#*'];
/** Partitions that functions of the API write when a client sees something. */
const accessPartitions = ['AUDIT#*', 'VISIT#*'];

/** The service's single table: on demand, with its own key, a stream, a time to live and indexes. */
export class ServiceTable extends Construct {
  readonly table: Table;
  readonly key: Key;

  constructor(scope: Construct, id: string, { stage }: Pick<ServiceContext, 'stage'>) {
    super(scope, id);
    this.key = new Key(this, 'Key', {
      description: 'Encrypts the table of patients, tasks and calls',
      enableKeyRotation: true,
      removalPolicy: stage.dataRemoval,
    });
    this.table = new Table(this, 'Table', {
      ...keysOf(tableSchema.keys),
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.CUSTOMER_MANAGED,
      encryptionKey: this.key,
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      timeToLiveAttribute: tableSchema.timeToLiveAttribute,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: stage.pointInTimeRecovery },
      deletionProtection: stage.deletionProtection,
      removalPolicy: stage.dataRemoval,
    });
    if (!stage.pointInTimeRecovery) {
      const trial = 'It holds trial data, which is deleted with the stack.';
      acknowledge(this.table, {
        'AwsSolutions-DDB3': trial,
        'HIPAA.Security-DynamoDBPITREnabled': trial,
      });
    }
    for (const index of tableSchema.indexes) this.table.addGlobalSecondaryIndex(indexProps(index));
    // Functions of earlier versions read this index until they are replaced: docs/deploy.md.
    if (this.node.tryGetContext('keepProjectIndex') !== undefined) {
      const keys = keysOf({ partition: 'project_pk', sort: 'project_sk' });
      this.table.addGlobalSecondaryIndex({ indexName: 'project-index', ...keys });
    }
  }

  /** Lets the function read items one by one or by query. No function may scan. */
  letRead(user: ServiceFunction): void {
    const indexes = Fn.join('', [this.table.tableArn, '/index/*']);
    user.allow(readActions, [this.table.tableArn, indexes]);
    user.explainWildcard(
      indexes,
      'They are the indexes of one table, whose readers may read its items anyway.',
    );
    user.allow(readKeyActions, [this.key.keyArn], this.viaDynamoDb());
  }

  /** Lets the function also put and update items, alone or in a transaction. */
  letWrite(user: ServiceFunction): void {
    this.letRead(user);
    user.allow(writeActions, [this.table.tableArn]);
    this.refuse(user, ['dynamodb:UpdateItem', 'dynamodb:DeleteItem'], auditPartitions);
    this.refuse(user, ['dynamodb:PutItem'], keepersPartitions);
    user.allow(writeKeyActions, [this.key.keyArn], this.viaDynamoDb());
  }

  /**
   * Lets a function of the API record the use of an API key and a project's request count, even if it may write
   * nothing else.
   */
  letCountRequests(user: ServiceFunction): void {
    this.allowOf(user, 'dynamodb:UpdateItem', ['APIKEY#*', 'RATE#*']);
  }

  /** Lets a function of the API record accesses, even if it may write nothing else. */
  letRecordAccess(user: ServiceFunction): void {
    this.allowOf(user, 'dynamodb:PutItem', accessPartitions);
  }

  /** Lets the audit keeper seal entries, file them under patients, and set their expiry. */
  letSealAudit(user: ServiceFunction): void {
    this.allowOf(user, 'dynamodb:PutItem', auditPartitions);
  }

  /** Lets the function write and delete search terms. */
  letIndex(user: ServiceFunction): void {
    this.allowOf(user, 'dynamodb:BatchWriteItem', searchPartitions);
  }

  private allowOf(user: ServiceFunction, action: string, partitions: readonly string[]): void {
    user.grant(
      new PolicyStatement({
        actions: [action],
        resources: [this.table.tableArn],
        conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...partitions] } },
      }),
    );
    user.allow(writeKeyActions, [this.key.keyArn], this.viaDynamoDb());
  }

  /**
   * Denies actions on some partitions, overriding other permissions. "For all values" checks each item of a
   * transaction separately; it is also true without values, so the condition requires some.
   */
  private refuse(user: ServiceFunction, actions: readonly string[], partitions: readonly string[]): void {
    user.grant(
      new PolicyStatement({
        effect: Effect.DENY,
        actions: [...actions],
        resources: [this.table.tableArn],
        conditions: {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...partitions] },
          Null: { 'dynamodb:LeadingKeys': 'false' },
        },
      }),
    );
  }

  /** Lets a function that writes also delete items; granted separately, because most items expire instead. */
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

  /** Feeds the function from the table's stream. */
  letFollow(follower: ServiceFunction): void {
    follower.allow(
      ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      [this.streamArn],
    );
    // Listing streams cannot be limited to one table, and the event source mapping requires it.
    follower.allow(['dynamodb:ListStreams'], ['*']);
    follower.explainWildcard('*', 'DynamoDB allows granting the listing of streams only for all of them.');
    follower.allow(['kms:Decrypt'], [this.key.keyArn], this.viaDynamoDb());
  }

  private viaDynamoDb(): string {
    const { region, urlSuffix } = Stack.of(this);
    return `dynamodb.${region}.${urlSuffix}`;
  }
}

function keysOf({ partition, sort }: Pick<IndexSchema, 'partition' | 'sort'>) {
  const text = (name: string) => ({ name, type: AttributeType.STRING });
  return { partitionKey: text(partition), ...(sort === undefined ? {} : { sortKey: text(sort) }) };
}

function indexProps(index: IndexSchema): GlobalSecondaryIndexProps {
  const { name: indexName, projects } = index;
  const common = { indexName, ...keysOf(index) };
  if (projects === 'keys') return { ...common, projectionType: ProjectionType.KEYS_ONLY };
  return { ...common, projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...projects] };
}
