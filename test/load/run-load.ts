import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { demoPatient } from '../../infra/local/demo/scenario.ts';
import { type Evidence, gatherEvidence } from '../crash/evidence.ts';
import { takeHelpfulOrders } from '../crash/orders.ts';
import { openSite, type Site } from '../crash/site.ts';
import { type StackAddresses, StackProcess } from '../crash/stack-process.ts';
import { findProblems, openWork } from '../crash/verdict.ts';
import { eventName, startWebhookWitness, type WebhookWitness } from '../crash/webhook-witness.ts';
import { type Spread, spreadOf } from './percentiles.ts';
import { type Part, ProcessMeter, parts, type Usage } from './process-meter.ts';
import { TimedClient } from './timed-client.ts';
import { readTurnTimes } from './turn-times.ts';

export interface LoadOptions {
  readonly tasks: number;
  /** Tasks created per second. */
  readonly rate: number;
  /** Real seconds per second of a sandbox call. */
  readonly pace: string;
  readonly speech: 'voices' | 'tones';
  /** Concurrent calls of the project. */
  readonly lines: number;
  /** How long to watch the idle stack; 0 for not at all. */
  readonly idleSeconds: number;
  /** Time limit for all work. */
  readonly limitMs: number;
  /** An empty directory for the stack's data and output. */
  readonly directory: string;
  readonly nodeOptions?: readonly string[];
  readonly progress: (line: string) => void;
}

export interface LoadReport {
  readonly tasks: number;
  readonly readySeconds: number;
  /** From the first creation to the last task's webhook. */
  readonly seconds: number;
  readonly acceptedPerSecond: number;
  readonly completedPerSecond: number;
  readonly throttled: number;
  /** By method and path, in milliseconds, as seen by the client. */
  readonly endpoints: Readonly<Record<string, Spread>>;
  readonly firstWordMs: Spread | null;
  readonly turnLatencyMs: Spread | null;
  readonly peakMemoryBytes: number;
  readonly peakThreads: number;
  readonly processorSecondsPerTask: Readonly<Record<Part, number>>;
  /** Of each function, including loading. */
  readonly functionSecondsPerTask: Readonly<Record<string, number>>;
  readonly idle: { readonly memoryBytes: number; readonly share: number } | null;
  /** Tasks that were accepted with 201 but did not end with their webhook. */
  readonly lost: number;
  /** Calls, placements and webhooks beyond the expected one. */
  readonly doubled: number;
  readonly problems: readonly string[];
}

const lookPauseMs = 250;
const progressPauseMs = 2_000;
const settlePauseMs = 500;
/** Until the consequences of the start are done, such as the audit of the demo's project. */
const warmUpMs = 12_000;
/** Each patient has this many tasks; after this many, a client reads its list. */
const tasksPerPatient = 10;
const requestsAtOnce = 64;

/** Creates tasks on its own local stack, waits until all are done, and measures. Leaves nothing running. */
export async function runLoad(options: LoadOptions): Promise<LoadReport> {
  let secret = '';
  const witness = await startWebhookWitness(() => secret);
  const startedAt = performance.now();
  const stack = StackProcess.start(options.directory, {
    pace: options.pace,
    speech: options.speech,
    nodeOptions: options.nodeOptions ?? [],
  });
  try {
    const addresses = await stack.ready();
    const readySeconds = (performance.now() - startedAt) / 1000;
    options.progress(`ready after ${readySeconds.toFixed(1)} s`);
    const meter = new ProcessMeter(stack.pid);
    const idle = options.idleSeconds === 0 ? null : await measureIdle(meter, options.idleSeconds);
    const site = await openSite(addresses, {
      name: 'Load test',
      webhookUrl: witness.url,
      attempts: 1,
      maxConcurrentCalls: options.lines,
    });
    secret = site.signingSecret;
    const run = new LoadRun(options, { addresses, site, witness, meter });
    return { readySeconds, idle, ...(await run.run()) };
  } finally {
    // In order, so that a profile is written.
    await Promise.race([stack.stop(), sleep(20_000)]);
    await stack.kill('everything');
    await witness.stop();
  }
}

