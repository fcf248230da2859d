import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { KMSClient } from '@aws-sdk/client-kms';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import {
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { openSecretBox, type SecretBox } from '#shared/encryption/secret-box.ts';
import { type LocalStack, startLocalStack } from '../../../infra/local/local-stack.ts';
import { listenOnLoopback } from '../../../infra/local/servers/loopback.ts';
import { listProcesses, type Process } from '../../../infra/local/servers/processes.ts';
import { type Assembly, eventually, type FixtureTemplate, restApi, writeAssembly } from './fixture.ts';

const template: FixtureTemplate = {
  functions: {
    Hello: { code: 'exports.handler = async () => ({ statusCode: 200, body: "hello" })' },
    Worker: {
      // The first time it gets a message it does not come to an end.
      code: `exports.handler = async ({ Records: [{ body, messageId, attributes }] }) => {
        const isFirst = await require('node:fs/promises')
          .writeFile(process.env.LAMBDA_TASK_ROOT + '/' + messageId, '', { flag: 'wx' })
          .then(() => true, () => false);
        const receives = attributes.ApproximateReceiveCount;
        console.log(JSON.stringify({ body, time: isFirst ? 1 : 2 }), JSON.stringify({ receives }));
        if (body === 'refused') throw new Error('refused');
        if (isFirst) await new Promise(() => {});
      }`,
      properties: { Timeout: 900 },
    },
  },
  resources: {
    ...restApi({ 'GET /hello': 'Hello' }),
    Table: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      },
    },
    Streamed: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
      },
    },
    Queue: { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 5400 } },
    Unread: { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 5400 } },
    Mapping: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        EventSourceArn: { 'Fn::GetAtt': ['Queue', 'Arn'] },
        FunctionName: { Ref: 'Worker' },
        BatchSize: 1,
      },
    },
    Bucket: {
      Type: 'AWS::S3::Bucket',
      Properties: { VersioningConfiguration: { Status: 'Enabled' } },
    },
    Key: { Type: 'AWS::KMS::Key' },
    Secret: {
      Type: 'AWS::SecretsManager::Secret',
      Properties: {
        GenerateSecretString: {
          SecretStringTemplate: '{"account_sid":"AC1"}',
          GenerateStringKey: 'auth_token',
          PasswordLength: 24,
          ExcludePunctuation: true,
        },
      },
    },
  },
  outputs: {
    Table: { Value: { Ref: 'Table' } },
    Queue: { Value: { Ref: 'Queue' } },
    Unread: { Value: { Ref: 'Unread' } },
    Streamed: { Value: { Ref: 'Streamed' } },
    Bucket: { Value: { Ref: 'Bucket' } },
    Secret: { Value: { Ref: 'Secret' } },
    Key: { Value: { 'Fn::GetAtt': ['Key', 'Arn'] } },
  },
};

interface Facts {
  readonly baseUrl: string;
  readonly outputs: Record<string, string>;
  readonly endpoints: LocalStack['endpoints'];
}

const factsSchema = z.object({
  baseUrl: z.string(),
  outputs: z.record(z.string(), z.string()),
  endpoints: z.object({
    dynamodb: z.string(),
    sqs: z.string(),
    s3: z.string(),
    secretsManager: z.string(),
    kms: z.string(),
  }),
});

const script = fileURLToPath(new URL('stack-process.ts', import.meta.url));

let directory: string;
let dataDir: string;
let assembly: Assembly;
const running: { stop(): Promise<void> }[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'local-stack-'));
  dataDir = join(directory, 'data');
  assembly = await writeAssembly(join(directory, 'assembly'), template);
});

afterEach(async () => {
  for (const each of running.splice(0)) await each.stop();
  await rm(directory, { recursive: true, force: true });
});

async function start(data = dataDir, port = 0): Promise<LocalStack> {
  const stack = await startLocalStack({ ...assembly, dataDir: data, port });
  running.push(stack);
  return stack;
}

