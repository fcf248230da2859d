import * as z from 'zod/mini';
import type { DynamoServer } from './embedded-servers.ts';
import { inOrder } from './in-order.ts';

const Image = z.record(z.string(), z.record(z.string(), z.unknown()));

const Page = z.object({
  Records: z._default(
    z.array(
      z.looseObject({
        eventID: z.optional(z.string()),
        eventName: z.enum(['INSERT', 'MODIFY', 'REMOVE']),
        dynamodb: z.looseObject({
          SequenceNumber: z.string(),
          Keys: z.optional(Image),
          NewImage: z.optional(Image),
          OldImage: z.optional(Image),
        }),
      }),
    ),
    [],
  ),
  NextShardIterator: z.optional(z.string()),
});
export type StreamRecord = z.infer<typeof Page>['Records'][number];

type Item = Readonly<Record<string, unknown>>;

/** One change of the table, with its items as plain values. */
export interface TableChange {
  readonly before: Item | null;
  readonly after: Item | null;
  readonly record: StreamRecord;
}

const Description = z.object({
  StreamDescription: z.object({ Shards: z.array(z.object({ ShardId: z.string() })) }),
});

const service = 'DynamoDBStreams_20120810';

/** Follows the table's stream from its beginning: it reports what really happened. */
export class TableWatch {
  readonly #server: DynamoServer;
  readonly #streamArn: string;
  readonly #open: (item: Item) => Promise<Item>;
  readonly #onChange: (change: TableChange) => void;
  #reading: Promise<void> = Promise.resolve();
  #shardId: string | null = null;
  #lastSequenceNumber: string | null = null;
  #iterator: string | null = null;

  /** @param open opens the sealed parts of an item */
  constructor(
    server: DynamoServer,
    streamArn: string,
    open: (item: Item) => Promise<Item>,
    onChange: (change: TableChange) => void,
  ) {
    this.#server = server;
    this.#streamArn = streamArn;
    this.#open = open;
    this.#onChange = onChange;
  }

  /** Reads the changes since the last time. */
  read(): Promise<void> {
    // One by one, because records must be read in order.
    this.#reading = this.#reading.catch(() => {}).then(() => this.#readOn());
    return this.#reading;
  }

  async #readOn(): Promise<void> {
    this.#iterator ??= await this.#newIterator();
    const answer = await this.#server.origin.askJson(`${service}.GetRecords`, '1.0', {
      ShardIterator: this.#iterator,
      Limit: 1000,
    });
    const page = Page.parse(inOrder(answer));
    this.#iterator = page.NextShardIterator ?? null;
    const opened = await Promise.all(
      page.Records.map(({ dynamodb: { OldImage, NewImage } }) =>
        Promise.all([this.#item(OldImage), this.#item(NewImage)]),
      ),
    );
    for (const [index, record] of page.Records.entries()) {
      this.#lastSequenceNumber = record.dynamodb.SequenceNumber;
      const { NewImage: after, OldImage: before } = record.dynamodb;
      // DynamoDB creates no record for a write that changes nothing, but the embedded server does.
      if (record.eventName === 'MODIFY' && JSON.stringify(before) === JSON.stringify(after)) continue;
      const [beforeItem = null, afterItem = null] = opened[index] ?? [];
      this.#onChange({ before: beforeItem, after: afterItem, record });
    }
  }

  async #item(image: z.infer<typeof Image> | undefined): Promise<Item | null> {
    return image === undefined ? null : this.#open(toItem(image));
  }

  /** The server was restarted. */
  reconnect(): void {
    this.#iterator = null;
  }

  async #newIterator(): Promise<string> {
    this.#shardId ??= await this.#onlyShard();
    const answer = await this.#server.origin.askJson(`${service}.GetShardIterator`, '1.0', {
      StreamArn: this.#streamArn,
      ShardId: this.#shardId,
      ...(this.#lastSequenceNumber === null
        ? { ShardIteratorType: 'TRIM_HORIZON' }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: this.#lastSequenceNumber }),
    });
    return z.parse(z.object({ ShardIterator: z.string() }), answer).ShardIterator;
  }

  async #onlyShard(): Promise<string> {
    const answer = Description.parse(
      await this.#server.origin.askJson(`${service}.DescribeStream`, '1.0', { StreamArn: this.#streamArn }),
    );
    const [shard] = answer.StreamDescription.Shards;
    if (shard === undefined) throw new Error('the stream has no shard');
    return shard.ShardId;
  }
}

function toItem(image: z.infer<typeof Image>): Item {
  return Object.fromEntries(Object.entries(image).map(([name, attribute]) => [name, toValue(attribute)]));
}

function toValue(attribute: unknown): unknown {
  if (typeof attribute !== 'object' || attribute === null) return null;
  if ('S' in attribute) return attribute.S;
  if ('N' in attribute) return Number(attribute.N);
  if ('BOOL' in attribute) return attribute.BOOL;
  if ('B' in attribute) return Buffer.from(String(attribute.B), 'base64');
  if ('L' in attribute && Array.isArray(attribute.L)) return attribute.L.map(toValue);
  if ('M' in attribute && typeof attribute.M === 'object' && attribute.M !== null) {
    return Object.fromEntries(Object.entries(attribute.M).map(([name, value]) => [name, toValue(value)]));
  }
  return null;
}
