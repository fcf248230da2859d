import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type Message,
  type MessageAttributeValue,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { InvocableFunction } from '../functions/function-pool.ts';
import type { ProvisionedQueue } from '../provision/queues.ts';
import type { StackState } from '../stack-state.ts';
import { localRegion } from '../template/physical-names.ts';
import { failedItems } from './batch-response.ts';
import type { EventSource } from './event-source.ts';
import type { Filter } from './filter-pattern.ts';

export interface QueuePollerOptions {
  readonly queue: ProvisionedQueue;
  readonly target: InvocableFunction;
  readonly batchSize: number;
  readonly windowMs: number;
  readonly concurrency: number;
  readonly reportsItemFailures: boolean;
  readonly wants: Filter;
  readonly client: SQSClient;
  readonly state: StackState;
  readonly log: (line: string) => void;
}

/** A queue's batch size, and how long a receive waits for a message. */
const receiveLimit = 10;
const longPollSeconds = 20;

/**
 * The event source mapping of a queue: takes batches, invokes the function with each, deletes processed messages and
 * leaves the others to the queue, which redelivers them after the visibility timeout or moves them to its dead-letter
 * queue.
 */
export class QueuePoller implements EventSource {
  readonly #options: QueuePollerOptions;
  readonly #batches = new Set<Promise<void>>();
  readonly #polling: Promise<void>;
  #stopping = false;

  constructor(options: QueuePollerOptions) {
    this.#options = options;
    this.#polling = this.#poll();
  }

  /**
   * Takes no more messages. The open receive request stays open, because aborting it would lose the next message; it
   * ends with the queue's server.
   */
  stop(): void {
    this.#stopping = true;
  }

  async settled(): Promise<void> {
    while (this.#batches.size > 0) await Promise.all(this.#batches);
  }

  ended(): Promise<void> {
    return this.#polling;
  }

  async #poll(): Promise<void> {
    const { concurrency, queue, target, log } = this.#options;
    while (!this.#stopping) {
      // While a batch waits for a worker, the messages behind it gather into the next one.
      const isBusy = this.#batches.size > 0 && target.waiting > 0;
      if (isBusy || this.#batches.size >= concurrency) {
        await Promise.race(this.#batches);
        continue;
      }
      try {
        const messages = await this.#nextBatch();
        if (messages.length === 0) continue;
        if (this.#stopping) {
          await this.#release(messages);
          return;
        }
        const batch = this.#process(messages).finally(() => this.#batches.delete(batch));
        this.#batches.add(batch);
      } catch (error) {
        if (this.#stopping) return;
        log(`polling ${queue.name} failed, trying again: ${String(error)}`);
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    }
  }

  async #nextBatch(): Promise<Message[]> {
    const { batchSize, windowMs } = this.#options;
    const messages = await this.#receive(batchSize, longPollSeconds);
    const deadlineMs = Date.now() + windowMs;
    // Without a window, a batch is what is there at once.
    while (messages.length > 0 && messages.length < batchSize && Date.now() < deadlineMs && !this.#stopping) {
      const more = await this.#receive(batchSize - messages.length, 1);
      messages.push(...more);
    }
    return messages;
  }

  async #receive(count: number, waitSeconds: number): Promise<Message[]> {
    const { client, queue } = this.#options;
    const { Messages: messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: queue.url,
        MaxNumberOfMessages: Math.min(count, receiveLimit),
        WaitTimeSeconds: waitSeconds,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      }),
    );
    return messages;
  }

  async #process(messages: readonly Message[]): Promise<void> {
    const { queue, target, wants, state, reportsItemFailures, log } = this.#options;
    const records = messages.map((message) => recordOf(message, queue.arn));
    const wanted = records.filter((record) => wants(filterable(record)));
    let failed: readonly string[] = [];
    if (wanted.length > 0) {
      const identifiers = wanted.map(({ messageId }) => messageId);
      const result = await target.invoke({ Records: wanted });
      failed =
        result.kind === 'succeeded'
          ? failedItems(result.payload, identifiers, reportsItemFailures)
          : identifiers;
    }
    // Filtered-out messages count as done, as on AWS.
    const done = records
      .filter(({ messageId }) => !failed.includes(messageId))
      .map(({ receiptHandle }) => receiptHandle);
    try {
      await this.#delete(done);
    } catch (error) {
      if (!this.#stopping) log(`deleting from ${queue.name} failed: ${String(error)}`);
    }
    // The next start resumes what a stop or kill interrupted; other failures wait for their turn.
    if (this.#stopping) return;
    state.addFailedMessages(
      records.filter(({ messageId }) => failed.includes(messageId)).map(({ receiptHandle }) => receiptHandle),
    );
  }

  async #delete(receiptHandles: readonly string[]): Promise<void> {
    const { client, queue } = this.#options;
    for (let start = 0; start < receiptHandles.length; start += receiveLimit) {
      const Entries = receiptHandles
        .slice(start, start + receiveLimit)
        .map((ReceiptHandle, index) => ({ Id: String(index), ReceiptHandle }));
      await client.send(new DeleteMessageBatchCommand({ QueueUrl: queue.url, Entries }));
    }
  }

  /** Returns messages that arrive during a stop. */
  async #release(messages: readonly Message[]): Promise<void> {
    const { client, queue } = this.#options;
    const Entries = messages.map((message, index) => ({
      Id: String(index),
      ReceiptHandle: handleOf(message),
      VisibilityTimeout: 0,
    }));
    await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: queue.url, Entries }));
  }
}

interface QueueRecord {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  readonly [member: string]: unknown;
}

/** A message as Lambda writes it into the event. */
function recordOf(message: Message, queueArn: string): QueueRecord {
  return {
    messageId: String(message.MessageId),
    receiptHandle: handleOf(message),
    body: message.Body ?? '',
    attributes: message.Attributes ?? {},
    messageAttributes: Object.fromEntries(
      Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [name, attributeOf(value)]),
    ),
    md5OfBody: message.MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: localRegion,
  };
}

function attributeOf({ DataType, StringValue, BinaryValue }: MessageAttributeValue): Record<string, unknown> {
  return {
    stringValue: StringValue,
    binaryValue: BinaryValue === undefined ? undefined : Buffer.from(BinaryValue).toString('base64'),
    stringListValues: [],
    binaryListValues: [],
    dataType: DataType,
  };
}

/** Filters look into a body that is JSON. */
function filterable(record: QueueRecord): unknown {
  try {
    return { ...record, body: JSON.parse(record.body) };
  } catch {
    return record;
  }
}

function handleOf(message: Message): string {
  return String(message.ReceiptHandle);
}
