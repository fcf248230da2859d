import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { buildApp } from 'fauxqs';
import * as z from 'zod/mini';
/*
 * The package's own `startFauxqs` listens on all interfaces without a choice and makes queue URLs with a host name
 * that does not resolve everywhere. Its parts, put together here, do neither. The version is pinned exactly.
 */
import { PersistenceManager } from '../../../node_modules/fauxqs/dist/persistence.js';
import { S3Store } from '../../../node_modules/fauxqs/dist/s3/s3Store.js';
import { SnsStore } from '../../../node_modules/fauxqs/dist/sns/snsStore.js';
import { SqsQueue, SqsStore } from '../../../node_modules/fauxqs/dist/sqs/sqsStore.js';
import { loopback } from '../../loopback.ts';
import { localRegion } from '../template/physical-names.ts';
import { lookWhenDue } from './queue-timers.ts';
import { WholeObjectFiles } from './whole-object-files.ts';

const { queuesDir, objectsDir, failedMessages } = z
  .object({ queuesDir: z.string(), objectsDir: z.string(), failedMessages: z.array(z.string()) })
  .parse(workerData);

const objectLimitBytes = 512 * 1024 * 1024;

const sqsStore = new SqsStore();
const snsStore = new SnsStore();
const s3Store = new S3Store();
// An empty host makes queue URLs from the address that the request came to.
sqsStore.host = '';

/*
 * A visibility timeout of 0 makes the package write a message without its receive count, which its database
 * refuses, and the message is lost until the next start. A timeout of a millisecond keeps it.
 */
const { changeVisibility } = SqsQueue.prototype;
SqsQueue.prototype.changeVisibility = function changeVisibilityKept(receiptHandle, timeoutSeconds) {
  changeVisibility.call(this, receiptHandle, timeoutSeconds === 0 ? 0.001 : timeoutSeconds);
};

lookWhenDue();

const persistence = new PersistenceManager(queuesDir);
/*
 * Otherwise every send, receive and delete waits for the disk and blocks the others. With the write-ahead log, writes
 * still survive the end of this process; only a power failure may lose the last messages.
 */
const database: unknown = Reflect.get(persistence, 'db');
if (database instanceof DatabaseSync) database.exec('PRAGMA synchronous = NORMAL');
const objectFiles = new WholeObjectFiles(objectsDir);
persistence.loadSqsAndSns(sqsStore, snsStore);
objectFiles.loadS3(s3Store);
// Only now: loading must not write again what it reads.
sqsStore.persistence = persistence;
for (const queue of sqsStore.allQueues()) queue.persistence = persistence;
const { inFlight, cutOff } = showCutOffMessages(sqsStore, new Set(failedMessages));
s3Store.persistence = objectFiles;

const app = buildApp({ logger: false, defaultRegion: localRegion, stores: { sqsStore, snsStore, s3Store } });
// An object may be put in one piece; the package's own limit of 11 MB is six minutes of a recorded call.
app.removeContentTypeParser('*');
app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: objectLimitBytes }, (_request, body, done) => {
  done(null, body);
});
const address = new URL(await app.listen({ host: loopback, port: 0 }));
parentPort?.postMessage({ port: Number(address.port), inFlight, cutOff });

parentPort?.once('message', async () => {
  await app.close();
  persistence.close();
  process.exit();
});

/**
 * Makes messages visible again whose function ended with the last process; the visibility timeout of a queue of long
 * calls would hide them for many minutes. Such a delivery does not count as a receive, or a few restarts would send the
 * message to the dead-letter queue.
 */
function showCutOffMessages(
  store: SqsStore,
  failed: ReadonlySet<string>,
): { inFlight: string[]; cutOff: number } {
  const inFlight: string[] = [];
  let cutOff = 0;
  for (const queue of store.allQueues()) {
    for (const { receiptHandle, message } of queue.inspectMessages().inflight) {
      inFlight.push(receiptHandle);
      if (failed.has(receiptHandle)) continue;
      message.approximateReceiveCount -= 1;
      queue.changeVisibility(receiptHandle, 0);
      cutOff += 1;
    }
  }
  return { inFlight, cutOff };
}
