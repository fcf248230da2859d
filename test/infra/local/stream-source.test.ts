import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import { forThisFile } from '../../support/lifetime.ts';
import { eventually, type FixtureTemplate, startFixture } from './fixture.ts';

/** Logs which values of which item it got; each item says how its function should fare. */
const follower = `const tries = new Map();
exports.handler = async ({ Records }) => {
  const changes = Records.map(({ dynamodb }) => dynamodb.Keys.pk.S + '=' + dynamodb.NewImage.v.N);
  console.log(JSON.stringify({ changes, record: Records[0], as: process.env.AS }));
  for (const { dynamodb } of Records) {
    const how = dynamodb.NewImage.how?.S;
    const count = (tries.get(dynamodb.SequenceNumber) ?? 0) + 1;
    tries.set(dynamodb.SequenceNumber, count);
    if (how === 'throw' || (how === 'throw-twice' && count <= 2)) throw new Error('failed');
    if (how === 'report-once' && count === 1) {
      return { batchItemFailures: [{ itemIdentifier: dynamodb.SequenceNumber }] };
    }
  }
}`;

const mapping = (functionId: string, properties: object): object => ({
  Type: 'AWS::Lambda::EventSourceMapping',
  Properties: {
    EventSourceArn: { 'Fn::GetAtt': ['Table', 'StreamArn'] },
    FunctionName: { Ref: functionId },
    StartingPosition: 'TRIM_HORIZON',
    BatchSize: 10,
    FilterCriteria: {
      Filters: [{ Pattern: JSON.stringify({ dynamodb: { NewImage: { for: { S: [functionId] } } } }) }],
    },
    ...properties,
  },
});

const functionIds = ['Reporting', 'Bisecting', 'Stubborn', 'Modified', 'Late'];

const template: FixtureTemplate = {
  functions: Object.fromEntries(
    functionIds.map((id) => [id, { code: follower, properties: { Environment: { Variables: { AS: id } } } }]),
  ),
  resources: {
    Table: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        BillingMode: 'PAY_PER_REQUEST',
        StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
        TimeToLiveSpecification: { AttributeName: 'expires_at_seconds', Enabled: true },
      },
    },
    DeadLetters: { Type: 'AWS::SQS::Queue', Properties: {} },
    ReportingMapping: mapping('Reporting', { FunctionResponseTypes: ['ReportBatchItemFailures'] }),
    BisectingMapping: mapping('Bisecting', {
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 1,
      // Long enough for all items of a test to be in one batch.
      MaximumBatchingWindowInSeconds: 1,
      DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': ['DeadLetters', 'Arn'] } } },
    }),
    StubbornMapping: mapping('Stubborn', { BatchSize: 1 }),
    ModifiedMapping: mapping('Modified', {
      FilterCriteria: {
        Filters: [
          {
            Pattern: JSON.stringify({
              eventName: ['MODIFY'],
              dynamodb: { NewImage: { for: { S: ['Modified', 'Other'] } } },
            }),
          },
        ],
      },
    }),
  },
  outputs: { Table: { Value: { Ref: 'Table' } }, DeadLetters: { Value: { Ref: 'DeadLetters' } } },
};

const fixture = await forThisFile(startFixture(template));

