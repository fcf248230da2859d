import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Call } from '#shared/domain/call.ts';
import { getCall } from '#shared/table/call.ts';
import { putProject } from '#shared/table/project.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { listenOnLoopback } from '../../infra/loopback.ts';
import { type FunctionEnvironment, startFunctionEnvironment } from '../support/function-environment.ts';
import { respondJson } from '../support/http-server.ts';
import { lambdaContext, queueEvent } from '../support/lambda-events.ts';
import { sampleCall, sampleProject, sampleTask } from '../support/sample-tasks.ts';
import { storedCallItems } from '../support/stored-calls.ts';
import { wavFile } from '../support/wav-file.ts';

const megabyte = 1024 * 1024;
/** What the function is given. */
const memoryBytes = 512 * megabyte;
const threeHoursSeconds = 3 * 60 * 60;

const callSid = `CA${'0'.repeat(31)}a`;
const recordingSid = `RE${'0'.repeat(31)}b`;

let environment: FunctionEnvironment;
let carrier: LongRecordingCarrier;
beforeAll(async () => {
  carrier = await startCarrier(threeHoursSeconds);
  environment = await startFunctionEnvironment({ SANDBOX_CARRIER_BASE_URL: carrier.origin });
});
afterAll(() => Promise.all([environment.stop(), carrier.stop()]));

test('stores a three-hour, two-channel call in less memory than its size', async () => {
  const call = await callWithRecording();
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      fileURLToPath(new URL('recording-ingest-process.ts', import.meta.url)),
      JSON.stringify({ task_id: call.task_id, call_id: call.id }),
    ],
    { env: { ...process.env, LOG_LEVEL: 'silent' }, maxBuffer: megabyte },
  );
  const { failures, peakBytes } = z
    .object({ failures: z.int(), peakBytes: z.int() })
    .parse(JSON.parse(stdout));
  const [kept, peak] = [carrier.bytes, peakBytes].map((bytes) => Math.round(bytes / megabyte));
  console.info(`${kept} MB of recording kept with a peak of ${peak} MB`);
  expect(failures).toBe(0);
  expect(peakBytes).toBeLessThan(memoryBytes);
  expect(peakBytes).toBeLessThan(carrier.bytes);
  expect(await getCall(environment.tables.table, call.task_id, call.id)).toMatchObject({
    status: 'FAILED',
    due_at: null,
    recording: {
      status: 'stored',
      bytes: carrier.bytes,
      channels: 2,
      duration_seconds: threeHoursSeconds,
      at_carrier: false,
    },
  });
  expect(await checksumOfStored(call)).toBe(carrier.checksum());
  expect(carrier.deleted()).toBe(true);
}, 240_000);

test('sets an invalid message aside', async () => {
  const { handler } = await import('../../functions/recording-ingest.ts');
  const answer = await handler(queueEvent(['{"task_id":"1"}']), lambdaContext);
  expect(answer.batchItemFailures).toHaveLength(1);
});

/** A call that has ended and whose recording the carrier has ready. */
async function callWithRecording(): Promise<Call> {
  const { table } = environment.tables;
  const project = sampleProject();
  const task = sampleTask(project);
  const call = sampleCall(task);
  const ended: Call = {
    ...call,
    submission: 'submitted',
    carrier_call_sid: callSid,
    carrier_progress: 'completed',
    closed_by: 'carrier',
    ended_at: call.created_at,
    talk_seconds: threeHoursSeconds,
    recording: { ...call.recording, carrier_recording_sid: recordingSid, found_at: call.created_at },
  };
  await writeTransaction(table, [
    putProject(table, project),
    createTaskItem(table, task),
    ...storedCallItems(table, ended),
  ]);
  return ended;
}

async function checksumOfStored(call: Call): Promise<number> {
  const { Body } = await environment.queues.s3.send(
    new GetObjectCommand({
      Bucket: 'recordings',
      Key: `recordings/${call.project_id}/${call.id}.wav`,
    }),
  );
  if (Body === undefined) throw new Error('nothing is stored');
  let sum = 0;
  for await (const chunk of Body.transformToWebStream()) sum = crc32(chunk, sum);
  return sum;
}

interface LongRecordingCarrier {
  readonly origin: string;
  readonly bytes: number;
  /** Of what was sent last. */
  checksum(): number;
  deleted(): boolean;
  stop(): Promise<void>;
}

/** A carrier with one recording, which it makes as it sends it. */
async function startCarrier(seconds: number): Promise<LongRecordingCarrier> {
  const second = wavFile({ channels: 2, seconds: 1 });
  const header = Buffer.from(second.subarray(0, 44));
  const audio = second.subarray(44);
  const bytes = header.length + seconds * audio.length;
  header.writeUInt32LE(bytes - 8, 4);
  header.writeUInt32LE(bytes - 44, 40);
  let checksum = 0;
  let isDeleted = false;

  async function sendRecording(response: ServerResponse): Promise<void> {
    let sum = 0;
    response.writeHead(200, { 'Content-Type': 'audio/x-wav', 'Content-Length': String(bytes) });
    for (let sent = -1; sent < seconds; sent += 1) {
      const part = sent < 0 ? header : audio;
      sum = crc32(part, sum);
      if (!response.write(part)) await once(response, 'drain');
    }
    checksum = sum;
    response.end();
  }

  const server = createServer((request, response) => {
    if (request.method === 'DELETE') {
      isDeleted = true;
      response.writeHead(204).end();
    } else if (request.url?.includes('.wav')) {
      sendRecording(response).catch(() => response.destroy());
    } else {
      respondJson(response, 200, {
        recordings: [{ sid: recordingSid, status: 'completed', duration: String(seconds) }],
      });
    }
  });
  const port = await listenOnLoopback(server, 0);
  return {
    origin: `http://127.0.0.1:${port}`,
    bytes,
    checksum: () => checksum,
    deleted: () => isDeleted,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
