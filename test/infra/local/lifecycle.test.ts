import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DynamoDBClient, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type LocalStack, startLocalStack } from '../../../infra/local/local-stack.ts';
import { listenOnLoopback } from '../../../infra/loopback.ts';
import { eventually, type FixtureTemplate, writeAssembly } from './fixture.ts';
import { accepts, clientAt, StackHome, secretOf } from './stack-home.ts';

let home: StackHome;
beforeEach(async () => {
  home = await StackHome.open();
});
afterEach(() => home.close());

describe('a running stack', () => {
  let ofRunning: StackHome;
  let running: LocalStack;
  beforeAll(async () => {
    ofRunning = await StackHome.open();
    running = await ofRunning.start();
  });
  afterAll(() => ofRunning.close());

  test('listens only on 127.0.0.1', async () => {
    const { baseUrl, endpoints } = running;
    for (const url of [baseUrl, ...Object.values(endpoints)]) {
      expect(await accepts('127.0.0.1', url)).toBe(true);
      // A server that listens on all interfaces would also respond on this loopback address.
      expect(await accepts('127.0.0.2', url)).toBe(false);
    }
  });

  test('owns its data: a second stack on it is refused without harm', async () => {
    const { baseUrl } = running;
    await expect(ofRunning.start()).rejects.toThrow(
      `already runs on ${ofRunning.dataDir} (process ${process.pid})`,
    );
    expect(await ofRunning.exitCodeOfAnotherProcess()).toBe(1);
    expect(await (await fetch(`${baseUrl}/hello`)).text()).toBe('hello');
  });

  test('reports a port in use', async () => {
    const { baseUrl } = running;
    const { port } = new URL(baseUrl);
    await expect(ofRunning.start(join(ofRunning.directory, 'other'), Number(port))).rejects.toThrow(
      `Port ${port} is in use`,
    );
  });

  test('accepts an object of 20 MB in one request', async () => {
    const { endpoints, outputs } = running;
    const objects = new S3Client(clientAt(endpoints.s3));
    const object = { Bucket: String(outputs.Bucket), Key: 'long.wav' };
    await objects.send(new PutObjectCommand({ ...object, Body: new Uint8Array(20 * 1024 * 1024) }));
    const { ContentLength, Body } = await objects.send(new GetObjectCommand(object));
    expect(ContentLength).toBe(20 * 1024 * 1024);
    expect((await Body?.transformToByteArray())?.length).toBe(ContentLength);
  });

  test('hides its secrets from other users of the machine', async () => {
    expect(JSON.parse(await secretOf(running))).toEqual({
      account_sid: 'AC1',
      auth_token: expect.stringMatching(/^[A-Za-z0-9]{24}$/),
    });
    expect((await stat(join(ofRunning.dataDir, 'stack.sqlite'))).mode & 0o077).toBe(0);
    expect((await stat(join(ofRunning.dataDir, 'functions.log'))).mode & 0o077).toBe(0);
  });
});

describe('a stack', () => {
  test('keeps its address after a restart, unless the port was taken', async () => {
    const first = await home.start();
    await first.stop();
    const second = await home.start();
    expect(second.baseUrl).toBe(first.baseUrl);
    await second.stop();
    const other = createServer();
    await listenOnLoopback(other, Number(new URL(first.baseUrl).port));
    const third = await home.start();
    expect(third.baseUrl).not.toBe(first.baseUrl);
    other.close();
  });

  test('answers a request that arrived during startup', async () => {
    const { baseUrl, stop } = await home.start();
    await stop();
    const starting = home.start();
    await eventually(() => accepts('127.0.0.1', baseUrl));
    expect(await (await fetch(`${baseUrl}/hello`)).text()).toBe('hello');
    await starting;
  });

  test('uses the DynamoDB of DYNAMODB_ENDPOINT', async () => {
    const first = await home.start();
    process.env.DYNAMODB_ENDPOINT = first.endpoints.dynamodb;
    try {
      const second = await home.start(join(home.directory, 'other'));
      expect(second.endpoints.dynamodb).toBe(first.endpoints.dynamodb);
    } finally {
      delete process.env.DYNAMODB_ENDPOINT;
    }
  });
});