async function startProcess(...more: string[]): Promise<{ child: ChildProcess; facts: Facts }> {
  const child = spawn(
    process.execPath,
    [script, assembly.templatePath, assembly.assemblyDir, dataDir, ...more],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const exited = once(child, 'exit');
  running.push({
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  });
  const [line] = await once(child.stdout, 'data');
  return { child, facts: factsSchema.parse(JSON.parse(String(line))) };
}

const client = (endpoint: string) => ({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});

async function secretOf({ endpoints, outputs }: Facts): Promise<string> {
  const secrets = new SecretsManagerClient(client(endpoints.secretsManager));
  const { SecretString } = await secrets.send(
    new GetSecretValueCommand({ SecretId: String(outputs.Secret) }),
  );
  return String(SecretString);
}

/** A secret box over the stack's key. */
function secretBoxOf({ endpoints, outputs }: Facts): SecretBox {
  return openSecretBox(String(outputs.Key), new KMSClient(client(endpoints.kms)));
}

async function accepts(host: string, url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), host);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

describe('a running stack', () => {
  test('listens on 127.0.0.1 and on nothing else', async () => {
    const { baseUrl, endpoints } = await start();
    for (const url of [baseUrl, ...Object.values(endpoints)]) {
      expect(await accepts('127.0.0.1', url)).toBe(true);
      // Every server that listens on all interfaces would answer on this address of the loopback interface as well.
      expect(await accepts('127.0.0.2', url)).toBe(false);
    }
  });

  test('has its data to itself: a second one on it is refused and does it no harm', async () => {
    const { baseUrl } = await start();
    await expect(start()).rejects.toThrow(`already runs on ${dataDir} (process ${process.pid})`);
    const other = spawn(process.execPath, [script, assembly.templatePath, assembly.assemblyDir, dataDir], {
      stdio: 'ignore',
    });
    const [code] = await once(other, 'exit');
    expect(code).toBe(1);
    expect(await (await fetch(`${baseUrl}/hello`)).text()).toBe('hello');
  });

  test('says so when its port is taken', async () => {
    const { baseUrl } = await start();
    const { port } = new URL(baseUrl);
    await expect(start(join(directory, 'other'), Number(port))).rejects.toThrow(`Port ${port} is in use`);
  });

  test('has the same address after a restart, unless somebody else has taken it', async () => {
    const first = await start();
    await first.stop();
    const second = await start();
    expect(second.baseUrl).toBe(first.baseUrl);
    await second.stop();
    const other = createServer();
    await listenOnLoopback(other, Number(new URL(first.baseUrl).port));
    const third = await start();
    expect(third.baseUrl).not.toBe(first.baseUrl);
    other.close();
  });

  test('answers a request that came while it was still starting', async () => {
    const { baseUrl, stop } = await start();
    await stop();
    const starting = start();
    await eventually(() => accepts('127.0.0.1', baseUrl));
    expect(await (await fetch(`${baseUrl}/hello`)).text()).toBe('hello');
    await starting;
  });

  test('uses the DynamoDB that DYNAMODB_ENDPOINT names', async () => {
    const first = await start();
    process.env.DYNAMODB_ENDPOINT = first.endpoints.dynamodb;
    try {
      const second = await start(join(directory, 'other'));
      expect(second.endpoints.dynamodb).toBe(first.endpoints.dynamodb);
    } finally {
      delete process.env.DYNAMODB_ENDPOINT;
    }
  });

  test('takes an object of 20 MB in one piece', async () => {
    const { endpoints, outputs } = await start();
    const objects = new S3Client(client(endpoints.s3));
    const object = { Bucket: String(outputs.Bucket), Key: 'long.wav' };
    await objects.send(new PutObjectCommand({ ...object, Body: new Uint8Array(20 * 1024 * 1024) }));
    const { ContentLength, Body } = await objects.send(new GetObjectCommand(object));
    expect(ContentLength).toBe(20 * 1024 * 1024);
    expect((await Body?.transformToByteArray())?.length).toBe(ContentLength);
  });

  test('keeps its secrets from other users of the machine', async () => {
    const stack = await start();
    expect(JSON.parse(await secretOf(stack))).toEqual({
      account_sid: 'AC1',
      auth_token: expect.stringMatching(/^[A-Za-z0-9]{24}$/),
    });
    expect((await stat(join(dataDir, 'stack.sqlite'))).mode & 0o077).toBe(0);
    expect((await stat(join(dataDir, 'functions.log'))).mode & 0o077).toBe(0);
  });
});

