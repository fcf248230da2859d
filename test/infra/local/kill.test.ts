import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
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
import {
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type KmsEnvelope, openKmsEnvelope } from '#shared/encryption/kms-envelope.ts';
import { listProcesses, type Process } from '../../../infra/local/servers/processes.ts';
import { eventually } from './fixture.ts';
import { accepts, clientAt, type Facts, StackHome, secretOf } from './stack-home.ts';

let home: StackHome;
beforeEach(async () => {
  home = await StackHome.open();
});
afterEach(() => home.close());

test('after kill -9, data remains, the message in progress resumes at once, and no server remains', async () => {
  const { child, facts } = await home.startProcess();
  const { endpoints, outputs } = facts;
  const table = new DynamoDBClient(clientAt(endpoints.dynamodb));
  await table.send(new PutItemCommand({ TableName: String(outputs.Table), Item: { pk: { S: 'kept' } } }));
  const objects = new S3Client(clientAt(endpoints.s3));
  const object = { Bucket: String(outputs.Bucket), Key: 'recordings/one.wav' };
  await objects.send(new PutObjectCommand({ ...object, Body: 'sound' }));
  const sqs = new SQSClient(clientAt(endpoints.sqs));
  await sqs.send(new SendMessageCommand({ QueueUrl: String(outputs.Queue), MessageBody: 'killed' }));
  const secret = await secretOf(facts);
  const sealed = await secretBoxOf(facts).seal('sealed before', { project_id: 'p' });
  await eventually(() => home.worked('killed', 1));

  child.kill('SIGKILL');
  await eventually(async () => !(await accepts('127.0.0.1', endpoints.dynamodb)));

  const stack = await home.start();
  await eventually(() => home.worked('killed', 2));
  // An interrupted attempt does not bring the message closer to its dead-letter queue.
  expect(await readFile(join(home.dataDir, 'functions.log'), 'utf8')).not.toContain('"receives":"2"');
  const again = new DynamoDBClient(clientAt(stack.endpoints.dynamodb));
  const { Item } = await again.send(
    new GetItemCommand({ TableName: String(stack.outputs.Table), Key: { pk: { S: 'kept' } } }),
  );
  expect(Item).toEqual({ pk: { S: 'kept' } });
  expect((await again.send(new ListTablesCommand({}))).TableNames).toHaveLength(2);
  const { Body } = await new S3Client(clientAt(stack.endpoints.s3)).send(new GetObjectCommand(object));
  expect(await Body?.transformToString()).toBe('sound');
  expect(await secretOf(stack)).toBe(secret);
  expect(await secretBoxOf(stack).open(sealed, { project_id: 'p' })).toBe('sealed before');
});

test('after kill -9, a received but unstarted message is processed at once', async () => {
  const { child, facts } = await home.startProcess();
  const sqs = new SQSClient(clientAt(facts.endpoints.sqs));
  const QueueUrl = String(facts.outputs.Unread);
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'received' }));
  expect((await sqs.send(new ReceiveMessageCommand({ QueueUrl }))).Messages).toHaveLength(1);
  child.kill('SIGKILL');
  await once(child, 'exit');

  const stack = await home.start();
  const again = new SQSClient(clientAt(stack.endpoints.sqs));
  const answer = await again.send(
    new ReceiveMessageCommand({ QueueUrl: String(stack.outputs.Unread), WaitTimeSeconds: 5 }),
  );
  expect(answer.Messages).toMatchObject([{ Body: 'received' }]);
});

test('after kill -9, a failed message waits for its visibility timeout', async () => {
  const { child, facts } = await home.startProcess();
  const sqs = new SQSClient(clientAt(facts.endpoints.sqs));
  const QueueUrl = String(facts.outputs.Queue);
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'refused' }));
  await eventually(() => home.worked('refused', 1));
  // The failure is recorded before the next message is processed.
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'next' }));
  await eventually(() => home.worked('next', 1));
  child.kill('SIGKILL');
  await once(child, 'exit');

  await home.start();
  await eventually(() => home.worked('next', 2));
  expect(await home.worked('refused', 2)).toBe(false);
});

