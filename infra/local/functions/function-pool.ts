import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { openCodeCache } from './code-cache.ts';
import { ExecutionEnvironment } from './execution-environment.ts';
import type { FunctionDefinition } from './function-definition.ts';
import type { FunctionHosts, WorkerCode } from './function-hosts.ts';
import type { FunctionLog } from './function-log.ts';
import type { FunctionErrorDescription } from './function-messages.ts';
import { failure, type InvocationResult, payloadLimitBytes } from './invocation-result.ts';

/** What API Gateway and the event sources call. */
export interface InvocableFunction {
  readonly definition: FunctionDefinition;
  /** Requests that no worker has taken yet. */
  readonly waiting: number;
  invoke(event: unknown): Promise<InvocationResult>;
}

/** A worker that a burst has left over is let go after this; the last one of a function stays. */
const idleLimitMs = 5_000;
/**
 * Another worker starts when requests wait and no worker has become free for so long, because all wait for something
 * outside, such as a language model.
 */
const patienceMs = 400;
/** The same where nobody waits for an answer, for each worker there is. */
const backgroundPatienceMs = 2_000;
/**
 * The same where workers compute: they are free soon, and more of them than processors only take memory and the time to
 * load and compile the same code again.
 */
const computingPatienceMs = 5_000;
/**
 * How long a client waits before a function that serves the REST API gets another worker, up to one for each
 * processor.
 */
const clientPatienceMs = 250;
/** These are started at once: one for each function of a machine with two processors. */
const firstWorkers = Math.max(1, Math.floor(availableParallelism() / 2));

interface WaitingRequest {
  readonly take: (worker: ExecutionEnvironment | null) => void;
  /** By `performance.now()`. */
  readonly since: number;
}

export async function bundleFunctionWorker(): Promise<WorkerCode> {
  const codeCacheDir = openCodeCache();
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./function-worker.ts', import.meta.url))],
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    logLevel: 'warning',
  });
  return { code: outputFiles[0]?.text ?? '', codeCacheDir };
}

/**
 * One function with its workers, as Lambda's execution environments: each has the function's environment only, takes
 * one request at a time and stays warm for the next. A request beyond the function's concurrency waits for a worker.
 */
export class FunctionPool implements InvocableFunction {
  readonly definition: FunctionDefinition;
  readonly #hosts: FunctionHosts;
  readonly #log: FunctionLog;
  readonly #onActivity: () => void;
  readonly #onInvoked: (definition: FunctionDefinition, event: unknown, milliseconds: number) => void;
  readonly #workers = new Set<ExecutionEnvironment>();
  /** A worker that is to help the others once it has loaded. */
  #helper: ExecutionEnvironment | null = null;
  /** Free workers; the one used last is taken first, so that the others grow old and can be let go. */
  readonly #idle: ExecutionEnvironment[] = [];
  /** Those that have waited for longest come first. */
  readonly #waiting: WaitingRequest[] = [];
  #patience: NodeJS.Timeout | undefined;
  #running = 0;
  #stopped = false;

  /**
   * @param onActivity called when a request begins and when it ends
   * @param onInvoked called when a worker has finished a request
   */
  constructor(
    definition: FunctionDefinition,
    hosts: FunctionHosts,
    log: FunctionLog,
    onActivity: () => void,
    onInvoked: (definition: FunctionDefinition, event: unknown, milliseconds: number) => void = () => {},
  ) {
    this.definition = definition;
    this.#hosts = hosts;
    this.#log = log;
    this.#onActivity = onActivity;
    this.#onInvoked = onInvoked;
  }

