import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { queueWorker } from '#shared/triggers/queue.ts';
import { scheduledJob } from '#shared/triggers/schedule.ts';
import { type StreamRecord, streamWorker } from '#shared/triggers/stream.ts';
import { capturedLog } from '../../support/captured-log.ts';
import { lambdaContext, queueEvent } from '../../support/lambda-events.ts';

describe('a queue worker', () => {
  test('reports an unparsable message without showing it, and processes the others', async () => {
    const seen: unknown[] = [];
    const handler = queueWorker(z.object({ id: z.string() }), async (parsed, info) => {
      seen.push([parsed, info]);
    });
    const event = queueEvent(['{"id":"a"}', '{"id":"canary', '{"canary":1}']);
    let response: unknown;
    const text = await capturedLog(async () => {
      response = await handler(event, lambdaContext);
    });
    expect(seen).toEqual([[{ id: 'a' }, { messageId: '0', receiveCount: 1 }]]);
    expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }, { itemIdentifier: '2' }] });
    expect(text).not.toContain('canary');
    expect(text.match(/"outcome":"poison"/g)).toHaveLength(2);
  });
});

test('a message of a traced request is logged with its trace', async () => {
  const event = queueEvent(['{}', '{}']);
  const [first] = event.Records;
  if (first !== undefined) {
    const AWSTraceHeader = 'Root=1-57ff426a-80c11c39b0c928905eb0828d;Sampled=1';
    first.attributes = { ...first.attributes, AWSTraceHeader };
  }
  const handler = queueWorker(z.object({}), async () => {});
  const lines = (await capturedLog(() => handler(event, lambdaContext))).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).trace_id)).toEqual([
    '1-57ff426a-80c11c39b0c928905eb0828d',
    undefined,
  ]);
});

describe('a stream worker', () => {
  const change = (
    sequenceNumber: string,
    newImage: NonNullable<DynamoDBRecord['dynamodb']>['NewImage'],
  ): DynamoDBRecord => ({
    eventID: `event-${sequenceNumber}`,
    eventName: 'MODIFY',
    dynamodb: {
      SequenceNumber: sequenceNumber,
      OldImage: { pk: { S: 'x' } },
      ...(newImage ? { NewImage: newImage } : {}),
    },
  });

  test('receives plain values of every attribute type, in order', async () => {
    const seen: StreamRecord[] = [];
    const handler = streamWorker(async (record) => void seen.push(record));
    const image = {
      text: { S: '' },
      count: { N: '-1.5' },
      flag: { BOOL: false },
      nothing: { NULL: true },
      list: { L: [{ S: 'a' }, { M: { deep: { N: '1' } } }] },
    };
    const response = await handler({ Records: [change('1', image), change('2', undefined)] }, lambdaContext);
    expect(response).toEqual({ batchItemFailures: [] });
    expect(seen).toEqual([
      {
        eventId: 'event-1',
        eventName: 'MODIFY',
        oldItem: { pk: 'x' },
        newItem: { text: '', count: -1.5, flag: false, nothing: null, list: ['a', { deep: 1 }] },
      },
      { eventId: 'event-2', eventName: 'MODIFY', oldItem: { pk: 'x' }, newItem: null },
    ]);
  });

  test('stops at the first failure and reports its sequence number', async () => {
    const handler = streamWorker(async ({ eventId }) => {
      if (eventId === 'event-2') throw new Error('transient');
    });
    const records = ['1', '2', '3'].map((sequenceNumber) => change(sequenceNumber, undefined));
    expect(await handler({ Records: records }, lambdaContext)).toEqual({
      batchItemFailures: [{ itemIdentifier: '2' }],
    });
  });
});

describe('a scheduled job', () => {
  const tick = {
    id: '1',
    version: '0',
    account: '000000000000',
    time: '2026-03-02T15:00:00Z',
    region: 'us-east-1',
    resources: [],
    source: 'aws.events',
    'detail-type': 'Scheduled Event' as const,
    detail: {},
  };

  test('receives its scheduled time', async () => {
    const times: Date[] = [];
    await scheduledJob(async ({ at }) => void times.push(at))(tick, lambdaContext);
    expect(times).toEqual([new Date('2026-03-02T15:00:00Z')]);
  });

  test('that fails also fails for Lambda, and is logged without the message', async () => {
    const handler = scheduledJob(() => Promise.reject(new Error('canary')));
    const text = await capturedLog(() => expect(handler(tick, lambdaContext)).rejects.toThrow('canary'));
    expect(text).toContain('invocation-failed');
    expect(text).not.toContain('canary');
  });
});
