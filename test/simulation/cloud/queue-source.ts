import * as z from 'zod/mini';
import { failedItems } from '../../../infra/local/event-sources/batch-response.ts';
import type { Faults } from '../engine/faults.ts';
import type { SeededRandom } from '../engine/random.ts';
import type { Appointment, VirtualClock } from '../engine/virtual-clock.ts';
import type { Journal } from '../harness/journal.ts';
import { poisonBodies } from '../harness/poison.ts';
import type { EventSourceMapping } from './deployed-stack.ts';
import type { QueueServer } from './embedded-servers.ts';
import type { FunctionFleet, Invocation, InvocationEnd } from './function-fleet.ts';

const Received = z.object({
  Messages: z.optional(
    z.array(
      z.object({
        MessageId: z.string(),
        ReceiptHandle: z.string(),
        Body: z.string(),
        Attributes: z.optional(z.record(z.string(), z.string())),
      }),
    ),
  ),
});
type Message = NonNullable<z.infer<typeof Received>['Messages']>[number];

export interface QueueSourceOptions {
  readonly mapping: EventSourceMapping;
  readonly queueName: string;
  readonly queueUrl: string;
  readonly server: QueueServer;
  readonly fleet: Pick<FunctionFleet, 'invoke'>;
  readonly clock: VirtualClock;
  readonly random: SeededRandom;
  readonly faults: Faults;
  readonly journal: Journal;
}

/**
 * The event source mapping of a queue. It does what SQS and Lambda promise and no more: messages arrive at least once,
 * in any order, late, and several times at once; unprocessed ones return after the visibility timeout.
 */
export class QueueSource {
  readonly #options: QueueSourceOptions;
  readonly #undisturbedFailures = new Map<string, number>();
  #batches = 0;
  #poison = 0;
  #nextPoll: Appointment | null = null;

  constructor(options: QueueSourceOptions) {
    this.#options = options;
  }

  get queueName(): string {
    return this.#options.queueName;
  }

  /** How often a message has failed without an injected fault. */
  undisturbedFailuresOf(messageId: string): number {
    return this.#undisturbedFailures.get(messageId) ?? 0;
  }

  /** Whether the queue is empty and nothing is in progress. */
  get isEmpty(): boolean {
    const { ready, delayed, inflight } = this.#messages();
    return this.#batches === 0 && ready.length + delayed.length + inflight.length === 0;
  }

  /** Puts a message on the queue that can never be processed. */
  async poison(body: string): Promise<void> {
    const { server, queueUrl } = this.#options;
    await server.origin.askJson('AmazonSQS.SendMessage', '1.0', { QueueUrl: queueUrl, MessageBody: body });
    this.#poison += 1;
    this.wake(1);
  }

  /** How many such messages were put on the queue. */
  get poisonCount(): number {
    return this.#poison;
  }

