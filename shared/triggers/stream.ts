import type { AttributeValue, Context, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { log } from '#shared/observability/log.ts';
import { type BatchResponse, runBatch } from './batch.ts';
import { invocationFields, lambdaHandler } from './invocation.ts';
import { logFailure } from './middlewares/log-failure.ts';

/** One change of the table. The images are plain JavaScript values, not yet parsed by any schema. */
export interface StreamRecord {
  readonly eventId: string;
  readonly eventName: 'INSERT' | 'MODIFY' | 'REMOVE';
  readonly oldItem: Record<string, unknown> | null;
  readonly newItem: Record<string, unknown> | null;
}

/**
 * A Lambda handler for a DynamoDB stream with old and new images and `ReportBatchItemFailures`. Processes records in
 * order; the first failure ends the batch, and Lambda resumes there, so nothing is skipped or overtaken.
 */
export function streamWorker(
  process: (record: StreamRecord) => Promise<void>,
): (event: DynamoDBStreamEvent, context: Context) => Promise<BatchResponse> {
  return lambdaHandler<DynamoDBStreamEvent, BatchResponse>(
    { logFields: invocationFields, middlewares: [logFailure()] },
    (event) =>
      runBatch(event.Records, {
        event: 'stream-record',
        order: 'strict',
        identify: (record) => record.dynamodb?.SequenceNumber ?? '',
        describe: (record) => ({ event_id: record.eventID ?? null, event_name: record.eventName ?? null }),
        work: (record) => process(toStreamRecord(record)),
      }),
  );
}

/**
 * A Lambda handler for a DynamoDB stream that takes an invocation's records together: all succeed, or all are
 * redelivered.
 */
export function streamBatchWorker(
  process: (records: readonly StreamRecord[]) => Promise<void>,
): (event: DynamoDBStreamEvent, context: Context) => Promise<BatchResponse> {
  return lambdaHandler<DynamoDBStreamEvent, BatchResponse>(
    { logFields: invocationFields, middlewares: [logFailure()] },
    async (event) => {
      const startedAt = performance.now();
      await process(event.Records.map(toStreamRecord));
      const duration_ms = Math.round(performance.now() - startedAt);
      log('stream-batch', { outcome: 'done', records: event.Records.length, duration_ms });
      return { batchItemFailures: [] };
    },
  );
}

function toStreamRecord(record: DynamoDBRecord): StreamRecord {
  return {
    eventId: record.eventID ?? '',
    eventName: record.eventName ?? 'MODIFY',
    oldItem: toItem(record.dynamodb?.OldImage),
    newItem: toItem(record.dynamodb?.NewImage),
  };
}

function toItem(image: Record<string, AttributeValue> | undefined): Record<string, unknown> | null {
  return image === undefined ? null : toObject(image);
}

function toObject(attributes: Record<string, AttributeValue>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, toValue(value)]));
}

/** The attribute types in the table, which has no sets. Bytes are base64 in events. */
function toValue(attribute: AttributeValue): unknown {
  if (attribute.S !== undefined) return attribute.S;
  if (attribute.N !== undefined) return Number(attribute.N);
  if (attribute.BOOL !== undefined) return attribute.BOOL;
  if (attribute.B !== undefined) return Buffer.from(attribute.B, 'base64');
  if (attribute.M !== undefined) return toObject(attribute.M);
  if (attribute.L !== undefined) return attribute.L.map(toValue);
  return null;
}