describe('a start that fails', () => {
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
      'Hello (AWS::Lambda::Function) has properties that the local stack cannot run: Runtime: only Node runtimes run locally',
    ],
    [
      'an output that cannot be resolved',
      { outputs: { A: { Value: { 'Fn::GetAtt': ['Role', 'Colour'] } } } },
      'Cannot resolve Outputs.A: attribute Colour of Role (AWS::IAM::Role) is not known',
    ],
  ])('by %s says what is wrong and leaves nothing running', async (_, broken, message) => {
    const bad = await writeAssembly(join(directory, 'broken'), broken);
    await expect(startLocalStack({ ...bad, dataDir, port: 0 })).rejects.toThrow(message);
    // The data is free again, so nothing holds it any more.
    const { baseUrl } = await start();
    expect((await fetch(`${baseUrl}/hello`)).status).toBe(200);
  });
});

describe('a stop', () => {
  test('ends all servers and lets the process end by itself', async () => {
    const { child, facts } = await startProcess('stop');
    const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
    expect(code).toBe(0);
    for (const url of [facts.baseUrl, ...Object.values(facts.endpoints)]) {
      expect(await accepts('127.0.0.1', url)).toBe(false);
    }
  });

  test('in the middle of a message leaves it for the next start', async () => {
    const stack = await start();
    const sqs = new SQSClient(client(stack.endpoints.sqs));
    await sqs.send(new SendMessageCommand({ QueueUrl: String(stack.outputs.Queue), MessageBody: 'cut-off' }));
    sqs.destroy();
    await eventually(() => worked('cut-off', 1));
    await stack.stop();
    await start();
    await eventually(() => worked('cut-off', 2));
  });
});

test('after kill -9 a start goes on: data is there, the message at work is taken up again at once, no server is left', async () => {
  const { child, facts } = await startProcess();
  const { endpoints, outputs } = facts;
  const table = new DynamoDBClient(client(endpoints.dynamodb));
  await table.send(new PutItemCommand({ TableName: String(outputs.Table), Item: { pk: { S: 'kept' } } }));
  const objects = new S3Client(client(endpoints.s3));
  const object = { Bucket: String(outputs.Bucket), Key: 'recordings/one.wav' };
  await objects.send(new PutObjectCommand({ ...object, Body: 'sound' }));
  const sqs = new SQSClient(client(endpoints.sqs));
  await sqs.send(new SendMessageCommand({ QueueUrl: String(outputs.Queue), MessageBody: 'killed' }));
  const secret = await secretOf(facts);
  const sealed = await secretBoxOf(facts).seal('sealed before', { project_id: 'p' });
  await eventually(() => worked('killed', 1));

  child.kill('SIGKILL');
  await eventually(async () => !(await accepts('127.0.0.1', endpoints.dynamodb)));

  const stack = await start();
  await eventually(() => worked('killed', 2));
  // What was cut off does not bring the message nearer to its dead-letter queue.
  expect(await readFile(join(dataDir, 'functions.log'), 'utf8')).not.toContain('"receives":"2"');
  const again = new DynamoDBClient(client(stack.endpoints.dynamodb));
  const { Item } = await again.send(
    new GetItemCommand({ TableName: String(stack.outputs.Table), Key: { pk: { S: 'kept' } } }),
  );
  expect(Item).toEqual({ pk: { S: 'kept' } });
  expect((await again.send(new ListTablesCommand({}))).TableNames).toHaveLength(2);
  const { Body } = await new S3Client(client(stack.endpoints.s3)).send(new GetObjectCommand(object));
  expect(await Body?.transformToString()).toBe('sound');
  expect(await secretOf(stack)).toBe(secret);
  expect(await secretBoxOf(stack).open(sealed, { project_id: 'p' })).toBe('sealed before');
});

