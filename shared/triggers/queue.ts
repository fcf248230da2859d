import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import { traceField } from '#shared/observability/trace.ts';
import { type BatchResponse, PoisonRecord, runBatch } from './batch.ts';
import { invocationFields, lambdaHandler } from './invocation.ts';
import { logFailure } from './middlewares/log-failure.ts';

export interface MessageInfo {
  readonly messageId: string;
  /** 1 for the first delivery. */
  readonly receiveCount: number;
}

/**
 * A Lambda handler for an SQS event source with `ReportBatchItemFailures`. Parses each body with `schema`; an invalid
 * body is poison and reaches the dead-letter queue by the redrive policy. If `process` throws, its message is
 * delivered again after the visibility timeout, without affecting the others.
 */
export function queueWorker<Schema extends z.ZodMiniType>(
  schema: Schema,
  process: (message: z.output<Schema>, info: MessageInfo) => Promise<void>,
): (event: SQSEvent, context: Context) => Promise<BatchResponse> {
  return lambdaHandler<SQSEvent, BatchResponse>(
    { logFields: invocationFields, middlewares: [logFailure()] },
    (event) =>
      runBatch(event.Records, {
        event: 'queue-message',
        order: 'any',
        identify: (record) => record.messageId,
        describe: (record) => ({
          message_id: record.messageId,
          receive_count: receiveCount(record),
          ...traceField(record.attributes.AWSTraceHeader ?? ''),
        }),
        work: (record) =>
          process(parseBody(schema, record.body), {
            messageId: record.messageId,
            receiveCount: receiveCount(record),
          }),
      }),
  );
}

function receiveCount(record: SQSRecord): number {
  return Number(record.attributes.ApproximateReceiveCount);
}

function parseBody<Schema extends z.ZodMiniType>(schema: Schema, body: string): z.output<Schema> {
  try {
    return z.parse(schema, JSON.parse(body));
  } catch (error) {
    throw new PoisonRecord(error);
  }
}