test('after kill -9 of the stack and its servers, acknowledged writes remain, transactions complete', async () => {
  const { child, facts } = await home.startProcess();
  const table = new DynamoDBClient({ ...clientAt(facts.endpoints.dynamodb), maxAttempts: 1 });
  const sqs = new SQSClient({ ...clientAt(facts.endpoints.sqs), maxAttempts: 1 });
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
  const server = (await listProcesses()).find(isServerOf(home.dataDir));
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  if (server !== undefined) process.kill(server.pid, 'SIGKILL');
  await Promise.all([exited, ended]);

  const { endpoints, outputs } = await home.start();
  const again = new DynamoDBClient(clientAt(endpoints.dynamodb));
  const { Items = [] } = await again.send(new ScanCommand({ TableName: String(outputs.Streamed) }));
  const kept = Items.map(({ pk }) => String(pk?.S));
  expect(kept).toEqual(expect.arrayContaining(written));
  expect(kept.filter((pk) => pk.endsWith('left'))).toHaveLength(kept.length / 2);
  expect((await streamedKeys(endpoints.dynamodb, String(outputs.Streamed))).sort()).toEqual(kept.sort());
  const { Attributes } = await new SQSClient(clientAt(endpoints.sqs)).send(
    new GetQueueAttributesCommand({
      QueueUrl: String(outputs.Unread),
      AttributeNames: ['ApproximateNumberOfMessages'],
    }),
  );
  expect(Number(Attributes?.ApproximateNumberOfMessages)).toBeGreaterThanOrEqual(sent.length);
});

test('a half-written object of a killed server neither blocks a start nor is served', async () => {
  const first = await home.start();
  const object = { Bucket: String(first.outputs.Bucket), Key: 'recordings/half.wav' };
  const whole = { ...object, Key: 'recordings/whole.wav' };
  const objects = new S3Client(clientAt(first.endpoints.s3));
  await objects.send(new PutObjectCommand({ ...whole, Body: 'sound' }));
  await first.stop();
  const data = join(home.dataDir, 'objects');
  const file = (await readdir(data, { recursive: true })).find((name) =>
    name.endsWith('whole.wav.meta.json'),
  );
  if (file === undefined) throw new Error('the object has no description');
  await writeFile(join(data, dirname(file), 'half.wav.data'), 'so');
  await writeFile(join(data, dirname(file), 'half.wav.meta.json'), '');

  const again = new S3Client(clientAt((await home.start()).endpoints.s3));
  await expect(again.send(new GetObjectCommand(object))).rejects.toThrow('does not exist');
  const { Body } = await again.send(new GetObjectCommand(whole));
  expect(await Body?.transformToString()).toBe('sound');
});

test('a DynamoDB server that outlived its stack and its guard is stopped before another opens its data', async () => {
  const { child, facts } = await home.startProcess();
  const isServer = isServerOf(home.dataDir);
  const server = (await listProcesses()).find(isServer);
  if (server === undefined) throw new Error('there is no server');
  process.kill(server.parentPid, 'SIGKILL');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await accepts('127.0.0.1', facts.endpoints.dynamodb)).toBe(true);

  await home.start();
  expect((await listProcesses()).filter(isServer)).toHaveLength(1);
  expect(await accepts('127.0.0.1', facts.endpoints.dynamodb)).toBe(false);
});

/** A secret box over the stack's key. */
function secretBoxOf({ endpoints, outputs }: Facts): KmsEnvelope {
  return openKmsEnvelope(String(outputs.Key), new KMSClient(clientAt(endpoints.kms)));
}

function isServerOf(data: string): (process: Process) => boolean {
  return ({ arguments: [command = '', ...options] }) =>
    /dynoxide$/.test(command) && options.includes(join(data, 'dynamodb.sqlite'));
}

/** The keys of all items in a table's stream. */
async function streamedKeys(endpoint: string, tableName: string): Promise<string[]> {
  const { Table } = await new DynamoDBClient(clientAt(endpoint)).send(
    new DescribeTableCommand({ TableName: tableName }),
  );
  const StreamArn = String(Table?.LatestStreamArn);
  const streams = new DynamoDBStreamsClient(clientAt(endpoint));
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
