import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  ExpiredIteratorException,
  GetShardIteratorCommand,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import type { InvocableFunction } from '../functions/function-pool.ts';
import type { StackState } from '../stack-state.ts';
import type { Activity } from './activity.ts';
import { failedItems } from './batch-response.ts';
import type { EventSource } from './event-source.ts';
import type { Filter } from './filter-pattern.ts';
import type { StreamRead, StreamReads } from './stream-reads.ts';
import { type StreamEventRecord, streamEventRecord } from './stream-records.ts';

/** What the failure destination receives about a discarded batch. */
export interface DiscardedBatch {
  readonly requestContext: Record<string, unknown>;
  readonly responseContext: Record<string, unknown>;
  readonly version: string;
  readonly timestamp: string;
  readonly DDBStreamBatchInfo: Record<string, unknown>;
}

export interface StreamPollerOptions {
  /** Name of the stored stream position. */
  readonly mapping: string;
  readonly streamArn: string;
  readonly target: InvocableFunction;
  readonly startingPosition: 'TRIM_HORIZON' | 'LATEST';
  readonly batchSize: number;
  readonly windowMs: number;
  readonly wants: Filter;
  readonly reportsItemFailures: boolean;
  readonly bisects: boolean;
  /** How often a batch is retried; `Infinity` for as long as the stream retains it. */
  readonly retryAttempts: number;
  readonly recordAgeLimitMs: number;
  /** Receives discarded batches. */
  readonly onFailure: ((batch: DiscardedBatch) => Promise<void>) | null;
  readonly client: DynamoDBStreamsClient;
  /** Shared by all that follow the stream. */
  readonly reads: StreamReads;
  readonly state: StackState;
  readonly activity: Activity;
  readonly log: (line: string) => void;
}

/** The polling rate of Lambda per shard. */
const busyPauseMs = 250;
const idlePauseMs = 2_000;
const firstBackoffMs = 100;
const backoffLimitMs = 10_000;

/**
 * The event source mapping of a table's stream: follows its shards in order and advances past a batch only when the
 * function has processed it, or it is given up. Stores the position, so that a restart resumes there.
 */
export class StreamPoller implements EventSource {
  readonly #options: StreamPollerOptions;
  readonly #stop = new AbortController();
  readonly #shards = new Map<string, Promise<void>>();
  readonly #finished = new Set<string>();

  #finding: Promise<void>;

  constructor(options: StreamPollerOptions) {
    this.#options = options;
    this.#finding = this.#followNewShards();
  }

  stop(): void {
    this.#stop.abort();
  }

  async settled(): Promise<void> {
    await this.#finding;
    await Promise.all(this.#shards.values());
  }

  ended(): Promise<void> {
    return this.settled();
  }

  get #stopped(): boolean {
    return this.#stop.signal.aborted;
  }

