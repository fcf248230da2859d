import * as z from 'zod/mini';
import {
  bucketArn,
  functionArn,
  identityArn,
  keyArn,
  queueArn,
  secretArn,
  tableArn,
} from '../template/resource-types.ts';
import type { Access } from './policy.ts';

/** A request of an SDK client. */
export interface AwsRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** As the header `X-Amz-Target` has it; empty for S3, SES and Lambda. */
  readonly target: string;
  /** Empty where no check depends on it, such as for an object. */
  readonly body: string;
}

/** The name of each table's partition key, by the name of the table. */
export type PartitionKeys = ReadonlyMap<string, string>;

/** The tags of a key in KMS. */
export type TagsOfKey = (keyArn: string) => Readonly<Record<string, string>>;

/** All actions of a request, each of which must be allowed. Throws for an unknown request. */
export function accessesOf(
  request: AwsRequest,
  partitionKeys: PartitionKeys,
  tagsOfKey: TagsOfKey = () => ({}),
): Access[] {
  const [service = '', operation = ''] = request.target.split('.');
  if (service.startsWith('DynamoDB')) return dynamoDbAccesses(operation, request.body, partitionKeys);
  switch (service) {
    case 'AmazonSQS': {
      const { QueueUrl } = z.object({ QueueUrl: z.string() }).parse(JSON.parse(request.body));
      // A batch requires the permission for one message.
      return [access(`sqs:${operation.replace(/Batch$/, '')}`, queueArn(QueueUrl.split('/').at(-1) ?? ''))];
    }
    case 'secretsmanager': {
      const { SecretId } = z.object({ SecretId: z.string() }).parse(JSON.parse(request.body));
      const arn = SecretId.startsWith('arn:') ? SecretId : secretArn(SecretId);
      return [access(`secretsmanager:${operation}`, arn)];
    }
    case 'TrentService':
      return kmsAccesses(operation, request.body, tagsOfKey);
    case '':
      if (isMail(request.url)) return mailAccesses(request);
      return isInvocation(request.url) ? [invocationAccess(request.url)] : s3Accesses(request);
    default:
      throw new Error(`no known actions for ${request.target}`);
  }
}

function access(action: string, resource: string, context: Access['context'] = {}): Access {
  return { action, resource, context };
}

/**
 * What S3 requires to tell that an object is missing, instead of denying access
 * (docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html); null for any other request.
 */
export function absenceAccess({ method, url, target }: AwsRequest): Access | null {
  if (target !== '' || method !== 'GET' || isMail(url) || isInvocation(url)) return null;
  const [, bucket = '', ...key] = new URL(url, 'http://localhost').pathname
    .split('/')
    .map(decodeURIComponent);
  return access('s3:ListBucket', bucketArn(bucket), { 's3:prefix': [key.join('/')] });
}

/** SES v2 is recognized by its paths; no bucket has such a name. */
export function isMail(url: string): boolean {
  return url.startsWith('/v2/email/');
}

const invocationPath = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

/** The function that a request to Lambda's API invokes; null for any other request. No bucket has such a name. */
export function invokedFunction(url: string): string | null {
  const [, name] = invocationPath.exec(url) ?? [];
  return name === undefined ? null : decodeURIComponent(name);
}

export function isInvocation(url: string): boolean {
  return invokedFunction(url) !== null;
}

function invocationAccess(url: string): Access {
  return access('lambda:InvokeFunction', functionArn(invokedFunction(url) ?? ''));
}

const OfMail = z.object({ FromEmailAddress: z.string() });

/** docs.aws.amazon.com/service-authorization/latest/reference/list_amazonsimpleemailservicev2.html */
function mailAccesses({ method, url, body }: AwsRequest): Access[] {
  if (method !== 'POST' || url !== '/v2/email/outbound-emails') {
    throw new Error(`no known actions for ${method} ${url}`);
  }
  const { FromEmailAddress: from } = OfMail.parse(JSON.parse(body));
  return [access('ses:SendEmail', identityArn(from), { 'ses:FromAddress': [from] })];
}

const OnKey = z.object({
  KeyId: z.optional(z.string()),
  EncryptionContext: z._default(z.record(z.string(), z.string()), {}),
  Tags: z._default(z.array(z.object({ TagKey: z.string(), TagValue: z.string() })), []),
});

