import { describe, expect, test } from 'vitest';
import { accessesOf } from '../../../../infra/local/access/aws-request.ts';
import { type Access, isAllowed, PolicyDocument } from '../../../../infra/local/access/policy.ts';

const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/Service';

function allows(statements: readonly object[], access: Partial<Access>): boolean {
  const { Statement } = PolicyDocument.parse({ Statement: statements });
  return isAllowed(Statement, { action: 'dynamodb:PutItem', resource: table, context: {}, ...access });
}

describe('a policy', () => {
  const put = { Effect: 'Allow', Action: 'dynamodb:PutItem', Resource: table };

  test('allows only what a statement allows', () => {
    expect(allows([put], {})).toBe(true);
    expect(allows([], {})).toBe(false);
    expect(allows([put], { action: 'dynamodb:DeleteItem' })).toBe(false);
    expect(allows([put], { resource: `${table}/index/a` })).toBe(false);
    expect(allows([put], { resource: `${table}2` })).toBe(false);
  });

  test.each([
    ['dynamodb:*', table, true],
    ['DYNAMODB:putitem', table, true],
    ['dynamodb:Put????', table, true],
    ['dynamodb:Put*', 'arn:aws:dynamodb:*:table/Ser*', true],
    ['dynamodb:PutIte', table, false],
    ['dynamodb:PutItem', 'arn:aws:dynamodb:us.east-1:000000000000:table/Service', false],
    ['s3:*', table, false],
  ])('for %s on %s', (Action, Resource, expected) => {
    expect(allows([{ Effect: 'Allow', Action: [Action], Resource: [Resource] }], {})).toBe(expected);
  });

  test('denies what one statement denies, whatever the others allow', () => {
    const deny = { Effect: 'Deny', Action: 'dynamodb:*', Resource: table };
    expect(allows([put, deny], {})).toBe(false);
    expect(allows([deny, put], {})).toBe(false);
  });

  const keys = (...values: string[]): Partial<Access> => ({ context: { 'dynamodb:LeadingKeys': values } });

  test('allows by keys only items that all have them', () => {
    const own = {
      ...put,
      Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['AUDIT#*', 'SEEN#*'] } },
    };
    expect(allows([own], keys('AUDIT#1'))).toBe(true);
    expect(allows([own], keys('AUDIT#1', 'SEEN#2'))).toBe(true);
    expect(allows([own], keys('AUDIT#1', 'TASK#2'))).toBe(false);
    // As in IAM, an absent value matches everything.
    expect(allows([own], {})).toBe(true);
  });

  test('denies by keys that are present', () => {
    const deny = {
      Effect: 'Deny',
      Action: 'dynamodb:PutItem',
      Resource: table,
      Condition: {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': 'AUDIT#*' },
        Null: { 'dynamodb:LeadingKeys': 'false' },
      },
    };
    expect(allows([put, deny], keys('AUDIT#1'))).toBe(false);
    expect(allows([put, deny], keys('TASK#1'))).toBe(true);
    expect(allows([put, deny], {})).toBe(true);
  });

  test('needs the key for a condition of equality', () => {
    const via = { ...put, Condition: { StringEquals: { 'kms:ViaService': 's3.us-east-1.amazonaws.com' } } };
    expect(allows([via], {})).toBe(false);
    expect(allows([via], { context: { 'kms:ViaService': ['s3.us-east-1.amazonaws.com'] } })).toBe(true);
  });

  test.each([
    { ...put, Condition: { IpAddress: { 'aws:SourceIp': '127.0.0.1' } } },
    { Effect: 'Allow', NotAction: 'dynamodb:PutItem', Resource: table },
    { Effect: 'Allow', Action: 'dynamodb:PutItem', NotResource: table },
  ])('refuses an expression that it cannot evaluate: %j', (statement) => {
    expect(() => PolicyDocument.parse({ Statement: [statement] })).toThrow();
  });
});