  /** Polls after a moment. */
  wake(delayMs: number): void {
    const atMs = this.#options.clock.nowMs + delayMs;
    if (this.#nextPoll !== null && this.#nextPoll.atMs <= atMs) return;
    this.#nextPoll?.cancel();
    this.#nextPoll = this.#options.clock.after(delayMs, () => {
      this.#nextPoll = null;
      return this.#poll();
    });
  }

  async #poll(): Promise<void> {
    const { mapping, random } = this.#options;
    if (this.#batches >= mapping.concurrency) return;
    const messages = await this.#receive();
    if (messages.length === 0) {
      this.#wakeForTheNext();
      return;
    }
    for (const batch of this.#batchesOf(messages)) this.#deliver(batch);
    this.wake(random.between(1, 20));
  }

  #wakeForTheNext(): void {
    const { clock } = this.#options;
    const { delayed, inflight } = this.#messages();
    const times = [
      ...delayed.map(({ delayUntil }) => delayUntil ?? clock.nowMs),
      ...inflight.map(({ visibilityDeadline }) => visibilityDeadline),
    ];
    if (times.length > 0) this.wake(Math.max(Math.min(...times) - clock.nowMs, 0) + 1);
  }

  #messages() {
    const { server, queueName } = this.#options;
    const queue = server.server.inspectQueue(queueName);
    if (queue === undefined) throw new Error(`there is no queue ${queueName}`);
    return queue.messages;
  }

  async #receive(): Promise<Message[]> {
    const { server, queueUrl, mapping } = this.#options;
    const answer = await server.origin.askJson('AmazonSQS.ReceiveMessage', '1.0', {
      QueueUrl: queueUrl,
      MaxNumberOfMessages: Math.min(mapping.batchSize, 10),
      WaitTimeSeconds: 0,
      MessageSystemAttributeNames: ['All'],
    });
    return Received.parse(answer).Messages ?? [];
  }

  /** Chance decides whether they arrive together or one by one. */
  #batchesOf(messages: readonly Message[]): Message[][] {
    const { random } = this.#options;
    const batches: Message[][] = [];
    for (const message of messages) {
      const last = batches.at(-1);
      if (last === undefined || random.chance(0.4)) batches.push([message]);
      else if (random.chance(0.5)) last.unshift(message);
      else last.push(message);
    }
    return batches;
  }

  #deliver(messages: readonly Message[]): void {
    const { faults, random, clock, journal } = this.#options;
    const kept: Message[] = [];
    for (const message of messages) {
      const isPoison = poisonBodies.includes(message.Body);
      if (!isPoison && faults.strikes('queue: message lost', 0.004)) {
        journal.note(journal.tasksIn(message.Body), `FAULT message lost ${message.Body.slice(0, 60)}`);
        clock.after(0, () => this.#delete([message]));
      } else kept.push(message);
    }
    if (kept.length === 0) return;
    const delayMs = faults.strikes('queue: message late', 0.03)
      ? random.between(100, 90_000)
      : random.between(0.2, 8);
    this.#batches += 1;
    clock.after(delayMs, () => this.#invoke(kept, 1));
    for (let copies = 2; copies <= 5 && faults.strikes('queue: message duplicated', 0.03); copies += 1) {
      this.#batches += 1;
      const laterMs = random.chance(0.5) ? random.between(0.1, 50) : random.between(10, 200_000);
      clock.after(laterMs, () => this.#invoke(kept, copies));
    }
  }

  #invoke(messages: readonly Message[], copy: number): void {
    const { mapping, fleet } = this.#options;
    const event = {
      Records: messages.map((message) => ({
        messageId: message.MessageId,
        receiptHandle: message.ReceiptHandle,
        body: message.Body,
        attributes: message.Attributes ?? {},
        messageAttributes: {},
        md5OfBody: '',
        eventSource: 'aws:sqs',
        eventSourceARN: mapping.sourceArn,
        awsRegion: 'us-east-1',
      })),
    };
    fleet.invoke(mapping.functionName, event, (end, invocation) => {
      this.#batches -= 1;
      // The copy is SQS's own doing; the original deletes the message or lets it return.
      if (copy === 1) this.#settle(messages, end, invocation);
      this.wake(this.#options.random.between(0.5, 20));
    });
  }

  #settle(messages: readonly Message[], end: InvocationEnd, invocation: Invocation): void {
    const { clock, faults, journal } = this.#options;
    const identifiers = messages.map(({ MessageId }) => MessageId);
    const failed = end.kind === 'succeeded' ? failedItems(end.payload, identifiers, true) : identifiers;
    for (const id of failed) {
      if (invocation.isDisturbed) continue;
      this.#undisturbedFailures.set(id, this.undisturbedFailuresOf(id) + 1);
      journal.note(invocation.taskIds, `${invocation.functionName} reports a failed message, undisturbed`);
    }
    const done = messages.filter(({ MessageId }) => !failed.includes(MessageId));
    // A step of the clock: it waits for the server, so that the machine's load decides nothing.
    if (done.length > 0 && !faults.strikes('queue: deletion lost', 0.01))
      clock.after(0, () => this.#delete(done));
  }

  async #delete(messages: readonly Message[]): Promise<void> {
    const { server, queueUrl } = this.#options;
    for (const { ReceiptHandle } of messages) {
      await server.origin.askJson('AmazonSQS.DeleteMessage', '1.0', { QueueUrl: queueUrl, ReceiptHandle });
    }
  }
}