async function measureIdle(meter: ProcessMeter, seconds: number): Promise<LoadReport['idle']> {
  await sleep(warmUpMs);
  const before = await meter.look();
  await sleep(seconds * 1000);
  const after = await meter.look();
  const used = total(after) - total(before);
  return { memoryBytes: after.memoryBytes, share: used / seconds };
}

function total({ secondsByPart }: Usage): number {
  return parts.reduce((sum, part) => sum + secondsByPart[part], 0);
}

interface Surroundings {
  readonly addresses: StackAddresses;
  readonly site: Site;
  readonly witness: WebhookWitness;
  readonly meter: ProcessMeter;
}

class LoadRun {
  readonly #options: LoadOptions;
  readonly #around: Surroundings;
  readonly #client: TimedClient;
  /** When each task was accepted with 201. */
  readonly #createdAt = new Map<string, number>();
  #creating = true;
  #isOver = false;

  constructor(options: LoadOptions, around: Surroundings) {
    this.#options = options;
    this.#around = around;
    this.#client = new TimedClient(around.addresses.baseUrl, around.site.apiKey);
  }

  async run(): Promise<Omit<LoadReport, 'readySeconds' | 'idle'>> {
    const { meter, witness } = this.#around;
    const before = await meter.look();
    const startedAt = performance.now();
    const measuring = this.#measure(startedAt);
    let acceptedSeconds = 0;
    const [completedAt] = await Promise.all([
      this.#followCompletions(startedAt),
      this.#createAll(startedAt).then(() => {
        acceptedSeconds = (performance.now() - startedAt) / 1000;
      }),
    ]);
    const seconds = (completedAt - startedAt) / 1000;
    const { secondsByPart: used, secondsByFunction } = await meter.look();
    const evidence = await this.#settle(startedAt);
    this.#isOver = true;
    await measuring;

    const turns = await readTurnTimes(
      join(this.#options.directory, 'data', 'functions.log'),
      this.#createdAt,
    );
    const taskIds = [...this.#createdAt.keys()];
    const { tasks } = this.#options;
    return {
      tasks,
      seconds,
      acceptedPerSecond: tasks / acceptedSeconds,
      completedPerSecond: tasks / seconds,
      throttled: this.#client.throttled,
      endpoints: spreadsOf(this.#client.times),
      firstWordMs: spreadOf(turns.firstWord),
      turnLatencyMs: spreadOf(turns.latency),
      peakMemoryBytes: meter.peakBytes,
      peakThreads: meter.peakThreads,
      processorSecondsPerTask: perTask(before.secondsByPart, used, tasks),
      functionSecondsPerTask: Object.fromEntries(
        Object.entries(secondsByFunction)
          .sort(([, a], [, b]) => b - a)
          .map(([name, total]) => [name, total / tasks]),
      ),
      lost: lostIn(evidence, taskIds, witness),
      doubled: doubledIn(evidence, witness),
      problems: findProblems(evidence, taskIds, witness.seen),
    };
  }

  /** Creates tasks at the rate, whether or not earlier requests have been answered. */
  async #createAll(startedAt: number): Promise<void> {
    const { tasks, rate } = this.#options;
    const { projectId } = this.#around.site;
    let patientId = '';
    const open = new Set<Promise<void>>();
    for (const [index, { idempotencyKey, body }] of takeHelpfulOrders('load', tasks).entries()) {
      if (index % tasksPerPatient === 0) {
        const key = `patient ${index}`;
        patientId = await this.#client.create('/v1/patient', { project_id: projectId, ...demoPatient }, key);
        await this.#client.get('/v1/task', '/v1/task');
      }
      const dueMs = startedAt + (index / rate) * 1000 - performance.now();
      if (dueMs > 0) await sleep(dueMs);
      while (open.size >= requestsAtOnce) await Promise.race(open);
      const request = this.#create({ project_id: projectId, patient_id: patientId, ...body }, idempotencyKey);
      const counted = request.finally(() => open.delete(counted));
      open.add(counted);
    }
    await Promise.all(open);
    this.#creating = false;
  }

  async #create(body: object, idempotencyKey: string): Promise<void> {
    const id = await this.#client.create('/v1/task', body, idempotencyKey);
    this.#createdAt.set(id, Date.now());
    await this.#client.get('/v1/task/{id}', `/v1/task/${id}`);
  }

  /** Reads each task once more when its webhook arrives. Returns after the last one, or at the time limit. */
  async #followCompletions(startedAt: number): Promise<number> {
    const { witness } = this.#around;
    const { tasks, limitMs } = this.#options;
    const done = new Set<string>();
    const prefix = eventName('task.completed', '');
    let position = 0;
    let lastAt = performance.now();
    while (done.size < tasks && performance.now() - startedAt < limitMs) {
      for (const { event } of witness.seen.slice(position)) {
        position += 1;
        if (!event.startsWith(prefix) || done.has(event)) continue;
        done.add(event);
        lastAt = performance.now();
        const id = event.slice(prefix.length);
        await this.#client.get('/v1/task/{id}', `/v1/task/${id}?include_transcript=true`);
      }
      await sleep(50);
    }
    return lastAt;
  }

  async #measure(startedAt: number): Promise<void> {
    const { meter, witness } = this.#around;
    const { tasks, progress } = this.#options;
    const prefix = eventName('task.completed', '');
    let toldAt = 0;
    while (!this.#isOver) {
      const { memoryBytes, threads } = await meter.look();
      if (performance.now() - toldAt > progressPauseMs) {
        toldAt = performance.now();
        const seconds = ((toldAt - startedAt) / 1000).toFixed(0).padStart(4);
        const done = new Set(
          witness.seen.map(({ event }) => event).filter((event) => event.startsWith(prefix)),
        );
        const created = `${this.#createdAt.size}${this.#creating ? '' : ' (all)'} created`;
        const completed = `${done.size} of ${tasks} completed`;
        progress(`${seconds} s  ${created}, ${completed}, ${megabytes(memoryBytes)} MB, ${threads} threads`);
      }
      await sleep(lookPauseMs);
    }
  }

  /** What remains when nothing more happens: for a moment, recordings are still being deleted at the carrier. */
  async #settle(startedAt: number): Promise<Evidence> {
    const { addresses, site, witness } = this.#around;
    for (;;) {
      const evidence = await gatherEvidence(addresses, site.projectId);
      const isOver = openWork(evidence, witness.seen).length === 0;
      if (isOver || performance.now() - startedAt > this.#options.limitMs) return evidence;
      await sleep(settlePauseMs);
    }
  }
}

