import type { EventLoopUtilization } from 'node:perf_hooks';
import type { MessagePort } from 'node:worker_threads';
import type { FunctionDefinition } from './function-definition.ts';
import type { FunctionHost } from './function-host.ts';
import type { FunctionLog } from './function-log.ts';
import type { FunctionErrorDescription, InvokeMessage, WorkerMessage } from './function-messages.ts';
import { failure, type InvocationResult, payloadLimitBytes } from './invocation-result.ts';

/**
 * What Lambda does not load in 10 s it loads again with the first request, whose time limit then counts
 * (docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html). Here one load gets both.
 */
const loadLimitMs = 10_000;

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

/** A function that a thread has loaded, or is about to load: a worker of its pool. */
export class ExecutionEnvironment {
  readonly #definition: FunctionDefinition;
  readonly #host: FunctionHost;
  readonly #port: MessagePort;
  readonly #loaded: Promise<FunctionErrorDescription | null>;
  readonly #end: (error: FunctionErrorDescription) => void;
  /** Settles each running request, by its identifier. */
  readonly #running = new Map<string, (outcome: Outcome) => void>();
  /** Requests that were given to it, including those that wait for it to load. */
  #taken = 0;
  #isLoading = true;
  #utilization: EventLoopUtilization | undefined;
  #ended: FunctionErrorDescription | null = null;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(definition: FunctionDefinition, host: FunctionHost, log: FunctionLog) {
    this.#definition = definition;
    this.#host = host;
    let settle: (error: FunctionErrorDescription | null) => void = () => {};
    this.#loaded = new Promise<FunctionErrorDescription | null>((resolve) => {
      settle = resolve;
    }).finally(() => {
      this.#isLoading = false;
    });
    this.#end = (error) => {
      this.#fail(error);
      settle(this.#ended);
    };
    this.#port = host.open(definition, this.#end);
    this.#listen(settle, log.printer(definition.name));
  }

  get isUsable(): boolean {
    return this.#ended === null && this.#host.isUsable;
  }

  get isLoading(): boolean {
    return this.#isLoading;
  }

  /** Whether its thread has computed since this was asked before. One that waits for a processor counts. */
  isComputing(): boolean {
    const now = this.#host.eventLoopUtilization();
    const { utilization } = this.#host.eventLoopUtilization(now, this.#utilization);
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
        this.#giveUp(`Task timed out after ${(timeoutMs / 1000).toFixed(2)} seconds`);
      }, timeoutMs);
      this.#running.set(requestId, (settled) => {
        clearTimeout(limit);
        this.#running.delete(requestId);
        resolve(settled);
      });
      if (this.#ended !== null) this.#fail(this.#ended);
      else this.#port.postMessage(message);
    });
    return resultOf(requestId, outcome);
  }

  async end(): Promise<void> {
    clearTimeout(this.#idleTimer);
    this.#end({ errorType: 'ServiceException', errorMessage: 'The local stack is stopping' });
    this.#port.close();
    await this.#host.leave(this.#end);
  }

  /** What loads the function, or does not, and what comes of its requests. */
  #listen(
    settle: (error: FunctionErrorDescription | null) => void,
    print: (text: string | null) => void,
  ): void {
    const limitMs = loadLimitMs + this.#definition.timeoutMs;
    const limit = setTimeout(
      () => this.#giveUp(`The function was not loaded in ${limitMs / 1000} s`),
      limitMs,
    );
    void this.#loaded.then(() => clearTimeout(limit));
    this.#port.on('message', (message: WorkerMessage) => {
      switch (message.kind) {
        case 'ready':
          settle(null);
          break;
        case 'failed-to-load':
          this.#end(message.error);
          void this.end();
          break;
        case 'printed':
          print(message.text);
          break;
        case 'succeeded':
        case 'failed':
          this.#running.get(message.requestId)?.(message);
          break;
        default:
          message satisfies never;
      }
    });
    this.#port.on('close', () => print(null));
  }

  /** Only the end of its thread ends a function at work. What else runs there fails, as if Lambda had a fault. */
  #giveUp(errorMessage: string): void {
    this.#end({ errorType: 'Sandbox.Timedout', errorMessage });
    void this.#host.terminate();
  }

  #fail(error: FunctionErrorDescription): void {
    this.#ended ??= error;
    for (const settle of [...this.#running.values()]) settle({ kind: 'failed', error });
  }
}