test('after kill -9 a message is taken up at once that nobody had begun to work on when it was received', async () => {
  const { child, facts } = await startProcess();
  const sqs = new SQSClient(client(facts.endpoints.sqs));
  const QueueUrl = String(facts.outputs.Unread);
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'received' }));
  expect((await sqs.send(new ReceiveMessageCommand({ QueueUrl }))).Messages).toHaveLength(1);
  child.kill('SIGKILL');
  await once(child, 'exit');

  const stack = await start();
  const again = new SQSClient(client(stack.endpoints.sqs));
  const answer = await again.send(
    new ReceiveMessageCommand({ QueueUrl: String(stack.outputs.Unread), WaitTimeSeconds: 5 }),
  );
  expect(answer.Messages).toMatchObject([{ Body: 'received' }]);
});

test('after kill -9 a message that its function has failed on waits for its turn', async () => {
  const { child, facts } = await startProcess();
  const sqs = new SQSClient(client(facts.endpoints.sqs));
  const QueueUrl = String(facts.outputs.Queue);
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'refused' }));
  await eventually(() => worked('refused', 1));
  // The failure is noted before the next message is done.
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'next' }));
  await eventually(() => worked('next', 1));
  child.kill('SIGKILL');
  await once(child, 'exit');

  await start();
  await eventually(() => worked('next', 2));
  expect(await worked('refused', 2)).toBe(false);
});

test('after kill -9 of the stack and its servers nothing is lost that was acknowledged, nor half of a transaction there', async () => {
  const { child, facts } = await startProcess();
  const table = new DynamoDBClient({ ...client(facts.endpoints.dynamodb), maxAttempts: 1 });
  const sqs = new SQSClient({ ...client(facts.endpoints.sqs), maxAttempts: 1 });
  const written: string[] = [];
  const sent: string[] = [];
  const write = async (id: string): Promise<void> => {
    const TableName = String(facts.outputs.Streamed);
    const halves = ['left', 'right'].map((half) => ({
      Put: { TableName, Item: { pk: { S: `${id} ${half}` } } },
    }));
    await table.send(new TransactWriteItemsCommand({ TransactItems: halves }));
    written.push(`${id} left`, `${id} right`);
    await sqs.send(new SendMessageCommand({ QueueUrl: String(facts.outputs.Unread), MessageBody: id }));
    sent.push(id);
  };
  const writers = Array.from({ length: 5 }, async (_, writer) => {
    for (let number = 0; ; number += 1) await write(`${writer}.${number}`);
  });
  const ended = Promise.allSettled(writers);
  await eventually(async () => sent.length > 100);
  const server = (await listProcesses()).find(isServerOf(dataDir));
  child.kill('SIGKILL');
  if (server !== undefined) process.kill(server.pid, 'SIGKILL');
  await ended;

  const { endpoints, outputs } = await start();
  const again = new DynamoDBClient(client(endpoints.dynamodb));
  const { Items = [] } = await again.send(new ScanCommand({ TableName: String(outputs.Streamed) }));
  const kept = Items.map(({ pk }) => String(pk?.S));
  expect(kept).toEqual(expect.arrayContaining(written));
  expect(kept.filter((pk) => pk.endsWith('left'))).toHaveLength(kept.length / 2);
  expect((await streamedKeys(endpoints.dynamodb, String(outputs.Streamed))).sort()).toEqual(kept.sort());
  const { Attributes } = await new SQSClient(client(endpoints.sqs)).send(
    new GetQueueAttributesCommand({
      QueueUrl: String(outputs.Unread),
      AttributeNames: ['ApproximateNumberOfMessages'],
    }),
  );
  expect(Number(Attributes?.ApproximateNumberOfMessages)).toBeGreaterThanOrEqual(sent.length);
});

