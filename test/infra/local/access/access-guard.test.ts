import { S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { presignGet } from '#shared/aws/presign.ts';
import { presignedLinkCases } from '../../../support/presigned-links.ts';
import { eventually, type Fixture, startFixture } from '../fixture.ts';

/** A function that sends the given request, like an SDK client of its role. */
const code = `exports.handler = async ({ variable, target, method = 'POST', path = '/', headers = {}, body }) => {
  const response = await fetch(process.env[variable] + path, {
    method,
    headers: {
      authorization: 'AWS4-HMAC-SHA256 Credential=' + process.env.AWS_ACCESS_KEY_ID + 
        '/20260302/us-east-1/x/aws4_request, SignedHeaders=host, Signature=0',
      'x-amz-date': '20260302T150000Z',
      ...headers,
      ...(target === undefined ? {} : { 'x-amz-target': target, 'content-type': 'application/x-amz-json-1.0' }),
    },
    ...(method === 'GET' ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
};`;

const arnOf = (resource: string) => ({ 'Fn::GetAtt': [resource, 'Arn'] });
const role = (...statements: object[]): object => ({
  Type: 'AWS::IAM::Role',
  Properties: { Policies: [{ PolicyName: 'Grants', PolicyDocument: { Statement: statements } }] },
});

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture({
    functions: {
      Writer: { code, properties: { Role: arnOf('WriterRole') } },
      Reader: { code, properties: { Role: arnOf('ReaderRole') } },
      Invoked: {
        code: 'exports.handler = async (event) => { console.log(JSON.stringify(event)); throw new Error("no"); }',
        properties: { Role: arnOf('ReaderRole') },
      },
      Origin: {
        code: 'exports.handler = async () => process.env.AWS_ENDPOINT_URL_S3;',
        properties: { Role: arnOf('ReaderRole') },
      },
    },
    resources: {
      WriterRole: role(
        { Effect: 'Allow', Action: 'dynamodb:*', Resource: arnOf('Table') },
        {
          Effect: 'Deny',
          Action: 'dynamodb:PutItem',
          Resource: arnOf('Table'),
          Condition: {
            'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['AUDIT#*'] },
            Null: { 'dynamodb:LeadingKeys': 'false' },
          },
        },
        {
          Effect: 'Allow',
          Action: ['s3:PutObject', 's3:GetObject'],
          Resource: { 'Fn::Join': ['', [arnOf('Bucket'), '/kept/*']] },
        },
        {
          Effect: 'Allow',
          Action: 's3:ListBucket',
          Resource: arnOf('Bucket'),
          Condition: { StringLike: { 's3:prefix': 'kept/listed/*' } },
        },
        {
          Effect: 'Allow',
          Action: 'lambda:InvokeFunction',
          Resource: [arnOf('Invoked'), 'arn:aws:lambda:us-east-1:000000000000:function:nobody'],
        },
        {
          Effect: 'Allow',
          Action: 'ses:SendEmail',
          Resource: 'arn:aws:ses:us-east-1:000000000000:identity/*',
          Condition: { StringEquals: { 'ses:FromAddress': 'calls@example.com' } },
        },
      ),
      ReaderRole: role({ Effect: 'Allow', Action: ['dynamodb:GetItem'], Resource: [arnOf('Table')] }),
      // In addition to the role, and only where its condition holds.
      Shared: {
        Type: 'AWS::IAM::Policy',
        Properties: {
          PolicyName: 'Shared',
          Roles: [{ Ref: 'ReaderRole' }],
          PolicyDocument: {
            Statement: [{ Effect: 'Allow', Action: 'sqs:SendMessage', Resource: arnOf('Queue') }],
          },
        },
      },
      Table: {
        Type: 'AWS::DynamoDB::Table',
        Properties: {
          AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
          KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        },
      },
      Queue: { Type: 'AWS::SQS::Queue', Properties: {} },
      Bucket: { Type: 'AWS::S3::Bucket', Properties: {} },
    },
    outputs: {
      TableName: { Value: { Ref: 'Table' } },
      QueueUrl: { Value: { Ref: 'Queue' } },
      BucketName: { Value: { Ref: 'Bucket' } },
    },
  });
});
afterAll(() => fixture.stop());

interface Answer {
  readonly status: number;
  readonly text: string;
}
const ask = (name: string, event: object): Promise<Answer> =>
  fixture.stack.invoke(name, event) as Promise<Answer>;