async function put(functionId: string, pk: string, v: number, how = 'well'): Promise<void> {
  const { endpoints, outputs } = fixture.stack;
  const client = new DynamoDBClient({
    endpoint: endpoints.dynamodb,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  await client.send(
    new PutItemCommand({
      TableName: String(outputs.Table),
      Item: {
        pk: { S: pk },
        v: { N: String(v) },
        for: { S: functionId },
        how: { S: how },
        bytes: { B: new Uint8Array([255]) },
      },
    }),
  );
  client.destroy();
}

/** One function's batches of items whose key begins like this. */
const batchesOf = (functionId: string, prefix: string): string[][] =>
  fixture.logged
    .map(({ content }) => content as { as?: string; changes?: string[] })
    .filter(({ as, changes }) => as === functionId && changes?.some((change) => change.startsWith(prefix)))
    .map(({ changes }) => changes ?? []);

const changesOf = (functionId: string, prefix: string): string[] => batchesOf(functionId, prefix).flat();

describe('a table stream', () => {
  test('delivers every change in order, in Lambda’s record format', async () => {
    for (const v of [1, 2, 3]) await put('Reporting', 'order', v);
    await eventually(() => changesOf('Reporting', 'order').length === 3);
    expect(changesOf('Reporting', 'order')).toEqual(['order=1', 'order=2', 'order=3']);
    const record = fixture.logged.map(({ content }) => content.record).find(Boolean);
    expect(record).toMatchObject({
      eventID: expect.stringMatching(/^[0-9a-f]{32}$/),
      eventName: 'INSERT',
      eventSource: 'aws:dynamodb',
      awsRegion: 'us-east-1',
      eventSourceARN: expect.stringMatching(/^arn:aws:dynamodb:.*\/stream\//),
      dynamodb: {
        Keys: { pk: { S: 'order' } },
        NewImage: { v: { N: '1' }, bytes: { B: '/w==' } },
        SequenceNumber: expect.stringMatching(/^\d+$/),
        ApproximateCreationDateTime: expect.any(Number),
        StreamViewType: 'NEW_AND_OLD_IMAGES',
      },
    });
  });

  test('is filtered by event name and by values of the new image', async () => {
    await put('Modified', 'filtered', 1);
    await put('Modified', 'filtered', 2);
    await put('Nobody', 'filtered', 3);
    await put('Other', 'filtered', 4);
    await eventually(() => changesOf('Modified', 'filtered').length === 2);
    expect(changesOf('Modified', 'filtered')).toEqual(['filtered=2', 'filtered=4']);
  });

  test('has no record of a write without a change', async () => {
    await put('Modified', 'same', 1);
    await put('Modified', 'same', 1);
    await put('Modified', 'same', 2);
    await eventually(() => changesOf('Modified', 'same').includes('same=2'));
    expect(changesOf('Modified', 'same')).toEqual(['same=2']);
  });

  test('continues from the record reported as failed', async () => {
    await put('Reporting', 'report-a', 1);
    await put('Reporting', 'report-b', 1, 'report-once');
    await put('Reporting', 'report-c', 1);
    const seen = await eventually(() => {
      const changes = changesOf('Reporting', 'report-');
      const isRetried = changes.filter((change) => change === 'report-b=1').length > 1;
      return isRetried && changes.at(-1) === 'report-c=1' ? changes : null;
    });
    expect(seen.filter((change) => change === 'report-a=1')).toHaveLength(1);
    expect(seen.filter((change) => change === 'report-b=1')).toHaveLength(2);
  });

  test('retries a failing batch, and nothing overtakes it', async () => {
    await put('Stubborn', 'again-a', 1, 'throw-twice');
    await put('Stubborn', 'again-b', 1);
    await eventually(() => changesOf('Stubborn', 'again-b').length === 1);
    expect(changesOf('Stubborn', 'again-')).toEqual(['again-a=1', 'again-a=1', 'again-a=1', 'again-b=1']);
  });

  test('bisects a failing batch until the bad record is alone, sets it aside and continues', async () => {
    const keys = ['half-a', 'half-b', 'half-c', 'half-d', 'half-e'];
    for (const key of keys) await put('Bisecting', key, 1, key === 'half-d' ? 'throw' : 'well');
    await eventually(() => changesOf('Bisecting', 'half-e').length > 0);
    const sqs = new SQSClient({
      endpoint: fixture.stack.endpoints.sqs,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    });
    const told = await eventually(async () => {
      const { Messages } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl: String(fixture.stack.outputs.DeadLetters) }),
      );
      return Messages?.[0]?.Body;
    });
    sqs.destroy();
    expect(JSON.parse(told)).toMatchObject({
      requestContext: { condition: 'RetryAttemptsExhausted', approximateInvokeCount: 2 },
      DDBStreamBatchInfo: { batchSize: 1, streamArn: expect.stringContaining('/stream/') },
    });
    await eventually(() => batchesOf('Bisecting', 'half-e').at(-1)?.length === 1);
    // The last batch of each record is the one that succeeded, except for the bad record, which was alone.
    expect(batchesOf('Bisecting', 'half-d').at(-1)).toEqual(['half-d=1']);
    expect(batchesOf('Bisecting', 'half-a')[0]?.length).toBeGreaterThan(1);
  });

  test('continues after a restart without losing or repeating records', async () => {
    await put('Reporting', 'restart', 1);
    await eventually(() => changesOf('Reporting', 'restart').length === 1);
    await put('Reporting', 'restart', 2);
    await fixture.restart();
    await put('Reporting', 'restart', 3);
    await eventually(() => changesOf('Reporting', 'restart').includes('restart=3'));
    expect(changesOf('Reporting', 'restart')).toEqual(['restart=1', 'restart=2', 'restart=3']);
  });

  test('drops records older than a day at the next start, and keeps counting', async () => {
    await put('Reporting', 'aged', 1);
    await eventually(() => changesOf('Reporting', 'aged').length === 1);
    await fixture.stack.stop();
    const path = join(fixture.dataDir, 'dynamodb.sqlite');
    const before = new DatabaseSync(path);
    before.exec('UPDATE _stream_records SET created_at = created_at - 90000');
    before.close();
    await fixture.restart();
    const after = new DatabaseSync(path, { timeout: 1_000 });
    expect(after.prepare('SELECT COUNT(*) AS count FROM _stream_records').get()).toMatchObject({ count: 1 });
    after.close();
    await put('Reporting', 'aged', 2);
    await eventually(() => changesOf('Reporting', 'aged').length === 2);
    expect(changesOf('Reporting', 'aged')).toEqual(['aged=1', 'aged=2']);
  });

  test('is read from its beginning by a new mapping', async () => {
    await put('Late', 'late', 1);
    const withLate = { ...template, resources: { ...template.resources, LateMapping: mapping('Late', {}) } };
    await fixture.restart(withLate);
    await eventually(() => changesOf('Late', 'late').length === 1);
  });
});
