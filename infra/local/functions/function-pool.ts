import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import type { FunctionDefinition } from './function-definition.ts';
import type { FunctionLog } from './function-log.ts';
import type {
  FunctionErrorDescription,
  InvokeMessage,
  WorkerMessage,
  WorkerStart,
} from './function-messages.ts';

export type InvocationResult =
  | { readonly kind: 'succeeded'; readonly requestId: string; readonly payload: unknown }
  | { readonly kind: 'failed'; readonly requestId: string; readonly error: FunctionErrorDescription }
  /** The event is larger than Lambda takes, so the function was not asked. */
  | { readonly kind: 'event-too-large'; readonly requestId: string };

/** What API Gateway and the event sources call. */
export interface InvocableFunction {
  readonly definition: FunctionDefinition;
  invoke(event: unknown): Promise<InvocationResult>;
}

/** Lambda's limit for an event, and for a result, of a synchronous invocation. */
const payloadLimitBytes = 6 * 1024 * 1024;
/**
 * What Lambda does not load in 10 s it loads again with the first request, whose time limit then counts
 * (docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html). Here one load gets both.
 */
const loadLimitMs = 10_000;
/** A worker that a burst has left over is let go after this; the last one of a function stays. */
const idleLimitMs = 5 * 60_000;
/** What is short-lived in one request is collected seldom and all at once, instead of in the middle of it. */
const youngGenerationMb = 64;

/** The worker's code as plain JavaScript. */
export async function bundleFunctionWorker(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./function-worker.ts', import.meta.url))],
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    logLevel: 'warning',
  });
  return outputFiles[0]?.text ?? '';
}

/**
 * One function with its workers, as Lambda's execution environments: each has the function's environment only, takes
 * one request at a time and stays warm for the next. A request beyond the function's concurrency waits for a worker.
 */
export class FunctionPool implements InvocableFunction {
  readonly definition: FunctionDefinition;
  readonly #code: string;
  readonly #log: FunctionLog;
  readonly #onActivity: () => void;
  readonly #onInvoked: (definition: FunctionDefinition, event: unknown, milliseconds: number) => void;
  readonly #workers = new Set<FunctionWorker>();
  /** Free workers; the one used last is taken first, so that the others grow old and can be let go. */
  readonly #idle: FunctionWorker[] = [];
  readonly #waiting: ((worker: FunctionWorker | null) => void)[] = [];
  #running = 0;
  #stopped = false;

  /**
   * @param onActivity called when a request begins and when it ends
   * @param onInvoked called when a worker has done with a request
   */
  constructor(
    definition: FunctionDefinition,
    code: string,
    log: FunctionLog,
    onActivity: () => void,
    onInvoked: (definition: FunctionDefinition, event: unknown, milliseconds: number) => void = () => {},
  ) {
    this.definition = definition;
    this.#code = code;
    this.#log = log;
    this.#onActivity = onActivity;
    this.#onInvoked = onInvoked;
  }

