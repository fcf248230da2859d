import { setTimeout as sleep } from 'node:timers/promises';
import {
  ChangeMessageVisibilityCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually, type Fixture, startFixture } from './fixture.ts';

/** Logs what it got; each message says how its function should fare. */
const worker = `exports.handler = async ({ Records }) => {
  console.log(JSON.stringify({ records: Records }));
  const bodies = Records.map(({ body }) => body);
  if (bodies.some((body) => body.startsWith('throw'))) throw new Error('failed');
  if (bodies.some((body) => body.startsWith('slow'))) await new Promise((resolve) => setTimeout(resolve, 400));
  const failures = Records.filter(({ body, attributes }) =>
    body.startsWith('fail') && !(body.startsWith('fail-once') && attributes.ApproximateReceiveCount > 1));
  return { batchItemFailures: failures.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}`;

/** Takes a while for each message. */
const busyWorker = `exports.handler = async ({ Records }) => {
  console.log(JSON.stringify({ records: Records }));
  await new Promise((resolve) => setTimeout(resolve, 1500));
}`;

const queue = (properties: object): object => ({ Type: 'AWS::SQS::Queue', Properties: properties });
const mapping = (queueId: string, properties: object): object => ({
  Type: 'AWS::Lambda::EventSourceMapping',
  Properties: {
    EventSourceArn: { 'Fn::GetAtt': [queueId, 'Arn'] },
    FunctionName: { Ref: 'Worker' },
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    ...properties,
  },
});
const queueIds = [
  'Reporting',
  'Plain',
  'Gathering',
  'Filtered',
  'Narrow',
  'Busy',
  'DeadLetters',
  'PlainDeadLetters',
  'Delayed',
  'Unread',
];

let fixture: Fixture;
let sqs: SQSClient;

beforeAll(async () => {
  const redrivenTo = (deadLetters: string): object =>
    queue({
      VisibilityTimeout: 1,
      RedrivePolicy: {
        deadLetterTargetArn: { 'Fn::GetAtt': [deadLetters, 'Arn'] },
        maxReceiveCount: 2,
      },
    });
  fixture = await startFixture({
    functions: {
      Worker: { code: worker, properties: { Timeout: 1 } },
      BusyWorker: { code: busyWorker },
    },
    resources: {
      DeadLetters: queue({}),
      PlainDeadLetters: queue({}),
      Delayed: queue({ DelaySeconds: 3, VisibilityTimeout: 77 }),
      Unread: queue({}),
      Reporting: redrivenTo('DeadLetters'),
      Plain: redrivenTo('PlainDeadLetters'),
      Gathering: queue({}),
      Filtered: queue({}),
      Narrow: queue({}),
      Busy: queue({}),
      ReportingMapping: mapping('Reporting', { BatchSize: 5 }),
      PlainMapping: mapping('Plain', { BatchSize: 1, FunctionResponseTypes: [] }),
      GatheringMapping: mapping('Gathering', { BatchSize: 15, MaximumBatchingWindowInSeconds: 2 }),
      FilteredMapping: mapping('Filtered', {
        BatchSize: 1,
        FilterCriteria: { Filters: [{ Pattern: '{"body":{"wanted":[true]}}' }] },
      }),
      BusyMapping: mapping('Busy', { FunctionName: { Ref: 'BusyWorker' }, BatchSize: 10 }),
      NarrowMapping: mapping('Narrow', { BatchSize: 1, ScalingConfig: { MaximumConcurrency: 2 } }),
    },
    outputs: Object.fromEntries(queueIds.map((id) => [id, { Value: { Ref: id } }])),
  });
  sqs = new SQSClient({
    endpoint: fixture.stack.endpoints.sqs,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
});

afterAll(async () => {
  sqs.destroy();
  await fixture.stop();
});

const url = (id: string): string => String(fixture.stack.outputs[id]);

const send = (id: string, ...bodies: string[]): Promise<unknown> =>
  sqs.send(
    new SendMessageBatchCommand({
      QueueUrl: url(id),
      Entries: bodies.map((MessageBody, index) => ({ Id: String(index), MessageBody })),
    }),
  );

interface QueueRecord {
  readonly body: string;
  readonly attributes: Record<string, string>;
}

/** The batches with any of these bodies, in the order in which the function got them. */
const batchesWith = (...bodies: string[]): QueueRecord[][] =>
  fixture.logged
    .map(({ content }) => (content as { records?: QueueRecord[] }).records ?? [])
    .filter((records) => records.some(({ body }) => bodies.includes(body)));

/** Each time that a message reached the function. */
const comingsOf = (wanted: string): QueueRecord[] =>
  batchesWith(wanted)
    .flat()
    .filter(({ body }) => body === wanted);

const receivesOf = (wanted: string): (string | undefined)[] =>
  comingsOf(wanted).map(({ attributes }) => attributes.ApproximateReceiveCount);

async function waiting(id: string): Promise<number> {
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: url(id), AttributeNames: ['All'] }),
  );
  return (
    Number(Attributes?.ApproximateNumberOfMessages) +
    Number(Attributes?.ApproximateNumberOfMessagesNotVisible) +
    Number(Attributes?.ApproximateNumberOfMessagesDelayed)
  );
}

