import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import * as z from 'zod/mini';
import { loopback } from './loopback.ts';

/** A message that somebody has received and not deleted, while its visibility timeout runs. */
export interface InFlightMessage {
  readonly queue: string;
  readonly receiptHandle: string;
}

export interface QueueAndObjectServer {
  /** Serves SQS and S3. */
  readonly endpoint: string;
  /** What was in flight when the server that worked on this data before was ended. */
  readonly inFlight: readonly InFlightMessage[];
  stop(): Promise<void>;
}

const readySchema = z.object({
  port: z.number(),
  inFlight: z.array(z.object({ queue: z.string(), receiptHandle: z.string() })),
});

/** Starts the embedded SQS and S3 in a thread of their own, with queues in SQLite and objects as plain files. */
export async function startQueuesAndObjects(
  dataDir: string,
  log: (line: string) => void,
): Promise<QueueAndObjectServer> {
  const queuesDir = join(dataDir, 'queues');
  const objectsDir = join(dataDir, 'objects');
  mkdirSync(queuesDir, { recursive: true });
  mkdirSync(objectsDir, { recursive: true });
  const worker = new Worker(new URL('./queue-and-object-worker.ts', import.meta.url), {
    workerData: { queuesDir, objectsDir },
    // The server reads FAUXQS_* variables; what the user has set for another one must not reach it.
    env: {},
  });
  let stopping = false;
  const [ready]: unknown[] = await once(worker, 'message');
  const { port, inFlight } = readySchema.parse(ready);
  worker.on('error', (error) => log(`the embedded SQS and S3 failed: ${String(error)}`));
  worker.on('exit', () => {
    if (!stopping) log('the embedded SQS and S3 ended unexpectedly; restart the local stack');
  });
  return {
    endpoint: `http://${loopback}:${port}`,
    inFlight,
    stop: async () => {
      stopping = true;
      const exited = once(worker, 'exit');
      worker.postMessage('stop');
      await exited;
    },
  };
}