  /** Requests that are being worked on or wait for a worker. */
  get running(): number {
    return this.#running;
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
    for (const waiting of this.#waiting.splice(0)) waiting(null);
    await Promise.all([...this.#workers].map((worker) => worker.end()));
    this.#workers.clear();
  }

  async #takeWorker(): Promise<FunctionWorker | null> {
    if (this.#stopped) return null;
    const idle = this.#idle.pop();
    if (idle !== undefined) {
      idle.keep();
      return idle;
    }
    if (this.#workers.size < this.definition.concurrency) return this.#newWorker();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #newWorker(): FunctionWorker {
    const worker = new FunctionWorker(this.definition, this.#code, this.#log);
    this.#workers.add(worker);
    return worker;
  }

  #giveBack(worker: FunctionWorker): void {
    if (this.#stopped) return;
    if (!worker.isUsable) {
      this.#workers.delete(worker);
      this.#waiting.shift()?.(this.#newWorker());
      return;
    }
    const waiting = this.#waiting.shift();
    if (waiting !== undefined) {
      waiting(worker);
      return;
    }
    this.#idle.push(worker);
    worker.letGoAfter(idleLimitMs, () => {
      if (this.#workers.size === 1) return;
      this.#workers.delete(worker);
      this.#idle.splice(this.#idle.indexOf(worker), 1);
      void worker.end();
    });
  }

  #logFailure(requestId: string, error: FunctionErrorDescription): void {
    const { errorType, errorMessage, trace } = error;
    this.#log.write(
      this.definition.name,
      JSON.stringify({ level: 'ERROR', requestId, errorType, errorMessage, stackTrace: trace }),
    );
  }
}

/** How one request ended inside its worker. */
type Outcome =
  | { readonly kind: 'succeeded'; readonly payload: string }
  | { readonly kind: 'failed'; readonly error: FunctionErrorDescription };

function resultOf(requestId: string, outcome: Outcome): InvocationResult {
  if (outcome.kind === 'failed') return { ...outcome, requestId };
  if (Buffer.byteLength(outcome.payload) > payloadLimitBytes) {
    return failure(
      requestId,
      'Function.ResponseSizeTooLarge',
      `Response payload size exceeded maximum allowed payload size (${payloadLimitBytes} bytes).`,
    );
  }
  const payload: unknown = JSON.parse(outcome.payload);
  return { kind: 'succeeded', requestId, payload };
}

function failure(requestId: string, errorType: string, errorMessage: string): InvocationResult {
  return { kind: 'failed', requestId, error: { errorType, errorMessage } };
}

/** One execution environment: a thread that has loaded, or is about to load, the function's bundle. */
class FunctionWorker {
  readonly #definition: FunctionDefinition;
  readonly #thread: Worker;
  readonly #loaded: Promise<FunctionErrorDescription | null>;
  #settle: ((outcome: Outcome) => void) | null = null;
  #ended: FunctionErrorDescription | null = null;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(definition: FunctionDefinition, code: string, log: FunctionLog) {
    this.#definition = definition;
    const workerData: WorkerStart = {
      codeDir: definition.codeDir,
      handler: definition.handler,
      functionName: definition.name,
      functionArn: definition.arn,
      memoryMb: definition.memoryMb,
    };
    this.#thread = new Worker(code, {
      eval: true,
      workerData,
      env: { ...definition.environment },
      stdout: true,
      stderr: true,
      name: definition.name,
      // The way the bundle is loaded is experimental in Node, which is no concern of the function's log.
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: {
        maxOldGenerationSizeMb: definition.memoryMb,
        maxYoungGenerationSizeMb: youngGenerationMb,
      },
    });
    log.follow(definition.name, this.#thread.stdout);
    log.follow(definition.name, this.#thread.stderr);
    this.#loaded = this.#load();
  }

  get isUsable(): boolean {
    return this.#ended === null;
  }

  /** The time that loading takes is not that of a request. */
  async loaded(): Promise<void> {
    await this.#loaded;
  }

  keep(): void {
    clearTimeout(this.#idleTimer);
  }

  letGoAfter(idleMs: number, letGo: () => void): void {
    this.#idleTimer = setTimeout(letGo, idleMs);
    this.#idleTimer.unref();
  }

  async run(requestId: string, event: string): Promise<InvocationResult> {
    const loadError = await this.#loaded;
    if (loadError !== null) return { kind: 'failed', requestId, error: loadError };
    const { timeoutMs } = this.#definition;
    // The limit starts with the request: Lambda does not count the time that loading takes either.
    const message: InvokeMessage = { requestId, event, deadlineMs: Date.now() + timeoutMs };
    const outcome = await new Promise<Outcome>((resolve) => {
      const limit = setTimeout(() => {
        const errorMessage = `Task timed out after ${(timeoutMs / 1000).toFixed(2)} seconds`;
        this.#fail({ errorType: 'Sandbox.Timedout', errorMessage });
        void this.#thread.terminate();
      }, timeoutMs);
      this.#settle = (settled) => {
        clearTimeout(limit);
        this.#settle = null;
        resolve(settled);
      };
      if (this.#ended !== null) this.#fail(this.#ended);
      else this.#thread.postMessage(message);
    });
    return resultOf(requestId, outcome);
  }

  async end(): Promise<void> {
    this.keep();
    this.#fail({ errorType: 'ServiceException', errorMessage: 'The local stack is stopping' });
    await this.#thread.terminate();
  }

  /** Resolves with an error when the bundle cannot be loaded. */
  #load(): Promise<FunctionErrorDescription | null> {
    return new Promise((resolve) => {
      const limitMs = loadLimitMs + this.#definition.timeoutMs;
      const limit = setTimeout(() => {
        const errorMessage = `The function was not loaded in ${limitMs / 1000} s`;
        const error = { errorType: 'Sandbox.Timedout', errorMessage };
        this.#fail(error);
        resolve(error);
        void this.#thread.terminate();
      }, limitMs);
      const end = (error: FunctionErrorDescription): void => {
        clearTimeout(limit);
        this.#fail(error);
        resolve(this.#ended);
      };
      this.#thread.on('message', (message: WorkerMessage) => {
        switch (message.kind) {
          case 'ready':
            clearTimeout(limit);
            resolve(null);
            break;
          case 'failed-to-load':
            end(message.error);
            void this.#thread.terminate();
            break;
          case 'succeeded':
          case 'failed':
            this.#settle?.(message);
            break;
          default:
            message satisfies never;
        }
      });
      // An uncaught exception ends the thread, as it ends the process on Lambda.
      this.#thread.on('error', (error: Error & { code?: string }) => {
        end(
          error.code === 'ERR_WORKER_OUT_OF_MEMORY'
            ? { errorType: 'Runtime.OutOfMemory', errorMessage: 'The function used more memory than it has' }
            : { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? '').split('\n') },
        );
      });
      this.#thread.on('exit', (code) => {
        end({ errorType: 'Runtime.ExitError', errorMessage: `The runtime exited with status ${code}` });
      });
    });
  }

  #fail(error: FunctionErrorDescription): void {
    this.#ended ??= error;
    this.#settle?.({ kind: 'failed', error });
  }
}