test('an object of which a killed server has left one half neither hinders a start nor is served', async () => {
  const first = await start();
  const object = { Bucket: String(first.outputs.Bucket), Key: 'recordings/half.wav' };
  const whole = { ...object, Key: 'recordings/whole.wav' };
  const objects = new S3Client(client(first.endpoints.s3));
  await objects.send(new PutObjectCommand({ ...whole, Body: 'sound' }));
  await first.stop();
  const data = join(dataDir, 'objects');
  const file = (await readdir(data, { recursive: true })).find((name) =>
    name.endsWith('whole.wav.meta.json'),
  );
  if (file === undefined) throw new Error('the object has no description');
  await writeFile(join(data, dirname(file), 'half.wav.data'), 'so');
  await writeFile(join(data, dirname(file), 'half.wav.meta.json'), '');

  const again = new S3Client(client((await start()).endpoints.s3));
  await expect(again.send(new GetObjectCommand(object))).rejects.toThrow('does not exist');
  const { Body } = await again.send(new GetObjectCommand(whole));
  expect(await Body?.transformToString()).toBe('sound');
});

test('a DynamoDB server that outlived its stack and its guard is ended before another one works on its data', async () => {
  const { child, facts } = await startProcess();
  const isServer = isServerOf(dataDir);
  const server = (await listProcesses()).find(isServer);
  if (server === undefined) throw new Error('there is no server');
  process.kill(server.parentPid, 'SIGKILL');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await accepts('127.0.0.1', facts.endpoints.dynamodb)).toBe(true);

  await start();
  expect((await listProcesses()).filter(isServer)).toHaveLength(1);
  expect(await accepts('127.0.0.1', facts.endpoints.dynamodb)).toBe(false);
});

test('data that was made with another table is not silently used', async () => {
  await (await start()).stop();
  assembly = await writeAssembly(join(directory, 'assembly'), {
    ...template,
    resources: {
      ...template.resources,
      Table: {
        Type: 'AWS::DynamoDB::Table',
        Properties: {
          KeySchema: [{ AttributeName: 'other', KeyType: 'HASH' }],
          AttributeDefinitions: [{ AttributeName: 'other', AttributeType: 'S' }],
        },
      },
    },
  });
  await expect(start()).rejects.toThrow('was made with another key than the template has now');
});

test('an index that the template has gained is added to the data that is there', async () => {
  const first = await start();
  const put = new DynamoDBClient(client(first.endpoints.dynamodb));
  await put.send(
    new PutItemCommand({
      TableName: String(first.outputs.Table),
      Item: { pk: { S: 'a' }, call_id: { S: 'c' } },
    }),
  );
  await first.stop();
  assembly = await writeAssembly(join(directory, 'assembly'), {
    ...template,
    resources: {
      ...template.resources,
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
    },
  });
  const second = await start();
  const { Items } = await new DynamoDBClient(client(second.endpoints.dynamodb)).send(
    new QueryCommand({
      TableName: String(second.outputs.Table),
      IndexName: 'call-index',
      KeyConditionExpression: 'call_id = :id',
      ExpressionAttributeValues: { ':id': { S: 'c' } },
    }),
  );
  expect(Items).toHaveLength(1);
});

async function worked(body: string, time: 1 | 2): Promise<boolean> {
  const log = await readFile(join(dataDir, 'functions.log'), 'utf8').catch(() => '');
  return log.includes(JSON.stringify({ body, time }));
}

function isServerOf(data: string): (process: Process) => boolean {
  return ({ arguments: [command = '', ...options] }) =>
    /dynoxide$/.test(command) && options.includes(join(data, 'dynamodb.sqlite'));
}

/** The keys of all items that the stream of a table tells of. */
async function streamedKeys(endpoint: string, tableName: string): Promise<string[]> {
  const { Table } = await new DynamoDBClient(client(endpoint)).send(
    new DescribeTableCommand({ TableName: tableName }),
  );
  const StreamArn = String(Table?.LatestStreamArn);
  const streams = new DynamoDBStreamsClient(client(endpoint));
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
  const keys: string[] = [];
  for (const { ShardId } of StreamDescription?.Shards ?? []) {
    const { ShardIterator } = await streams.send(
      new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }),
    );
    let next = ShardIterator;
    for (;;) {
      const { Records = [], NextShardIterator } = await streams.send(
        new GetRecordsCommand({ ShardIterator: next }),
      );
      keys.push(...Records.map(({ dynamodb }) => String(dynamodb?.Keys?.pk?.S)));
      if (Records.length === 0 || NextShardIterator === undefined) break;
      next = NextShardIterator;
    }
  }
  return keys;
}
