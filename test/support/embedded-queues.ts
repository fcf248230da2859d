import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { startFauxqs } from 'fauxqs';

/** A test file's server of queues and buckets. */
export interface EmbeddedQueues {
  readonly endpoint: string;
  readonly sqs: SQSClient;
  readonly s3: S3Client;
  /** Creates a queue and returns its URL. */
  createQueue(name: string): string;
  createBucket(name: string): void;
  /** The parsed bodies of all messages in a queue, including delayed ones, with their delay. */
  messages(name: string): { body: unknown; isDelayed: boolean }[];
  stop(): Promise<void>;
}

/** Starts the embedded SQS and S3 on a free port, in memory. */
export async function startEmbeddedQueues(): Promise<EmbeddedQueues> {
  const server = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
  const endpoint = `http://127.0.0.1:${server.port}`;
  const options = {
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  };
  const sqs = new SQSClient(options);
  const s3 = new S3Client({ ...options, forcePathStyle: true });
  return {
    endpoint,
    sqs,
    s3,
    createQueue: (name) => {
      server.createQueue(name);
      // The server's own URL puts the region before the IP address, which makes no valid host name.
      return `${endpoint}/000000000000/${name}`;
    },
    createBucket: (name) => {
      server.createBucket(name);
    },
    messages: (name) => {
      const queue = server.inspectQueue(name);
      if (queue === undefined) throw new Error(`there is no queue ${name}`);
      const { ready, delayed } = queue.messages;
      return [
        ...ready.map(({ body }) => ({ body: JSON.parse(body), isDelayed: false })),
        ...delayed.map(({ body }) => ({ body: JSON.parse(body), isDelayed: true })),
      ];
    },
    async stop() {
      sqs.destroy();
      s3.destroy();
      await server.stop();
    },
  };
}