/** docs.aws.amazon.com/service-authorization/latest/reference/list_awskeymanagementservice.html */
function kmsAccesses(operation: string, body: string, tagsOfKey: TagsOfKey): Access[] {
  const { KeyId, EncryptionContext, Tags } = OnKey.parse(JSON.parse(body));
  const named = (prefix: string, values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}${name}`, [value]]));
  if (KeyId === undefined) {
    const tags = Object.fromEntries(Tags.map(({ TagKey, TagValue }) => [TagKey, TagValue]));
    const actions = [`kms:${operation}`, ...(Tags.length === 0 ? [] : ['kms:TagResource'])];
    return actions.map((action) => access(action, '*', named('aws:RequestTag/', tags)));
  }
  const arn = KeyId.startsWith('arn:') ? KeyId : keyArn(KeyId);
  return [
    access(`kms:${operation}`, arn, {
      ...named('kms:EncryptionContext:', EncryptionContext),
      ...named('aws:ResourceTag/', tagsOfKey(arn)),
    }),
  ];
}

const Attributes = z.record(z.string(), z.record(z.string(), z.unknown()));
const OnTable = z.object({
  TableName: z.string(),
  IndexName: z.optional(z.string()),
  Key: z.optional(Attributes),
  Item: z.optional(Attributes),
});
type OnTable = z.infer<typeof OnTable>;
const Transaction = z.object({ TransactItems: z.array(z.record(z.string(), OnTable)) });
const BatchGet = z.object({ RequestItems: z.record(z.string(), z.object({ Keys: z.array(Attributes) })) });
const BatchWrite = z.object({
  RequestItems: z.record(z.string(), z.array(z.record(z.string(), z.partial(OnTable)))),
});

/** Parts of a transaction require the permissions of single requests, except for condition checks. */
const transactionActions: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
  Get: 'GetItem',
};

/** docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html */
function dynamoDbAccesses(operation: string, body: string, partitionKeys: PartitionKeys): Access[] {
  const input: unknown = JSON.parse(body);
  const on = (action: string, { TableName, IndexName, Key, Item }: OnTable): Access => {
    const table = tableArn(TableName);
    const value = (Key ?? Item)?.[partitionKeys.get(TableName) ?? ''];
    return access(
      `dynamodb:${action}`,
      IndexName === undefined ? table : `${table}/index/${IndexName}`,
      value === undefined ? {} : { 'dynamodb:LeadingKeys': Object.values(value).map(String) },
    );
  };
  switch (operation) {
    case 'TransactWriteItems':
    case 'TransactGetItems':
      return Transaction.parse(input).TransactItems.flatMap((item) =>
        Object.entries(item).map(([kind, one]) => on(transactionActions[kind] ?? kind, one)),
      );
    case 'BatchGetItem':
      return Object.entries(BatchGet.parse(input).RequestItems).flatMap(([TableName, { Keys }]) =>
        Keys.map((Key) => on(operation, { TableName, Key })),
      );
    case 'BatchWriteItem':
      return Object.entries(BatchWrite.parse(input).RequestItems).flatMap(([TableName, requests]) =>
        requests.flatMap(Object.values).map((one) => on(operation, { ...one, TableName })),
      );
    default:
      return [on(operation, OnTable.parse(input))];
  }
}

/** docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3.html */
function s3Accesses({ method, url, body }: AwsRequest): Access[] {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const [, bucket = '', ...parts] = pathname.split('/').map(decodeURIComponent);
  const key = parts.join('/');
  if (key === '') return bucketAccesses(method, bucketArn(bucket), searchParams, body);
  const object = `${bucketArn(bucket)}/${key}`;
  const version = searchParams.has('versionId') ? 'Version' : '';
  switch (method) {
    case 'GET':
    case 'HEAD':
      return [access(`s3:GetObject${version}`, object)];
    case 'PUT':
    case 'POST':
      return [access('s3:PutObject', object)];
    case 'DELETE':
      return [
        access(
          searchParams.has('uploadId') ? 's3:AbortMultipartUpload' : `s3:DeleteObject${version}`,
          object,
        ),
      ];
    default:
      throw new Error(`no known actions for ${method} of an object`);
  }
}

function bucketAccesses(method: string, bucket: string, query: URLSearchParams, body: string): Access[] {
  if (method === 'POST' && query.has('delete')) {
    return [...body.matchAll(/<Object>(.*?)<\/Object>/gs)].map(([, object = '']) => {
      const key = /<Key>(.*?)<\/Key>/s.exec(object)?.[1] ?? '';
      return access(`s3:DeleteObject${object.includes('<VersionId>') ? 'Version' : ''}`, `${bucket}/${key}`);
    });
  }
  const prefix = { 's3:prefix': [query.get('prefix') ?? ''] };
  if (method === 'GET' && query.has('versions')) return [access('s3:ListBucketVersions', bucket, prefix)];
  if (method === 'HEAD' || (method === 'GET' && query.has('list-type'))) {
    return [access('s3:ListBucket', bucket, prefix)];
  }
  throw new Error(`no known actions for ${method} of a bucket`);
}
