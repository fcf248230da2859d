import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import * as z from 'zod/mini';
import { loopback } from '../../loopback.ts';

export interface QueueAndObjectServer {
  /** Serves SQS and S3. */
  readonly endpoint: string;
  /** Receipt handles of messages whose visibility timeout goes on from before the start. */
  readonly inFlight: readonly string[];
  stop(): Promise<void>;
}

const readySchema = z.object({
  port: z.number(),
  inFlight: z.array(z.string()),
  cutOff: z.number(),
});

/**
 * Starts the embedded SQS and S3 in a thread of their own, with queues in SQLite and objects as plain files.
 *
 * @param failedMessages receipt handles of messages that wait for the end of their visibility timeout; every other
 * message in flight becomes visible at once, because its worker ended with the server
 */
export async function startQueuesAndObjects(
  dataDir: string,
  failedMessages: readonly string[],
  log: (line: string) => void,
): Promise<QueueAndObjectServer> {
  const queuesDir = join(dataDir, 'queues');
  const objectsDir = join(dataDir, 'objects');
  mkdirSync(queuesDir, { recursive: true });
  mkdirSync(objectsDir, { recursive: true });
  const { NODE_COMPILE_CACHE } = process.env;
  const worker = new Worker(new URL('./queue-and-object-worker.ts', import.meta.url), {
    name: 'queues',
    workerData: { queuesDir, objectsDir, failedMessages },
    // The server reads FAUXQS_* variables; what the user has set for another one must not reach it.
    env: NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE },
  });
  let stopping = false;
  const [ready]: unknown[] = await once(worker, 'message');
  const { port, inFlight, cutOff } = readySchema.parse(ready);
  if (cutOff > 0) log(`${cutOff} messages that were being worked on at the last stop are taken up again`);
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
