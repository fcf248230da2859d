import type { EventLoopUtilization } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import type { FunctionDefinition } from './function-definition.ts';
import type { FunctionLog } from './function-log.ts';
import type {
  FunctionErrorDescription,
  InvokeMessage,
  WorkerMessage,
  WorkerStart,
} from './function-messages.ts';
import { failure, type InvocationResult, payloadLimitBytes } from './invocation-result.ts';

/**
 * What Lambda does not load in 10 s it loads again with the first request, whose time limit then counts
 * (docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html). Here one load gets both.
 */
const loadLimitMs = 10_000;
/**
 * What is short-lived in one request is mostly collected at once, and many workers stay small. V8 counts three
 * semi-spaces of 4 MB, as `npm start` gives its other threads; 16 let it use 27 MB instead of 8.
 */
const youngGenerationMb = 12;

/** A thread that is busy for less of the time waits for something outside. */
const leastUtilization = 0.05;

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

/** One execution environment: a thread that has loaded, or is about to load, the function's bundle. */
export class FunctionThread {
  readonly #definition: FunctionDefinition;
  readonly #thread: Worker;
  readonly #loaded: Promise<FunctionErrorDescription | null>;
  /** Settles each running request, by its identifier. */
  readonly #running = new Map<string, (outcome: Outcome) => void>();
  /** Requests that were given to it, including those that wait for it to load. */
  #taken = 0;
  #isLoading = true;
  #utilization: EventLoopUtilization | undefined;
  #ended: FunctionErrorDescription | null = null;
  #idleTimer: NodeJS.Timeout | undefined;

  /** @param codeCacheDir where compiled code is kept for the next threads and starts */
  constructor(definition: FunctionDefinition, code: string, codeCacheDir: string, log: FunctionLog) {
    this.#definition = definition;
    const workerData: WorkerStart = {
      codeDir: definition.codeDir,
      handler: definition.handler,
      functionName: definition.name,
      functionArn: definition.arn,
      memoryMb: definition.memoryMb,
      codeCacheDir,
      isBackground: definition.isBackground,
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
    this.#loaded = this.#load().finally(() => {
      this.#isLoading = false;
    });
  }

  get isUsable(): boolean {
    return this.#ended === null;
  }

  get isLoading(): boolean {
    return this.#isLoading;
  }

  /** Whether it has computed since this was asked before. A thread that waits for a processor counts. */
  isComputing(): boolean {
    const now = this.#thread.performance.eventLoopUtilization();
    const { utilization } = this.#thread.performance.eventLoopUtilization(now, this.#utilization);
    this.#utilization = now;
    return utilization >= leastUtilization;
  }

  get hasRoom(): boolean {
    return this.isUsable && this.#taken < this.#definition.requestsPerWorker;
  }

  get isIdle(): boolean {
    return this.#taken === 0;
  }

  /** Reserves room for a request, which ends with `release`. */
  take(): this {
    clearTimeout(this.#idleTimer);
    this.#taken += 1;
    return this;
  }

  release(): void {
    this.#taken -= 1;
  }

  /** The time that loading takes is not that of a request. */
  async loaded(): Promise<void> {
    await this.#loaded;
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
      this.#running.set(requestId, (settled) => {
        clearTimeout(limit);
        this.#running.delete(requestId);
        resolve(settled);
      });
      if (this.#ended !== null) this.#fail(this.#ended);
      else this.#thread.postMessage(message);
    });
    return resultOf(requestId, outcome);
  }

  async end(): Promise<void> {
    clearTimeout(this.#idleTimer);
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
            this.#running.get(message.requestId)?.(message);
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
    for (const settle of [...this.#running.values()]) settle({ kind: 'failed', error });
  }
}