// Most of the time is spent waiting for visibility timeouts, which can run concurrently.
describe.concurrent('a queue with partial batch responses', () => {
  test('deletes processed messages and redelivers the rest after the visibility timeout', async () => {
    const startedAt = Date.now();
    await send('Reporting', 'fail-once-1', 'good-1', 'good-2');
    await eventually(() => comingsOf('fail-once-1').length === 2);
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(1_000);
    await eventually(async () => (await waiting('Reporting')) === 0);
    expect(receivesOf('fail-once-1')).toEqual(['1', '2']);
    expect([receivesOf('good-1'), receivesOf('good-2')]).toEqual([['1'], ['1']]);
  });

  test('moves a message that always fails to the dead-letter queue', async () => {
    await send('Reporting', 'fail-always');
    const message = await eventually(async () => {
      const { Messages } = await sqs.send(new ReceiveMessageCommand({ QueueUrl: url('DeadLetters') }));
      return Messages?.find(({ Body }) => Body === 'fail-always');
    });
    expect(message.Body).toBe('fail-always');
    expect(receivesOf('fail-always')).toEqual(['1', '2']);
  });

  test('receives at most its batch size', async () => {
    const bodies = Array.from({ length: 10 }, (_, index) => `many-${index}`);
    await send('Reporting', ...bodies);
    await eventually(() => bodies.every((body) => comingsOf(body).length === 1));
    expect(Math.max(...batchesWith(...bodies).map((records) => records.length))).toBeLessThanOrEqual(5);
    await eventually(async () => (await waiting('Reporting')) === 0);
  });

  test('delivers records in Lambda’s format', async () => {
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: url('Reporting'),
        MessageBody: 'shaped',
        MessageAttributes: { colour: { DataType: 'String', StringValue: 'green' } },
      }),
    );
    const record = await eventually(() => comingsOf('shaped')[0]);
    expect(record).toMatchObject({
      messageId: expect.any(String),
      receiptHandle: expect.any(String),
      body: 'shaped',
      attributes: { ApproximateReceiveCount: '1', SentTimestamp: expect.stringMatching(/^\d{13}$/) },
      messageAttributes: { colour: { dataType: 'String', stringValue: 'green' } },
      eventSource: 'aws:sqs',
      eventSourceARN: expect.stringMatching(/^arn:aws:sqs:us-east-1:000000000000:.*Reporting$/),
      awsRegion: 'us-east-1',
    });
  });
});

describe.concurrent('a queue and its function', () => {
  test('messages form batches while the function is busy', async () => {
    const bodies = Array.from({ length: 8 }, (_, index) => `gathers-${index}`);
    await send('Busy', 'before-the-others');
    await eventually(() => comingsOf('before-the-others').length === 1);
    for (const body of bodies) {
      await send('Busy', body);
      await sleep(50);
    }
    await eventually(() => bodies.every((body) => comingsOf(body).length === 1));
    expect(batchesWith(...bodies).length).toBeLessThan(bodies.length / 2);
  });

  test('a failed function returns the whole batch to the queue', async () => {
    await send('Plain', 'throw-1');
    await eventually(async () => {
      const { Messages } = await sqs.send(new ReceiveMessageCommand({ QueueUrl: url('PlainDeadLetters') }));
      return Messages?.some(({ Body }) => Body === 'throw-1');
    });
    expect(batchesWith('throw-1')).toHaveLength(2);
  });

  test('a mapping without item failures deletes messages whatever the function returns', async () => {
    await send('Plain', 'fail-ignored');
    await eventually(() => batchesWith('fail-ignored').length === 1);
    await eventually(async () => (await waiting('Plain')) === 0);
  });

  test('a batching window collects more than one receive', async () => {
    await send('Gathering', ...Array.from({ length: 8 }, (_, index) => `gather-${index}`));
    await send('Gathering', ...Array.from({ length: 7 }, (_, index) => `gather-${index + 8}`));
    const [batch] = await eventually(() =>
      batchesWith('gather-0').length > 0 ? batchesWith('gather-0') : null,
    );
    expect(batch).toHaveLength(15);
  });

  test('a filter drops unwanted messages', async () => {
    await send('Filtered', '{"wanted":false}', '{"wanted":true}', 'no JSON');
    await eventually(async () => (await waiting('Filtered')) === 0);
    expect(batchesWith('{"wanted":true}')).toHaveLength(1);
    expect(batchesWith('{"wanted":false}', 'no JSON')).toHaveLength(0);
  });

  test("concurrent batches stay within the mapping's maximum", async () => {
    const startedAt = Date.now();
    await send('Narrow', 'slow-1', 'slow-2', 'slow-3', 'slow-4');
    await eventually(async () => (await waiting('Narrow')) === 0);
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(800);
  });

  test("a queue has the template's settings", async () => {
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: url('Delayed'), AttributeNames: ['All'] }),
    );
    expect(Attributes).toMatchObject({ DelaySeconds: '3', VisibilityTimeout: '77' });
  });

  test('a message with its visibility timeout set to 0 returns at once', async () => {
    await sqs.send(new SendMessageCommand({ QueueUrl: url('Unread'), MessageBody: 'again' }));
    const take = async (): Promise<string> => {
      const message = await eventually(async () => {
        const { Messages } = await sqs.send(
          new ReceiveMessageCommand({ QueueUrl: url('Unread'), MaxNumberOfMessages: 10 }),
        );
        return Messages?.find(({ Body }) => Body === 'again');
      });
      return String(message.ReceiptHandle);
    };
    const ReceiptHandle = await take();
    await sqs.send(
      new ChangeMessageVisibilityCommand({ QueueUrl: url('Unread'), ReceiptHandle, VisibilityTimeout: 0 }),
    );
    expect(await take()).not.toBe(ReceiptHandle);
  });

  test('a queue with a shorter visibility timeout than its function’s timeout is refused, as on AWS', async () => {
    await expect(
      startFixture({
        functions: { Worker: { code: worker, properties: { Timeout: 60 } } },
        resources: { Short: queue({ VisibilityTimeout: 30 }), Mapping: mapping('Short', {}) },
      }),
    ).rejects.toThrow('is shorter than the timeout of worker (60 s)');
  });
});