export function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

function spreadsOf(times: ReadonlyMap<string, number[]>): Record<string, Spread> {
  return Object.fromEntries(
    [...times].flatMap(([name, values]) => {
      const spread = spreadOf(values);
      return spread === null ? [] : [[name, spread]];
    }),
  );
}

function perTask(
  before: Usage['secondsByPart'],
  after: Usage['secondsByPart'],
  tasks: number,
): Record<Part, number> {
  const of = (part: Part): number => (after[part] - before[part]) / tasks;
  return {
    gateway: of('gateway'),
    functions: of('functions'),
    phone: of('phone'),
    queues: of('queues'),
    table: of('table'),
    runtime: of('runtime'),
    other: of('other'),
  };
}

function lostIn({ tasks }: Evidence, taskIds: readonly string[], { seen }: WebhookWitness): number {
  const known = new Set(tasks.map(({ id }) => id));
  const announced = new Set(seen.map(({ event }) => event));
  return taskIds.filter((id) => !known.has(id) || !announced.has(eventName('task.completed', id))).length;
}

function doubledIn({ calls, carrierCalls }: Evidence, { seen }: WebhookWitness): number {
  const beyondOne = (values: readonly unknown[]): number => values.length - new Set(values).size;
  const messages = new Set(seen.map(({ event, webhookId }) => `${event} ${webhookId}`));
  return (
    beyondOne(calls.map(({ task_id, attempt }) => `${task_id} ${attempt}`)) +
    beyondOne(carrierCalls.map(({ status_callback }) => status_callback)) +
    beyondOne([...messages].map((message) => message.slice(0, message.lastIndexOf(' '))))
  );
}
