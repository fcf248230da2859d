import { GetObjectCommand } from '@aws-sdk/client-s3';
import { DeleteMessageCommand, PurgeQueueCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { afterEach } from 'vitest';
import { openQueue } from '#shared/aws/message-queue.ts';
import { CallMessage } from '#shared/calls/call-message.ts';
import type { CallServices } from '#shared/calls/call-services.ts';
import type { CarrierLimits } from '#shared/calls/capacity/capacity.ts';
import { handleCallMessage } from '#shared/calls/handle-call-message.ts';
import type { Call, CarrierProgress } from '#shared/domain/call.ts';
import type { CallResult } from '#shared/domain/call-result.ts';
import type { CarrierEvent } from '#shared/domain/carrier-event.ts';
import type { CarrierName, Project } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import type { ProjectKeyMaker } from '#shared/encryption/kms-data-key.ts';
import type { ErasureServices } from '#shared/erasure/erasure-services.ts';
import { ingestRecording } from '#shared/recordings/ingest-recording.ts';
import { RecordingMessage, type RecordingQueue } from '#shared/recordings/recording-queue.ts';
import type { RecordingServices } from '#shared/recordings/recording-services.ts';
import { bucketRecordingStore } from '#shared/recordings/recording-store.ts';
import { getCall } from '#shared/table/call.ts';
import type { Table } from '#shared/table/client.ts';
import { findDue } from '#shared/table/due.ts';
import { putProject } from '#shared/table/project.ts';
import { createTaskItem, getTask, getTaskWithCalls } from '#shared/table/task.ts';
import { callIdOfKey, taskIdOfKey } from '#shared/table/task-key.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { sidOf } from './call-identifiers.ts';
import {
  type ProgressDetails,
  progressReport,
  recordingReport,
  sessionEndReport,
} from './carrier-reports.ts';
import { type CarrierServer, startCarrierServer } from './carrier-server.ts';
import { type EmbeddedQueues, startEmbeddedQueues } from './embedded-queues.ts';
import { type EmbeddedTable, startEmbeddedTable } from './embedded-table.ts';
import type { SeenRequest } from './http-server.ts';
import { forThisFile } from './lifetime.ts';
import { localKms } from './local-kms.ts';
import { sampleProject, sampleResult, sampleTask, sampleTime } from './sample-tasks.ts';

const bucket = 'recordings';
const queueName = 'calls';
const recordingQueueName = 'recordings';

/** The call runner with real storage, a carrier that obeys the test, and a clock that only the test moves. */
export class CallFixture {
  readonly table: Table;
  readonly tables: EmbeddedTable;
  readonly keyMaker: ProjectKeyMaker;
  readonly carrier: CarrierServer;
  readonly services: CallServices & RecordingServices & ErasureServices;
  /** The outcome of a call's conversation, by call ID. */
  readonly results = new Map<string, CallResult>();
  /** Calls whose conversation cannot be evaluated. */
  readonly unreadable = new Set<string>();
  /** The carriers' capacity: by default more than any test needs. */
  readonly carrierLimits: Record<CarrierName, CarrierLimits> = {
    sandbox: { callsPerSecond: 1000, maxCalls: 1000 },
    live: { callsPerSecond: 1000, maxCalls: 1000 },
  };
  /** How often live projects may call one number: by default as deployed. */
  readonly numberLimits = {
    ordinary: { callsPerDay: 6, gapSeconds: 600 },
    shared: { callsPerDay: 500, gapSeconds: 0 },
  };
  /** False removes the carrier's credentials. */
  hasCredentials = true;
  /** How often the parts that an answer needs were started. */
  warmUps = 0;
  readonly #queues: EmbeddedQueues;
  readonly #unread: RecordingQueue;
  readonly #clock: { now: Date };
  #numbers = 0;

  static async start(): Promise<CallFixture> {
    const clock = { now: new Date(sampleTime) };
    const [tables, queues, carrier] = await Promise.all([
      startEmbeddedTable(),
      startEmbeddedQueues(),
      startCarrierServer(() => clock.now),
    ]);
    return new CallFixture(tables, queues, carrier, clock);
  }

  private constructor(
    tables: EmbeddedTable,
    queues: EmbeddedQueues,
    carrier: CarrierServer,
    clock: { now: Date },
  ) {
    this.tables = tables;
    this.#queues = queues;
    this.#clock = clock;
    this.table = tables.table;
    this.keyMaker = localKms(tables.keys).keyMaker(tables.table.name);
    this.carrier = carrier;
    queues.createBucket(bucket);
    this.#unread = openQueue(queues.createQueue('unread-recordings'), queues.sqs);
    this.services = {
      table: tables.table,
      queue: openQueue(queues.createQueue(queueName), queues.sqs),
      recordingQueue: openQueue(queues.createQueue(recordingQueueName), queues.sqs),
      erasureQueue: openQueue(queues.createQueue('erasures'), queues.sqs),
      keys: this.keyMaker,
      recordings: bucketRecordingStore(bucket, tables.table.projectKey, queues.s3),
      carrierLimits: this.carrierLimits,
      numberLimits: this.numberLimits,
      optOutScope: 'operator',
      carrier: async () => (this.hasCredentials ? carrier.client : null),
      warmUp: async () => {
        this.warmUps += 1;
      },
      callResult: async (callId) => {
        if (this.unreadable.has(callId)) throw new Error('the conversation does not parse');
        return this.results.get(callId) ?? null;
      },
      publicBaseUrl: 'https://api.example.test',
      now: () => clock.now,
      // The clock does not move, so waiting would gain nothing.
      wait: async () => {},
    };
  }

  get now(): Date {
    return this.#clock.now;
  }

  async stop(): Promise<void> {
    await Promise.all([this.tables.stop(), this.#queues.stop(), this.carrier.stop()]);
  }

  pass(seconds: number): void {
    this.#clock.now = new Date(this.#clock.now.getTime() + seconds * 1000);
  }

  /** Does what the message requests, and the resulting work on recordings. */
  async handle(message: CallMessage): Promise<void> {
    await handleCallMessage(this.services, message);
    await this.#keepRecordings();
  }

  async #keepRecordings(): Promise<void> {
    const { url, client } = this.services.recordingQueue;
    // Inspecting the queue is free, while receiving from it is a request.
    while (this.#queues.messages(recordingQueueName).some(({ isDelayed }) => !isDelayed)) {
      const receive = new ReceiveMessageCommand({ QueueUrl: url, MaxNumberOfMessages: 10 });
      const { Messages = [] } = await client.send(receive);
      for (const { Body = '', ReceiptHandle } of Messages) {
        await this.ingest(RecordingMessage.parse(JSON.parse(Body)));
        await client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle }));
      }
    }
  }

  /** Works on a recording. Leaves what is due soon to its due time, because the clock does not move. */
  async ingest(message: RecordingMessage): Promise<void> {
    const recordingQueue = this.#unread;
    await ingestRecording({ ...this.services, recordingQueue }, message);
  }

  /** Stores a project and one of its tasks, due now, by default to a number that no other task calls. */
  async newTask(changes: Partial<Task> = {}, projectChanges: Partial<Project> = {}): Promise<Task> {
    const project = sampleProject(projectChanges);
    await writeTransaction(this.table, [putProject(this.table, project)]);
    return this.newTaskOf(project, changes);
  }

  /** The same for a stored project. */
  async newTaskOf(project: Project, changes: Partial<Task> = {}): Promise<Task> {
    const task = sampleTask(project, {
      next_attempt_at: this.now.toISOString(),
      phone_number: this.newNumber(),
      ...changes,
    });
    await writeTransaction(this.table, [createTaskItem(this.table, task)]);
    return task;
  }

  /** A number that no other task calls. */
  newNumber(): string {
    this.#numbers += 1;
    return `+1202556${String(this.#numbers).padStart(4, '0')}`;
  }

  /** The requests to the carrier that placed a call for the task. */
  placements(task: Task): SeenRequest[] {
    return this.carrier.placements().filter(({ body }) => body.includes(task.id));
  }

  async dial(task: Task): Promise<Call> {
    await this.handle({ kind: 'dial', task_id: task.id });
    return this.newestCall(task);
  }

  async newDialled(): Promise<{ task: Task; call: Call }> {
    const task = await this.newTask();
    return { task, call: await this.dial(task) };
  }

  /** A call with a person on the line, and its result. */
  async newTalking(result = sampleResult()): Promise<{ task: Task; call: Call }> {
    const { task, call } = await this.newDialled();
    await this.progress(call, 'answered', 2);
    this.results.set(call.id, result);
    return { task, call };
  }

  /** A call that ended normally and whose recording has not been reported yet. */
  async newEnded(projectChanges: Partial<Project> = {}): Promise<Call> {
    const call = await this.dial(await this.newTask({}, projectChanges));
    this.results.set(call.id, sampleResult());
    await this.progress(call, 'answered', 2);
    await this.progress(call, 'completed', 3, { talk_seconds: 2 });
    return this.call(call);
  }

  async task(task: Pick<Task, 'id'>): Promise<Task> {
    const found = await getTask(this.table, task.id);
    if (found === null) throw new Error('the task is gone');
    return found;
  }

  async call(call: Pick<Call, 'id' | 'task_id'>): Promise<Call> {
    const found = await getCall(this.table, call.task_id, call.id);
    if (found === null) throw new Error('the call is gone');
    return found;
  }

  async calls(task: Pick<Task, 'id'>): Promise<Call[]> {
    return (await getTaskWithCalls(this.table, task.id, { limit: 50 }))?.calls ?? [];
  }

  async newestCall(task: Pick<Task, 'id'>): Promise<Call> {
    const [call] = await this.calls(task);
    return call ?? Promise.reject(new Error('the task has no call'));
  }

  report(call: Call, event: CarrierEvent): Promise<void> {
    return this.handle({ kind: 'carrier-event', task_id: call.task_id, call_id: call.id, event });
  }

  progress(call: Call, to: CarrierProgress, sequence: number, details?: ProgressDetails): Promise<void> {
    return this.report(call, progressReport(sidOf(call), to, sequence, details));
  }

  /** Makes the carrier keep a recording of the call, without reporting it. */
  addRecording(call: Call, ...more: [media: Buffer | null, status?: string, duration?: string]) {
    return this.carrier.addRecording(sidOf(call), ...more);
  }

  isAtCarrier(recordingSid: string): boolean {
    return this.carrier.recordings.some(({ sid }) => sid === recordingSid);
  }

  recordingReady(call: Call, recordingSid: string): Promise<void> {
    return this.report(call, recordingReport(sidOf(call), recordingSid));
  }

  sessionEnded(call: Call): Promise<void> {
    return this.report(call, sessionEndReport(sidOf(call)));
  }

  /** Passes the call and its recording to their workers, as the sweeper does when they are due. */
  async look({ task_id, id: call_id }: Pick<Call, 'id' | 'task_id'>): Promise<void> {
    await this.handle({ kind: 'call-due', task_id, call_id });
    for await (const page of findDue(this.table, this.now.toISOString())) {
      const isDue = page.some((item) => item.type === 'recording' && callIdOfKey(item) === call_id);
      if (isDue) await this.ingest({ task_id, call_id });
    }
  }

  /** Reconciles the call until it is completed. Returns the number of seconds that passed. */
  lookUntilCompleted(call: Call): Promise<number> {
    return this.#lookUntil(call, ({ completed_at }) => completed_at !== null);
  }

  /** The same for a completed call until its recording needs nothing more. */
  lookUntilSettled(call: Call): Promise<number> {
    return this.#lookUntil(call, ({ due_at, recording }) => due_at === null && recording.due_at === null);
  }

  /** Moves the clock to the due time of the call or its recording and checks, repeatedly, as the sweeper does. */
  async #lookUntil(call: Call, isOver: (call: Call) => boolean): Promise<number> {
    const startedAtMs = this.now.getTime();
    for (let looks = 0; looks < 500; looks += 1) {
      const seen = await this.call(call);
      if (isOver(seen)) return (this.now.getTime() - startedAtMs) / 1000;
      const [due_at] = [seen.due_at, seen.recording.due_at].filter((due) => due !== null).sort();
      if (due_at === undefined) throw new Error('an open call waits for nothing');
      this.pass(Math.max((Date.parse(due_at) - this.now.getTime()) / 1000, 0));
      await this.look(call);
    }
    throw new Error('the call never came to rest');
  }

  /** Whether the sweeper would find the item now. */
  async isDue(id: string): Promise<boolean> {
    for await (const page of findDue(this.table, this.now.toISOString())) {
      if (page.some(({ pk, sk }) => pk.endsWith(id) || sk.includes(id))) return true;
    }
    return false;
  }

  queued(): { body: unknown; isDelayed: boolean }[] {
    return this.#queues.messages(queueName);
  }

  /** Takes all messages for the runner off the queue, including delayed ones. */
  async takeQueued(): Promise<{ message: CallMessage; isDelayed: boolean }[]> {
    const messages = this.queued().map(({ body, ...more }) => ({
      message: CallMessage.parse(body),
      ...more,
    }));
    const { url, client } = this.services.queue;
    await client.send(new PurgeQueueCommand({ QueueUrl: url }));
    return messages;
  }

  /** Dials every task that is due, as sweeper and runner do. */
  async dialDue(): Promise<void> {
    for await (const page of findDue(this.table, this.now.toISOString())) {
      const tasks = page.filter(({ type }) => type === 'task');
      await Promise.all(tasks.map((key) => this.handle({ kind: 'dial', task_id: taskIdOfKey(key) })));
    }
  }

  async storedBytes(key: string): Promise<Buffer> {
    const getObject = new GetObjectCommand({ Bucket: bucket, Key: key });
    const { Body, ContentType } = await this.#queues.s3.send(getObject);
    if (Body === undefined || ContentType !== 'audio/wav') throw new Error('not stored as a WAV file');
    return Buffer.from(await Body.transformToByteArray());
  }
}

/** One for all tests of a file. After each test, the carrier behaves again. */
export async function callFixtureForThisFile(): Promise<CallFixture> {
  const fixture = await forThisFile(CallFixture.start());
  afterEach(() => {
    fixture.carrier.interfere = () => false;
    fixture.hasCredentials = true;
  });
  return fixture;
}
