import * as z from 'zod/mini';
import type { Faults } from '../engine/faults.ts';
import type { OutgoingRequest, OutgoingResponse } from '../engine/outgoing-request.ts';
import type { SeededRandom } from '../engine/random.ts';
import type { VirtualClock } from '../engine/virtual-clock.ts';
import type { StreamRecord } from './table-watch.ts';

const Attribute = z.record(z.string(), z.unknown());
const Item = z.record(z.string(), Attribute);
type Item = z.infer<typeof Item>;

const ReadInput = z.object({
  IndexName: z.optional(z.string()),
  ConsistentRead: z.optional(z.boolean()),
  Key: z.optional(Item),
});
const QueryOutput = z.looseObject({ Items: z.array(Item) });

/** How far a read that is not strongly consistent may lag. */
const longestLagMs = 3_000;

interface Change {
  readonly atMs: number;
  readonly before: Item | null;
}

/**
 * Eventually consistent reads, as those of indexes always are: occasionally they show the table as it was a
 * moment ago. The embedded server always knows the latest write, which the real one does not promise.
 */
export class StaleReads {
  readonly #clock: VirtualClock;
  readonly #random: SeededRandom;
  readonly #faults: Faults;
  readonly #changes = new Map<string, Change>();

  constructor(clock: VirtualClock, random: SeededRandom, faults: Faults) {
    this.#clock = clock;
    this.#random = random;
    this.#faults = faults;
  }

  /** An item was written. */
  note({ dynamodb: { Keys, OldImage } }: StreamRecord): void {
    if (Keys === undefined) return;
    const known = this.#changes.get(keyOf(Keys));
    // After several quick changes, a read may see what was before all of them.
    if (known !== undefined && this.#clock.nowMs - known.atMs < longestLagMs) return;
    this.#changes.set(keyOf(Keys), { atMs: this.#clock.nowMs, before: OldImage ?? null });
  }

  /** The response to a read, or that of a lagging replica. */
  asSeen(request: OutgoingRequest, answer: OutgoingResponse): OutgoingResponse {
    const operation = request.headers['x-amz-target']?.split('.').at(-1);
    if (answer.status !== 200 || (operation !== 'GetItem' && operation !== 'Query')) return answer;
    const input = ReadInput.parse(JSON.parse(request.body.toString('utf8')));
    if (input.ConsistentRead === true) return answer;
    const kind = input.IndexName === undefined ? 'DynamoDB: read lags behind' : 'DynamoDB: index lags behind';
    if (!this.#faults.strikes(kind, 0.05)) return answer;
    const sinceMs = this.#clock.nowMs - this.#random.between(0, longestLagMs);
    if (input.Key !== undefined) {
      const change = this.#changeSince(input.Key, sinceMs);
      return change === null
        ? answer
        : withBody(answer, change.before === null ? {} : { Item: change.before });
    }
    const output = QueryOutput.safeParse(JSON.parse(answer.body.toString('utf8')));
    if (!output.success) return answer;
    const Items = output.data.Items.flatMap((item) => {
      const change = this.#changeSince(item, sinceMs);
      return change === null ? [item] : asItWas(item, change.before);
    });
    return withBody(answer, { ...output.data, Items, Count: Items.length });
  }

  #changeSince(item: Item, sinceMs: number): Change | null {
    const change = this.#changes.get(keyOf(item));
    return change !== undefined && change.atMs > sinceMs ? change : null;
  }
}

/** The visible part of the item before its change; none if it was not at that place of the index then. */
function asItWas(item: Item, before: Item | null): Item[] {
  if (before === null) return [];
  const isPlaceAttribute = (name: string): boolean => /_pk$|_sk$|^due_at$/.test(name);
  const hasMoved = Object.keys(item).some(
    (name) => isPlaceAttribute(name) && JSON.stringify(item[name]) !== JSON.stringify(before[name]),
  );
  return hasMoved
    ? []
    : [Object.fromEntries(Object.entries(before).filter(([name]) => Object.hasOwn(item, name)))];
}

function keyOf({ pk, sk }: Item): string {
  return `${String(pk?.S)} ${String(sk?.S)}`;
}

function withBody({ status, headers }: OutgoingResponse, body: object): OutgoingResponse {
  const { 'content-length': _, 'x-amz-crc32': __, ...kept } = headers;
  return { status, headers: kept, body: Buffer.from(JSON.stringify(body)) };
}