describe('the permissions that a request needs', () => {
  const dynamoDb = (operation: string, body: object): string[] =>
    accessesOf(
      { method: 'POST', url: '/', target: `DynamoDB_20120810.${operation}`, body: JSON.stringify(body) },
      new Map([['Service', 'pk']]),
    ).map(({ action, resource, context }) =>
      [action, resource.replace(table, 'table'), ...Object.values(context).flat()].join(' '),
    );
  const TableName = 'Service';
  const item = { pk: { S: 'TASK#1' }, sk: { S: 'TASK' } };

  test.each<[string, object, string[]]>([
    ['GetItem', { TableName, Key: item }, ['dynamodb:GetItem table TASK#1']],
    ['PutItem', { TableName, Item: item }, ['dynamodb:PutItem table TASK#1']],
    ['Query', { TableName, IndexName: 'work-index' }, ['dynamodb:Query table/index/work-index']],
    ['BatchGetItem', { RequestItems: { Service: { Keys: [item] } } }, ['dynamodb:BatchGetItem table TASK#1']],
    [
      'BatchWriteItem',
      { RequestItems: { Service: [{ PutRequest: { Item: item } }, { DeleteRequest: { Key: item } }] } },
      ['dynamodb:BatchWriteItem table TASK#1', 'dynamodb:BatchWriteItem table TASK#1'],
    ],
    [
      'TransactWriteItems',
      {
        TransactItems: [
          { Put: { TableName, Item: item } },
          { Delete: { TableName, Key: item } },
          { ConditionCheck: { TableName, Key: item } },
        ],
      },
      [
        'dynamodb:PutItem table TASK#1',
        'dynamodb:DeleteItem table TASK#1',
        'dynamodb:ConditionCheckItem table TASK#1',
      ],
    ],
  ])('for DynamoDB: %s', (operation, body, expected) => {
    expect(dynamoDb(operation, body)).toEqual(expected);
  });

  test.each<[string, string, string, string[]]>([
    ['GET', '/bucket/recordings/a%20b.wav?X-Amz-Expires=300', '', ['s3:GetObject bucket/recordings/a b.wav']],
    ['HEAD', '/bucket/a', '', ['s3:GetObject bucket/a']],
    ['PUT', '/bucket/a?partNumber=1&uploadId=2', '', ['s3:PutObject bucket/a']],
    ['POST', '/bucket/a?uploads', '', ['s3:PutObject bucket/a']],
    ['DELETE', '/bucket/a?uploadId=2', '', ['s3:AbortMultipartUpload bucket/a']],
    ['DELETE', '/bucket/a', '', ['s3:DeleteObject bucket/a']],
    ['DELETE', '/bucket/a?versionId=2', '', ['s3:DeleteObjectVersion bucket/a']],
    ['GET', '/bucket?list-type=2&prefix=people%2F', '', ['s3:ListBucket bucket people/']],
    ['GET', '/bucket?versions&prefix=a', '', ['s3:ListBucketVersions bucket a']],
    [
      'POST',
      '/bucket?delete',
      '<Delete><Object><Key>a</Key></Object><Object><Key>b</Key><VersionId>1</VersionId></Object></Delete>',
      ['s3:DeleteObject bucket/a', 's3:DeleteObjectVersion bucket/b'],
    ],
  ])('for S3: %s %s', (method, url, body, expected) => {
    const accesses = accessesOf({ method, url, target: '', body }, new Map());
    const seen = accesses.map(({ action, resource, context }) =>
      [action, resource.replace('arn:aws:s3:::', ''), ...Object.values(context).flat()].join(' '),
    );
    expect(seen).toEqual(expected);
  });

  test('fail for an unknown action, which is denied', () => {
    const ask =
      (method: string, url: string, target = '') =>
      () =>
        accessesOf({ method, url, target, body: '{}' }, new Map());
    expect(ask('GET', '/bucket?acl')).toThrow('GET of a bucket');
    expect(ask('PATCH', '/bucket/a')).toThrow('PATCH of an object');
    expect(ask('POST', '/', 'SimpleNotificationService.Publish')).toThrow('SimpleNotificationService');
  });
});