  /** A shard is read after its parent has been finished, so that an item's changes stay in order. */
  async #followNewShards(): Promise<void> {
    const { client, streamArn, log, activity } = this.#options;
    while (!this.#stopped) {
      try {
        const { StreamDescription: stream } = await client.send(
          new DescribeStreamCommand({ StreamArn: streamArn }),
        );
        const shards = stream?.Shards ?? [];
        for (const { ShardId: id, ParentShardId: parent } of shards) {
          const isWaiting =
            parent !== undefined &&
            !this.#finished.has(parent) &&
            shards.some(({ ShardId: other }) => other === parent);
          if (id === undefined || isWaiting || this.#shards.has(id)) continue;
          this.#shards.set(id, this.#follow(id));
        }
        return;
      } catch (error) {
        log(`reading the stream ${streamArn} failed, trying again: ${String(error)}`);
        await activity.pause(idlePauseMs, idlePauseMs, this.#stop.signal);
      }
    }
  }

  async #follow(shard: string): Promise<void> {
    const { activity, log, streamArn } = this.#options;
    let iterator: string | undefined;
    let isTrimmed = false;
    while (!this.#stopped) {
      try {
        iterator ??= await this.#iteratorOf(shard, isTrimmed);
        isTrimmed = false;
        const read = await this.#read(iterator);
        if (read.lastSequenceNumber !== null) await this.#pass(shard, read);
        if (read.next === undefined) {
          this.#finished.add(shard);
          this.#finding = this.#followNewShards();
          return;
        }
        iterator = read.next;
        // Also after records: larger batches cost less.
        await activity.pause(busyPauseMs, idlePauseMs, this.#stop.signal);
      } catch (error) {
        // An iterator lives 15 minutes on AWS; a new one continues from the stored position.
        iterator = undefined;
        if (error instanceof ExpiredIteratorException || error instanceof TrimmedDataAccessException)
          continue;
        if (this.#stopped) return;
        log(`following the stream ${streamArn} failed, trying again: ${String(error)}`);
        await activity.pause(idlePauseMs, idlePauseMs, this.#stop.signal);
      }
    }
  }

  async #iteratorOf(shard: string, isTrimmed: boolean): Promise<string> {
    const { client, streamArn, state, mapping, startingPosition } = this.#options;
    const kept = state.checkpoint(mapping, shard);
    const position = isTrimmed ? null : kept;
    const beginning = kept === null ? startingPosition : 'TRIM_HORIZON';
    const { ShardIterator: iterator } = await client.send(
      new GetShardIteratorCommand({
        StreamArn: streamArn,
        ShardId: shard,
        ...(position === null
          ? { ShardIteratorType: beginning }
          : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: position }),
      }),
    );
    if (iterator === undefined) throw new Error(`shard ${shard} has no iterator`);
    return iterator;
  }

  /** The next records that pass the filter, collected for the batching window if there is one. */
  async #read(from: string): Promise<{
    wanted: StreamEventRecord[];
    lastSequenceNumber: string | null;
    next: string | undefined;
  }> {
    const { reads, streamArn, wants, batchSize, windowMs } = this.#options;
    const wanted: StreamEventRecord[] = [];
    let lastSequenceNumber: string | null = null;
    let next: string | undefined = from;
    let deadlineMs: number | null = null;
    for (;;) {
      const { Records: records = [], NextShardIterator: iterator }: StreamRead = await reads.read(next);
      next = iterator;
      for (const raw of records) {
        lastSequenceNumber = raw.dynamodb?.SequenceNumber ?? lastSequenceNumber;
        const record = streamEventRecord(raw, streamArn, wants);
        if (record !== null) wanted.push(record);
      }
      if (wanted.length > 0) deadlineMs ??= Date.now() + windowMs;
      const isGathering = deadlineMs !== null && Date.now() < deadlineMs && wanted.length < batchSize;
      if (!isGathering || next === undefined || this.#stopped) return { wanted, lastSequenceNumber, next };
      await this.#options.activity.pause(busyPauseMs, busyPauseMs, this.#stop.signal);
    }
  }

  async #pass(
    shard: string,
    {
      wanted,
      lastSequenceNumber,
    }: { wanted: readonly StreamEventRecord[]; lastSequenceNumber: string | null },
  ): Promise<void> {
    const { batchSize } = this.#options;
    for (let start = 0; start < wanted.length && !this.#stopped; start += batchSize) {
      await this.#deliver(shard, wanted.slice(start, start + batchSize));
    }
    if (!this.#stopped && lastSequenceNumber !== null) this.#keepPosition(shard, lastSequenceNumber);
  }

  /** Returns when the batch is done or given up, or when the stack stops. */
  async #deliver(shard: string, batch: readonly StreamEventRecord[]): Promise<void> {
    const { target, reportsItemFailures, bisects, retryAttempts, recordAgeLimitMs } = this.#options;
    let records = batch;
    let invocations = 0;
    let retries = 0;
    while (!this.#stopped) {
      const identifiers = records.map(({ sequenceNumber }) => sequenceNumber);
      const result = await target.invoke({ Records: records.map(({ event }) => event) });
      invocations += 1;
      const failed =
        result.kind === 'succeeded'
          ? failedItems(result.payload, identifiers, reportsItemFailures)
          : identifiers;
      const done = failed.length === 0 ? records.length : identifiers.findIndex((id) => failed.includes(id));
      const lastDone = records[done - 1];
      if (this.#stopped && lastDone === undefined) return;
      if (lastDone !== undefined) this.#keepPosition(shard, lastDone.sequenceNumber);
      records = records.slice(done);
      const [first] = records;
      if (first === undefined) return;
      if (lastDone !== undefined) {
        // The records after the processed ones form a new batch, with all its attempts.
        retries = 0;
        invocations = 0;
        await this.#backOff(0);
        continue;
      }
      if (bisects && records.length > 1) {
        const middle = Math.ceil(records.length / 2);
        await this.#deliver(shard, records.slice(0, middle));
        await this.#deliver(shard, records.slice(middle));
        return;
      }
      const isTooOld = Date.now() - first.createdAt.getTime() > recordAgeLimitMs;
      if (retries >= retryAttempts || isTooOld) {
        await this.#giveUp(shard, records, {
          requestId: result.requestId,
          functionArn: target.definition.arn,
          condition: isTooOld ? 'RecordAgeExceeded' : 'RetryAttemptsExhausted',
          approximateInvokeCount: invocations,
        });
        return;
      }
      await this.#backOff(retries);
      retries += 1;
    }
  }

  async #backOff(retries: number): Promise<void> {
    const ms = Math.min(firstBackoffMs * 2 ** retries, backoffLimitMs);
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#stop.signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#stop.signal.addEventListener('abort', end);
    });
  }

  async #giveUp(
    shard: string,
    records: readonly StreamEventRecord[],
    requestContext: Record<string, unknown>,
  ): Promise<void> {
    const { onFailure, streamArn, log, mapping } = this.#options;
    const first = records[0];
    const last = records.at(-1);
    if (first === undefined || last === undefined) return;
    log(`${mapping} gave up ${records.length} records of its stream`);
    await onFailure?.({
      requestContext,
      responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
      version: '1.0',
      timestamp: new Date().toISOString(),
      DDBStreamBatchInfo: {
        shardId: shard,
        startSequenceNumber: first.sequenceNumber,
        endSequenceNumber: last.sequenceNumber,
        approximateArrivalOfFirstRecord: first.createdAt.toISOString(),
        approximateArrivalOfLastRecord: last.createdAt.toISOString(),
        batchSize: records.length,
        streamArn,
      },
    });
    this.#keepPosition(shard, last.sequenceNumber);
  }

  #keepPosition(shard: string, sequenceNumber: string): void {
    const { state, mapping } = this.#options;
    state.saveCheckpoint(mapping, shard, sequenceNumber);
  }
}