describe('a failed start', () => {
  // They start on the same data, one after the other: each finds what the one before it has left.
  let ofFailed: StackHome;
  beforeAll(async () => {
    ofFailed = await StackHome.open();
  });
  afterAll(() => ofFailed.close());

  test.each<[string, FixtureTemplate, string]>([
    [
      'an unknown resource type',
      { resources: { Cluster: { Type: 'AWS::ECS::Cluster' } } },
      'Cluster (AWS::ECS::Cluster)',
    ],
    [
      'an intrinsic function that cannot be resolved',
      {
        functions: {
          Hello: { code: '', properties: { Environment: { Variables: { A: { 'Fn::ImportValue': 'x' } } } } },
        },
      },
      'Cannot resolve Hello.Environment.Variables.A: Fn::ImportValue is not supported',
    ],
    [
      'code that is not in the assembly',
      { functions: { Hello: { code: 'x', properties: { Code: { S3Key: 'gone.zip' } } } } },
      'The code of Hello (gone.zip) is not in the cloud assembly',
    ],
    [
      'another runtime',
      { functions: { Hello: { code: 'x', properties: { Runtime: 'python3.13' } } } },
      'Hello (AWS::Lambda::Function) has properties that the local stack cannot run: ' +
        'Runtime: only Node runtimes run locally',
    ],
    [
      'an output that cannot be resolved',
      { outputs: { A: { Value: { 'Fn::GetAtt': ['Role', 'Colour'] } } } },
      'Cannot resolve Outputs.A: attribute Colour of Role (AWS::IAM::Role) is not known',
    ],
  ])('reports %s', async (_, broken, message) => {
    const bad = await writeAssembly(join(home.directory, 'broken'), broken);
    await expect(startLocalStack({ ...bad, dataDir: ofFailed.dataDir, port: 0 })).rejects.toThrow(message);
  });

  test('leaves nothing running: the data is unlocked again, so nothing holds it', async () => {
    const { baseUrl } = await ofFailed.start();
    expect((await fetch(`${baseUrl}/hello`)).status).toBe(200);
  });
});

describe('a stop', () => {
  test('stops all servers and lets the process exit', async () => {
    const { child, facts } = await home.startProcess('stop');
    const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
    expect(code).toBe(0);
    for (const url of [facts.baseUrl, ...Object.values(facts.endpoints)]) {
      expect(await accepts('127.0.0.1', url)).toBe(false);
    }
  });

  test('leaves a message in progress for the next start', async () => {
    const stack = await home.start();
    const sqs = new SQSClient(clientAt(stack.endpoints.sqs));
    await sqs.send(new SendMessageCommand({ QueueUrl: String(stack.outputs.Queue), MessageBody: 'cut-off' }));
    sqs.destroy();
    await eventually(() => home.worked('cut-off', 1));
    await stack.stop();
    await home.start();
    await eventually(() => home.worked('cut-off', 2));
  });
});

test('data made with another table is refused', async () => {
  await (await home.start()).stop();
  await home.changeResources({
    Table: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        KeySchema: [{ AttributeName: 'other', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'other', AttributeType: 'S' }],
      },
    },
  });
  await expect(home.start()).rejects.toThrow('was made with another key than the template has now');
});

test('a new index of the template is added to existing data', async () => {
  const first = await home.start();
  const put = new DynamoDBClient(clientAt(first.endpoints.dynamodb));
  await put.send(
    new PutItemCommand({
      TableName: String(first.outputs.Table),
      Item: { pk: { S: 'a' }, call_id: { S: 'c' } },
    }),
  );
  await first.stop();
  await home.changeResources({
    Table: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        AttributeDefinitions: [
          { AttributeName: 'pk', AttributeType: 'S' },
          { AttributeName: 'call_id', AttributeType: 'S' },
        ],
        GlobalSecondaryIndexes: [
          {
            IndexName: 'call-index',
            KeySchema: [{ AttributeName: 'call_id', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'ALL' },
          },
        ],
      },
    },
  });
  const second = await home.start();
  const { Items } = await new DynamoDBClient(clientAt(second.endpoints.dynamodb)).send(
    new QueryCommand({
      TableName: String(second.outputs.Table),
      IndexName: 'call-index',
      KeyConditionExpression: 'call_id = :id',
      ExpressionAttributeValues: { ':id': { S: 'c' } },
    }),
  );
  expect(Items).toHaveLength(1);
});