function dynamoDb(name: string, operation: string, body: object): Promise<Answer> {
  return ask(name, {
    variable: 'AWS_ENDPOINT_URL_DYNAMODB',
    target: `DynamoDB_20120810.${operation}`,
    body: { TableName: fixture.stack.outputs.TableName, ...body },
  });
}

const denied = { status: 400, text: expect.stringContaining('AccessDeniedException') };

function sendMail(name: string, from: string): Promise<Answer> {
  return ask(name, {
    variable: 'AWS_ENDPOINT_URL_SESV2',
    path: '/v2/email/outbound-emails',
    body: {
      FromEmailAddress: from,
      Destination: { ToAddresses: ['nora@clinic.example.com'] },
      Content: { Simple: { Subject: { Data: 'Hello' }, Body: { Text: { Data: 'Nora' } } } },
    },
  });
}

function invokeFrom(name: string, invoked: string, type = 'Event'): Promise<Answer> {
  return ask(name, {
    variable: 'AWS_ENDPOINT_URL_LAMBDA',
    path: `/2015-03-31/functions/${invoked}/invocations`,
    headers: { 'x-amz-invocation-type': type },
    body: { hello: invoked },
  });
}

test('a function invokes another asynchronously, which may fail', async () => {
  expect((await invokeFrom('writer', 'invoked')).status).toBe(202);
  const { content } = await eventually(() =>
    fixture.logged.find(({ functionName, content }) => functionName === 'invoked' && 'hello' in content),
  );
  expect(content).toEqual({ hello: 'invoked' });
  expect((await invokeFrom('writer', 'nobody')).status).toBe(404);
  // Nothing here waits for a response.
  expect((await invokeFrom('writer', 'invoked', 'RequestResponse')).status).toBe(400);
});

test("allows what the function's role allows", async () => {
  expect(await dynamoDb('writer', 'PutItem', { Item: { pk: { S: 'TASK#1' } } })).toMatchObject({
    status: 200,
  });
  const { status, text } = await dynamoDb('reader', 'GetItem', { Key: { pk: { S: 'TASK#1' } } });
  expect([status, JSON.parse(text)]).toEqual([200, { Item: { pk: { S: 'TASK#1' } } }]);
  const sent = await ask('reader', {
    variable: 'AWS_ENDPOINT_URL_SQS',
    target: 'AmazonSQS.SendMessage',
    body: { QueueUrl: fixture.stack.outputs.QueueUrl, MessageBody: 'x' },
  });
  expect(sent.status).toBe(200);
  const path = `/${fixture.stack.outputs.BucketName}/kept/a`;
  const put = { variable: 'AWS_ENDPOINT_URL_S3', method: 'PUT', path, body: 'x'.repeat(1_000_000) };
  expect((await ask('writer', put)).status).toBe(200);
  expect((await sendMail('writer', 'calls@example.com')).status).toBe(200);
  expect(fixture.stack.refusedAccess).toEqual([]);
});

test('43: any other action is denied, listed, and reported to the person who started the stack', async () => {
  const { TableName, BucketName } = fixture.stack.outputs;
  expect(await dynamoDb('reader', 'PutItem', { Item: { pk: { S: 'TASK#2' } } })).toMatchObject(denied);
  expect(await dynamoDb('writer', 'PutItem', { Item: { pk: { S: 'AUDIT#1' } } })).toMatchObject(denied);
  const path = `/${BucketName}/other/a`;
  const put = await ask('writer', { variable: 'AWS_ENDPOINT_URL_S3', method: 'PUT', path, body: 'x' });
  expect(put).toMatchObject({ status: 403, text: expect.stringContaining('<Code>AccessDenied</Code>') });
  const get = (path: string) => ask('writer', { variable: 'AWS_ENDPOINT_URL_S3', method: 'GET', path });
  expect(await get(`/${BucketName}/kept/missing`)).toMatchObject({ status: 403 });
  expect(await get(`/${BucketName}/kept/listed/missing`)).toMatchObject({
    status: 404,
    text: expect.stringContaining('<Code>NoSuchKey</Code>'),
  });
  expect(await sendMail('writer', 'other@example.com')).toMatchObject(denied);
  expect(await invokeFrom('reader', 'invoked')).toMatchObject(denied);
  const table = `arn:aws:dynamodb:us-east-1:000000000000:table/${TableName}`;
  expect(fixture.stack.refusedAccess).toEqual([
    `reader: dynamodb:PutItem on ${table}`,
    `writer: dynamodb:PutItem on ${table}`,
    `writer: s3:PutObject on arn:aws:s3:::${BucketName}/other/a`,
    `writer: s3:ListBucket on arn:aws:s3:::${BucketName}`,
    'writer: ses:SendEmail on arn:aws:ses:us-east-1:000000000000:identity/other@example.com',
    'reader: lambda:InvokeFunction on arn:aws:lambda:us-east-1:000000000000:function:invoked',
  ]);
  expect(fixture.told).toContain(
    `reader may not dynamodb:PutItem on ${table}: its manifest does not use that`,
  );
  expect(await dynamoDb('reader', 'GetItem', { Key: { pk: { S: 'TASK#2' } } })).toEqual({
    status: 200,
    text: '{}',
  });
});

