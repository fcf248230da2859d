import {
  type _Record,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  type GetRecordsCommandOutput,
} from '@aws-sdk/client-dynamodb-streams';

export type StreamRead = Pick<GetRecordsCommandOutput, 'Records' | 'NextShardIterator'>;

interface Kept {
  readonly reading: Promise<StreamRead>;
  /** The sequence number of its first record, once it is known. */
  begins: string | null;
}

const keptReads = 8;

/**
 * Reads a stream once for all that follow it: its records hold whole items twice, of which each follower wants few.
 * What was read stays as it is, so who comes to the same place later gets the same; where nothing was yet, the
 * server is asked again.
 */
export class StreamReads {
  readonly #client: DynamoDBStreamsClient;
  /** By where they begin, the oldest first. */
  readonly #kept = new Map<string, Kept>();

  constructor(client: DynamoDBStreamsClient) {
    this.#client = client;
  }

  read(iterator: string): Promise<StreamRead> {
    const known = this.#kept.get(iterator);
    if (known !== undefined) return known.reading;
    const kept: Kept = { reading: this.#readOn(iterator), begins: null };
    this.#kept.set(iterator, kept);
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size > keptReads) this.#kept.delete(oldest);
    kept.reading.then(
      ({ Records: [first] = [] }) => {
        kept.begins = first?.dynamodb?.SequenceNumber ?? null;
        if (kept.begins === null) this.#forget(iterator, kept);
      },
      () => this.#forget(iterator, kept),
    );
    return kept.reading;
  }

  /** Who comes from elsewhere, or has fallen behind, stops where another one went on, and goes on with the same. */
  async #readOn(iterator: string): Promise<StreamRead> {
    const command = new GetRecordsCommand({ ShardIterator: iterator, Limit: 1000 });
    const { Records: records = [], NextShardIterator: next } = await this.#client.send(command);
    const known = new Map([...this.#kept].map(([place, { begins }]) => [begins, place]));
    const placeOf = ({ dynamodb }: _Record) => known.get(dynamodb?.SequenceNumber ?? '');
    // The last such place, so that one read is enough to catch up.
    const end = records.findLastIndex((record) => placeOf(record) !== undefined);
    const meeting = records[end];
    if (meeting !== undefined) return { Records: records.slice(0, end), NextShardIterator: placeOf(meeting) };
    return { Records: records, NextShardIterator: next };
  }

  #forget(iterator: string, kept: Kept): void {
    if (this.#kept.get(iterator) === kept) this.#kept.delete(iterator);
  }
}
