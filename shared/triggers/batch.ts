import { type LogFields, log, logError, withLogContext } from '#shared/observability/log.ts';

/** A record that can never be processed: reported as failed so that it reaches the dead-letter queue. */
export class PoisonRecord extends Error {
  constructor(cause: unknown) {
    super('record does not have the expected shape', { cause });
    this.name = 'PoisonRecord';
  }
}

export interface BatchResponse {
  readonly batchItemFailures: { itemIdentifier: string }[];
}

export interface BatchOptions<BatchRecord> {
  /** Name of each record's single log line. */
  readonly event: string;
  /** Lambda's name for the record: the SQS message ID, the stream sequence number. */
  readonly identify: (record: BatchRecord) => string;
  readonly describe: (record: BatchRecord) => LogFields;
  readonly work: (record: BatchRecord) => Promise<void>;
  /** `any`: concurrently, each failing alone (SQS). `strict`: in order up to the first failure (streams). */
  readonly order: 'any' | 'strict';
}

/**
 * Processes the records of one invocation and tells Lambda which to deliver again. One bad record neither stops nor
 * repeats the others.
 */
export async function runBatch<BatchRecord>(
  records: readonly BatchRecord[],
  options: BatchOptions<BatchRecord>,
): Promise<BatchResponse> {
  const failedRecords =
    options.order === 'any'
      ? await failuresOfAll(records, options)
      : await firstFailureInOrder(records, options);
  return {
    batchItemFailures: failedRecords.map((record) => ({ itemIdentifier: options.identify(record) })),
  };
}

async function failuresOfAll<BatchRecord>(
  records: readonly BatchRecord[],
  options: BatchOptions<BatchRecord>,
): Promise<BatchRecord[]> {
  const outcomes = await Promise.all(records.map((record) => runRecord(record, options)));
  return records.filter((_, position) => outcomes[position] !== 'done');
}

async function firstFailureInOrder<BatchRecord>(
  records: readonly BatchRecord[],
  options: BatchOptions<BatchRecord>,
): Promise<BatchRecord[]> {
  for (const record of records) {
    // Lambda resumes at the first failed sequence number, so later records are not lost.
    if ((await runRecord(record, options)) !== 'done') return [record];
  }
  return [];
}

type RecordOutcome = 'done' | 'failed' | 'poison';

async function runRecord<BatchRecord>(
  record: BatchRecord,
  options: BatchOptions<BatchRecord>,
): Promise<RecordOutcome> {
  return withLogContext(options.describe(record), async () => {
    const startedAt = performance.now();
    const durationMs = (): number => Math.round(performance.now() - startedAt);
    try {
      await options.work(record);
      log(options.event, { outcome: 'done', duration_ms: durationMs() });
      return 'done';
    } catch (error) {
      const outcome = error instanceof PoisonRecord ? 'poison' : 'failed';
      logError(options.event, error, { outcome, duration_ms: durationMs() });
      return outcome;
    }
  });
}