  /** Requests that are being worked on or wait for a worker. */
  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  async invoke(event: unknown): Promise<InvocationResult> {
    const requestId = randomUUID();
    const payload = JSON.stringify(event ?? null);
    if (Buffer.byteLength(payload) > payloadLimitBytes) return { kind: 'event-too-large', requestId };
    // That is how a function is switched off.
    if (this.definition.concurrency === 0) {
      return failure(requestId, 'TooManyRequestsException', 'The reserved concurrency is 0');
    }
    this.#running += 1;
    this.#onActivity();
    try {
      const worker = await this.#takeWorker();
      if (worker === null) return failure(requestId, 'ServiceException', 'The local stack is stopping');
      await worker.loaded();
      const startedAt = performance.now();
      const result = await worker.run(requestId, payload);
      this.#onInvoked(this.definition, event, performance.now() - startedAt);
      if (result.kind === 'failed') this.#logFailure(requestId, result.error);
      this.#giveBack(worker);
      return result;
    } finally {
      this.#running -= 1;
      this.#onActivity();
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#endPatience();
    for (const { take } of this.#waiting.splice(0)) take(null);
    const workers = [...this.#workers, ...(this.#helper === null ? [] : [this.#helper])];
    await Promise.all(workers.map((worker) => worker.end()));
    this.#workers.clear();
  }

  async #takeWorker(): Promise<ExecutionEnvironment | null> {
    if (this.#stopped) return null;
    const free = this.#freeWorker();
    if (free !== undefined) return free.take();
    if (this.#workers.size < Math.min(firstWorkers, this.#workerLimit)) return this.#newWorker().take();
    this.#helpClients();
    return new Promise((take) => {
      this.#waiting.push({ take, since: performance.now() });
      this.#beginPatience();
    });
  }

  /** Workers that are free again and again, only too late, wear out no patience. */
  #helpClients(): void {
    const [oldest] = this.#waiting;
    const isLate = oldest !== undefined && performance.now() - oldest.since > clientPatienceMs;
    if (!isLate || !this.definition.servesClients || this.#helper !== null) return;
    if (this.#workers.size >= Math.min(availableParallelism(), this.#workerLimit)) return;
    if ([...this.#workers].some((worker) => worker.isLoading)) return;
    const helper = this.#createWorker();
    this.#helper = helper;
    // Until it has loaded, the others take what waits.
    void helper.loaded().then(() => {
      this.#helper = null;
      if (this.#stopped || !helper.isUsable) return;
      this.#workers.add(helper);
      this.#employ(helper);
    });
  }

  /** Of those with room for a request the one used last, so that the others grow old and can be let go. */
  #freeWorker(): ExecutionEnvironment | undefined {
    for (let worker = this.#idle.pop(); worker !== undefined; worker = this.#idle.pop()) {
      if (worker.isUsable) return worker;
      // Another function has ended the thread that they shared.
      this.#workers.delete(worker);
      void worker.end();
    }
    return [...this.#workers].find((worker) => worker.hasRoom);
  }

  #beginPatience(waitedMs = 0): void {
    if (this.#patience !== undefined || this.#waiting.length === 0) return;
    if (this.#workers.size >= this.#workerLimit) return;
    const workers = [...this.#workers];
    for (const worker of workers) worker.isComputing();
    this.#patience = setTimeout(() => {
      this.#patience = undefined;
      if (this.#stopped || this.#waiting.length === 0) return;
      const isLoading = workers.some((worker) => worker.isLoading);
      const isComputing = workers.some((worker) => worker.isComputing());
      const isOver = waitedMs + patienceMs >= this.#longestWaitMs(isComputing);
      if (isOver && !isLoading) this.#serve(this.#newWorker());
      this.#beginPatience(isOver ? 0 : waitedMs + patienceMs);
    }, patienceMs);
  }

  #longestWaitMs(isComputing: boolean): number {
    if (isComputing) return computingPatienceMs * this.#workers.size;
    return this.definition.isBackground ? backgroundPatienceMs * this.#workers.size : patienceMs;
  }

  #endPatience(): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
  }

  get #workerLimit(): number {
    const { concurrency, requestsPerWorker } = this.definition;
    return Math.ceil(concurrency / requestsPerWorker);
  }

  #newWorker(): ExecutionEnvironment {
    const worker = this.#createWorker();
    this.#workers.add(worker);
    return worker;
  }

  #createWorker(): ExecutionEnvironment {
    const host = this.#hosts.hostFor(this.definition, this.#workers.size);
    return new ExecutionEnvironment(this.definition, host, this.#log);
  }

  #giveBack(worker: ExecutionEnvironment): void {
    worker.release();
    if (this.#stopped) return;
    this.#endPatience();
    if (!worker.isUsable) {
      const wasKnown = this.#workers.delete(worker);
      if (wasKnown && this.#waiting.length > 0) this.#serve(this.#newWorker());
      return;
    }
    this.#employ(worker);
    this.#beginPatience();
  }

  /** Has the worker take what waits, and otherwise wait itself. */
  #employ(worker: ExecutionEnvironment): void {
    this.#serve(worker);
    if (!worker.isIdle) return;
    this.#idle.push(worker);
    worker.letGoAfter(idleLimitMs, () => {
      if (this.#workers.size === 1) return;
      this.#workers.delete(worker);
      this.#idle.splice(this.#idle.indexOf(worker), 1);
      void worker.end();
    });
  }

  /** Gives the worker as many of the waiting requests as it has room for. */
  #serve(worker: ExecutionEnvironment): void {
    while (worker.hasRoom && this.#waiting.length > 0) this.#waiting.shift()?.take(worker.take());
  }

  #logFailure(requestId: string, error: FunctionErrorDescription): void {
    const { errorType, errorMessage, trace } = error;
    this.#log.write(
      this.definition.name,
      JSON.stringify({ level: 'ERROR', requestId, errorType, errorMessage, stackTrace: trace }),
    );
  }
}
