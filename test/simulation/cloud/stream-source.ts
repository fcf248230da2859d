import { failedItems } from '../../../infra/local/event-sources/batch-response.ts';
import { compileFilters, type Filter } from '../../../infra/local/event-sources/filter-pattern.ts';
import type { Faults } from '../engine/faults.ts';
import type { SeededRandom } from '../engine/random.ts';
import type { VirtualClock } from '../engine/virtual-clock.ts';
import type { EventSourceMapping } from './deployed-stack.ts';
import type { FunctionFleet } from './function-fleet.ts';
import type { StreamRecord } from './table-watch.ts';

export interface StreamSourceOptions {
  readonly mapping: EventSourceMapping;
  readonly fleet: Pick<FunctionFleet, 'invoke'>;
  readonly clock: VirtualClock;
  readonly random: SeededRandom;
  readonly faults: Pick<Faults, 'strikes'>;
  /** Receives a record that was given up, or that the stream no longer had. */
  readonly onGivenUp: (isDisturbed: boolean) => void;
  /** Whether its function is not invoked at all for now. */
  readonly isDown?: () => boolean;
}

/** How often to check whether the stream is read again. */
const downMs = 600_000;

/** How long DynamoDB keeps records in a stream. */
const retentionMs = 24 * 3_600_000;

/**
 * The event source mapping of the table's stream: batches in order, one at a time, each repeated until it
 * succeeds; and occasionally once more after success, as Lambda may do.
 */
export class StreamSource {
  readonly #options: StreamSourceOptions;
  readonly #wants: Filter;
  readonly #pending: {
    readonly sequenceNumber: string;
    readonly event: object;
    readonly expiresAtMs: number;
  }[] = [];
  #tries = 0;
  #wasDisturbed = false;
  #isBusy = false;
  #replays = 0;

  constructor(options: StreamSourceOptions) {
    this.#options = options;
    this.#wants = compileFilters(options.mapping.patterns, 'the stream');
  }

  get isEmpty(): boolean {
    return this.#pending.length === 0 && !this.#isBusy && this.#replays === 0;
  }

  push(record: StreamRecord): void {
    const { mapping, clock } = this.#options;
    const event = {
      eventID: record.dynamodb.SequenceNumber,
      eventName: record.eventName,
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'us-east-1',
      dynamodb: {
        ...record.dynamodb,
        ApproximateCreationDateTime: Math.floor(clock.nowMs / 1000),
        StreamViewType: 'NEW_AND_OLD_IMAGES',
      },
      eventSourceARN: mapping.sourceArn,
    };
    if (!this.#wants(event)) return;
    this.#pending.push({
      sequenceNumber: record.dynamodb.SequenceNumber,
      event,
      expiresAtMs: clock.nowMs + retentionMs,
    });
    this.#goOn();
  }

  #goOn(): void {
    if (this.#isBusy || this.#pending.length === 0) return;
    this.#isBusy = true;
    const { clock, random, faults } = this.#options;
    const backoffMs = Math.min(100 * 2 ** this.#tries, 60_000);
    const lateMs = faults.strikes('stream: late', 0.02) ? random.between(1_000, 120_000) : 0;
    clock.after((this.#tries === 0 ? random.between(1, 600) : backoffMs) + lateMs, () => this.#deliver());
  }

  #forgetExpired(): void {
    const { clock, onGivenUp } = this.#options;
    while ((this.#pending[0]?.expiresAtMs ?? Number.POSITIVE_INFINITY) < clock.nowMs) {
      this.#pending.shift();
      this.#tries = 0;
      onGivenUp(this.#wasDisturbed);
    }
  }

  #deliver(): void {
    const { mapping, fleet, faults, clock, random, onGivenUp, isDown } = this.#options;
    const isOutage = isDown?.() ?? false;
    this.#wasDisturbed ||= isOutage;
    this.#forgetExpired();
    if (isOutage && this.#pending.length > 0) {
      clock.after(downMs, () => this.#deliver());
      return;
    }
    const batch = this.#pending.slice(0, mapping.batchSize);
    this.#isBusy = batch.length > 0;
    if (!this.#isBusy) return;
    const identifiers = batch.map(({ sequenceNumber }) => sequenceNumber);
    const payload = { Records: batch.map(({ event }) => event) };
    fleet.invoke(mapping.functionName, payload, (end, invocation) => {
      const failed = end.kind === 'succeeded' ? failedItems(end.payload, identifiers, true) : identifiers;
      // Lambda continues with the first failed one.
      const firstFailed = identifiers.findIndex((id) => failed.includes(id));
      const done = firstFailed === -1 ? batch.length : firstFailed;
      this.#pending.splice(0, done);
      this.#tries = firstFailed === -1 || done > 0 ? 0 : this.#tries + 1;
      if (firstFailed !== -1) this.#wasDisturbed ||= invocation.isDisturbed;
      if (firstFailed === -1) this.#wasDisturbed = false;
      if (this.#tries > mapping.maxRetries) {
        this.#pending.splice(0, 1);
        this.#tries = 0;
        onGivenUp(this.#wasDisturbed);
      }
      this.#isBusy = false;
      for (let replays = 0; replays < 3 && faults.strikes('stream: replayed', 0.03); replays += 1) {
        this.#replays += 1;
        clock.after(random.between(1, 300_000), () =>
          fleet.invoke(mapping.functionName, payload, () => {
            this.#replays -= 1;
          }),
        );
      }
      this.#goOn();
    });
  }
}