test.each(presignedLinkCases)('a presigned URL %s', async (_, sign, expected) => {
  const origin = await fixture.stack.invoke('origin', {});
  const path = `/${fixture.stack.outputs.BucketName}/kept/b`;
  await ask('writer', { variable: 'AWS_ENDPOINT_URL_S3', method: 'PUT', path, body: 'kept' });
  const link = await sign(new URL(`${origin}${path}`), { accessKeyId: 'Writer', secretAccessKey: 'local' });
  const response = await fetch(link);
  expect([response.status, await response.text()]).toEqual(expected('kept'));
});

test('a presigned link with a file name downloads the object, whole or in part', async () => {
  const origin = String(await fixture.stack.invoke('origin', {}));
  const path = `/${fixture.stack.outputs.BucketName}/kept/named`;
  await ask('writer', { variable: 'AWS_ENDPOINT_URL_S3', method: 'PUT', path, body: 'kept' });
  const credentials = { accessKeyId: 'Writer', secretAccessKey: 'local' };
  const { config } = new S3Client({ region: 'us-east-1', credentials });
  const link = (fileName?: string): Promise<string> =>
    presignGet(new URL(`${origin}${path}`), config, { lifetimeSeconds: 60, fileName });
  const named = await link('call-1.wav');
  for (const headers of [{}, { range: 'bytes=0-1' }]) {
    const response = await fetch(named, { headers });
    expect([response.ok, response.headers.get('content-disposition')]).toEqual([
      true,
      'attachment; filename="call-1.wav"',
    ]);
  }
  expect((await fetch(await link())).headers.get('content-disposition')).toBeNull();
});

test('an object is stored and read only with its KMS key, and never if the key is scheduled for deletion', async () => {
  const origin = String(await fixture.stack.invoke('origin', {}));
  const authorization =
    'AWS4-HMAC-SHA256 Credential=local/20260302/us-east-1/x/aws4_request, SignedHeaders=host, Signature=0';
  const kms = async (operation: string, body: object) => {
    const headers = { authorization, 'x-amz-target': `TrentService.${operation}` };
    const answer = await fetch(origin, { method: 'POST', headers, body: JSON.stringify(body) });
    return z.object({ KeyMetadata: z.optional(z.object({ Arn: z.string() })) }).parse(await answer.json());
  };
  const { KeyMetadata } = await kms('CreateKey', {});
  const keyHeaders = {
    'x-amz-server-side-encryption': 'aws:kms',
    'x-amz-server-side-encryption-aws-kms-key-id': KeyMetadata?.Arn ?? '',
  };
  const url = `${origin}/${fixture.stack.outputs.BucketName}/kept/sealed`;
  const put = () => fetch(url, { method: 'PUT', headers: { authorization, ...keyHeaders }, body: 'words' });
  expect((await put()).status).toBe(200);
  const read = await fetch(url, { headers: { authorization } });
  expect([await read.text(), Object.fromEntries(read.headers)]).toEqual([
    'words',
    expect.objectContaining(keyHeaders),
  ]);

  await kms('ScheduleKeyDeletion', { KeyId: KeyMetadata?.Arn, PendingWindowInDays: 7 });
  for (const answer of [await fetch(url, { headers: { authorization } }), await put()]) {
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining('<Code>KMS.KMSInvalidStateException</Code>'),
    ]);
  }
  const gone = await fetch(url, { method: 'DELETE', headers: { authorization } });
  expect(gone.status).toBe(204);
});
