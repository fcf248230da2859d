import {
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  type GetRecordsCommandOutput,
} from '@aws-sdk/client-dynamodb-streams';

export type StreamRead = Pick<GetRecordsCommandOutput, 'Records' | 'NextShardIterator'>;

/** As many as a follower that waits for its function falls behind in two seconds. */
const keptReads = 8;

/**
 * Reads a stream once for all that follow it: its records hold whole items twice, of which each follower wants few.
 * What was read stays as it is, so who comes to the same place later gets the same; where nothing was yet, the
 * server is asked again.
 */
export class StreamReads {
  readonly #client: DynamoDBStreamsClient;
  /** By where they begin, the oldest first. */
  readonly #kept = new Map<string, Promise<StreamRead>>();

  constructor(client: DynamoDBStreamsClient) {
    this.#client = client;
  }

  async read(iterator: string): Promise<StreamRead> {
    const known = this.#kept.get(iterator);
    if (known !== undefined) return known;
    const reading = this.#client.send(new GetRecordsCommand({ ShardIterator: iterator, Limit: 1000 }));
    this.#keep(iterator, reading);
    try {
      const found = await reading;
      if ((found.Records ?? []).length === 0) this.#kept.delete(iterator);
      return found;
    } catch (error) {
      this.#kept.delete(iterator);
      throw error;
    }
  }

  #keep(iterator: string, reading: Promise<StreamRead>): void {
    this.#kept.set(iterator, reading);
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size > keptReads) this.#kept.delete(oldest);
  }
}
