import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import type { InvocableFunction } from '../functions/function-pool.ts';
import { LocalStackError } from '../local-stack-error.ts';
import type { ProvisionedQueue } from '../provision/queues.ts';
import type { StackState } from '../stack-state.ts';
import type { Deployment } from '../template/deployment.ts';
import type { Activity } from './activity.ts';
import type { EventSource } from './event-source.ts';
import { compileFilters } from './filter-pattern.ts';
import { QueuePoller } from './queue-poller.ts';
import { type DiscardedBatch, StreamPoller } from './stream-poller.ts';
import { StreamReads } from './stream-reads.ts';

const mappingSchema = z.object({
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  Enabled: z._default(z.boolean(), true),
  BatchSize: z.optional(z.number()),
  MaximumBatchingWindowInSeconds: z._default(z.number(), 0),
  FunctionResponseTypes: z._default(z.array(z.literal('ReportBatchItemFailures')), []),
  FilterCriteria: z.optional(
    z.object({ Filters: z._default(z.array(z.object({ Pattern: z.string() })), []) }),
  ),
  ScalingConfig: z.optional(z.object({ MaximumConcurrency: z.optional(z.number()) })),
  StartingPosition: z._default(z.enum(['TRIM_HORIZON', 'LATEST']), 'TRIM_HORIZON'),
  BisectBatchOnFunctionError: z._default(z.boolean(), false),
  MaximumRetryAttempts: z._default(z.number(), -1),
  MaximumRecordAgeInSeconds: z._default(z.number(), -1),
  DestinationConfig: z.optional(
    z.object({ OnFailure: z.optional(z.object({ Destination: z.optional(z.string()) })) }),
  ),
  TumblingWindowInSeconds: z.optional(z.literal(0, 'tumbling windows are not supported locally')),
});

type Mapping = z.infer<typeof mappingSchema>;

export interface EventSourceServices {
  readonly functions: readonly InvocableFunction[];
  readonly queues: readonly ProvisionedQueue[];
  readonly sqs: SQSClient;
  readonly streams: DynamoDBStreamsClient;
  readonly state: StackState;
  readonly activity: Activity;
  readonly log: (line: string) => void;
}

/** Reads the template's event source mappings; nothing runs before the returned function is called. */
export function prepareEventSources(
  deployment: Deployment,
  services: EventSourceServices,
): () => EventSource[] {
  const streams = new Map<string, StreamReads>();
  const starts = deployment.ofType('AWS::Lambda::EventSourceMapping').map((resource) => {
    const mapping = deployment.properties(resource, mappingSchema);
    const where = resource.logicalId;
    const target = services.functions.find(({ definition }) =>
      [definition.arn, definition.name].includes(mapping.FunctionName),
    );
    if (target === undefined) {
      throw new LocalStackError(
        `${where} feeds ${mapping.FunctionName}, which is no function of the template`,
      );
    }
    const [service] = mapping.EventSourceArn.split(':').slice(2);
    switch (service) {
      case 'sqs':
        return prepareQueue(where, mapping, target, services);
      case 'dynamodb': {
        const reads = streams.get(mapping.EventSourceArn) ?? new StreamReads(services.streams);
        streams.set(mapping.EventSourceArn, reads);
        return prepareStream(where, mapping, target, reads, services);
      }
      default:
        throw new LocalStackError(
          `${where} has the source ${mapping.EventSourceArn}; only queues and table streams are supported locally`,
        );
    }
  });
  return () => starts.flatMap((start) => (start === null ? [] : [start()]));
}

function prepareQueue(
  where: string,
  mapping: Mapping,
  target: InvocableFunction,
  { queues, sqs, state, log }: EventSourceServices,
): (() => EventSource) | null {
  const queue = queues.find(({ arn }) => arn === mapping.EventSourceArn);
  if (queue === undefined) {
    throw new LocalStackError(
      `${where} has the source ${mapping.EventSourceArn}, which is no queue of the template`,
    );
  }
  const { timeoutMs, concurrency } = target.definition;
  // AWS refuses such a mapping: a message would return while its function still works on it.
  if (queue.visibilityTimeoutSeconds * 1000 < timeoutMs) {
    throw new LocalStackError(
      `${where}: the visibility timeout of ${queue.name} (${queue.visibilityTimeoutSeconds} s) is shorter than ` +
        `the timeout of ${target.definition.name} (${timeoutMs / 1000} s)`,
    );
  }
  const wants = compileFilters(patternsOf(mapping), where);
  if (!mapping.Enabled) return null;
  return () =>
    new QueuePoller({
      queue,
      target,
      batchSize: mapping.BatchSize ?? 10,
      windowMs: mapping.MaximumBatchingWindowInSeconds * 1000,
      // More batches than workers would only wait while their messages' visibility expires.
      concurrency: Math.min(mapping.ScalingConfig?.MaximumConcurrency ?? concurrency, concurrency),
      reportsItemFailures: mapping.FunctionResponseTypes.includes('ReportBatchItemFailures'),
      wants,
      client: sqs,
      state,
      log,
    });
}

function prepareStream(
  where: string,
  mapping: Mapping,
  target: InvocableFunction,
  reads: StreamReads,
  { queues, sqs, streams, state, activity, log }: EventSourceServices,
): (() => EventSource) | null {
  const destination = mapping.DestinationConfig?.OnFailure?.Destination;
  const deadLetters = queues.find(({ arn }) => arn === destination);
  if (destination !== undefined && deadLetters === undefined) {
    throw new LocalStackError(
      `${where} sends failures to ${destination}, which is not a queue of the template`,
    );
  }
  const wants = compileFilters(patternsOf(mapping), where);
  if (!mapping.Enabled) return null;
  const tell = async (batch: DiscardedBatch): Promise<void> => {
    if (deadLetters === undefined) return;
    await sqs.send(new SendMessageCommand({ QueueUrl: deadLetters.url, MessageBody: JSON.stringify(batch) }));
  };
  return () =>
    new StreamPoller({
      mapping: where,
      streamArn: mapping.EventSourceArn,
      target,
      startingPosition: mapping.StartingPosition,
      batchSize: mapping.BatchSize ?? 100,
      windowMs: mapping.MaximumBatchingWindowInSeconds * 1000,
      wants,
      reportsItemFailures: mapping.FunctionResponseTypes.includes('ReportBatchItemFailures'),
      bisects: mapping.BisectBatchOnFunctionError,
      retryAttempts: unlimitedIfNegative(mapping.MaximumRetryAttempts),
      recordAgeLimitMs: unlimitedIfNegative(mapping.MaximumRecordAgeInSeconds * 1000),
      onFailure: deadLetters === undefined ? null : tell,
      client: streams,
      reads,
      state,
      activity,
      log,
    });
}

function patternsOf(mapping: Mapping): string[] {
  return (mapping.FilterCriteria?.Filters ?? []).map(({ Pattern }) => Pattern);
}

function unlimitedIfNegative(limit: number): number {
  return limit < 0 ? Number.POSITIVE_INFINITY : limit;
}
