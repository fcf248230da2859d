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

/** Partitions of what proves who did what: added to, but never changed or deleted. */
const auditPartitions = ['AUDIT#*', 'AUDITCHAIN#*', 'SEEN#*'];
/** Those of them that only the keeper of the audit log adds to. */
const keepersPartitions = ['AUDITCHAIN#*', 'SEEN#*'];
/** What the search finds things by, which is written and deleted many items at a time. */
const searchPartitions = ['TERM#*'];
/** What a function that answers clients writes when they see something. */
const accessPartitions = ['AUDIT#*', 'VISIT#*'];

/** The one table of the service: on demand, with its own key, a stream, a time to live and its indexes. */
export class ServiceTable extends Construct {
  readonly table: Table;
  readonly key: Key;

  constructor(scope: Construct, id: string, { stage }: ServiceContext) {
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
      const trial = 'It holds trial data, which goes with the stack.';
      acknowledge(this.table, {
        'AwsSolutions-DDB3': trial,
        'HIPAA.Security-DynamoDBPITREnabled': trial,
      });
    }
    for (const index of tableSchema.indexes) this.table.addGlobalSecondaryIndex(indexProps(index));
  }

  /** Lets the function read items one by one or by query. Nothing may scan. */
  letRead(user: ServiceFunction): void {
    const indexes = Fn.join('', [this.table.tableArn, '/index/*']);
    user.allow(readActions, [this.table.tableArn, indexes]);
    user.explainWildcard(indexes, 'They are the indexes of one table, whose items its readers read anyway.');
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
   * Lets a function that answers clients write down that an API key was used and how many requests a project
   * made, even if it may write nothing else.
   */
  letCountRequests(user: ServiceFunction): void {
    this.allowOf(user, 'dynamodb:UpdateItem', ['APIKEY#*', 'RATE#*']);
  }

  /** Lets a function that answers clients write down what they see, even if it may write nothing else. */
  letRecordAccess(user: ServiceFunction): void {
    this.allowOf(user, 'dynamodb:PutItem', accessPartitions);
  }

  /** Allows the audit log keeper to seal entries, file them under patients, and set when they expire. */
  letSealAudit(user: ServiceFunction): void {
    this.allowOf(user, 'dynamodb:PutItem', auditPartitions);
  }

  /** Lets the function write and delete what the search finds things by. */
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
   * Denies actions on some partitions, overriding other permissions. "For all values" refuses each item for
   * itself and never a transaction for one of its items; without values it would hold too, so there must be
   * some.
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

  /**
   * Lets a function that writes also delete items: granted by name, because most items leave by their time
   * to live.
   */
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
    follower.explainWildcard('*', 'DynamoDB lets the listing of streams be granted for all of them only.');
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
  if (projects === 'all') return { ...common, projectionType: ProjectionType.ALL };
  if (projects === 'keys') return { ...common, projectionType: ProjectionType.KEYS_ONLY };
  return { ...common, projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...projects] };
}
