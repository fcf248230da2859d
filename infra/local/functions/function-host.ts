import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { FunctionDefinition } from './function-definition.ts';
import type { FunctionLog } from './function-log.ts';
import type { FunctionErrorDescription, HostStart, OpenMessage } from './function-messages.ts';

/**
 * What is short-lived in one request is mostly collected at once, and many workers stay small. V8 counts three
 * semi-spaces of 4 MB, as `npm start` gives its other threads; 16 let it use 27 MB instead of 8.
 */
const youngGenerationMb = 12;

export interface HostOptions extends HostStart {
  /** Of the thread, as Linux shows it. */
  readonly name: string;
  /** As plain JavaScript. */
  readonly code: string;
  /** Of everything in it. */
  readonly memoryMb: number;
  /** Of the thread itself; each function has its own besides. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A thread with the execution environments of one function or of several. It ends with the last of them. */
export class FunctionHost {
  readonly #thread: Worker;
  /** What an end of the thread means to each of its environments. */
  readonly #tenants = new Set<(error: FunctionErrorDescription) => void>();
  #isUsable = true;

  constructor(options: HostOptions, log: FunctionLog) {
    const { name, code, memoryMb, environment, codeCacheDir, isBackground } = options;
    const workerData: HostStart = { codeCacheDir, isBackground };
    this.#thread = new Worker(code, {
      eval: true,
      workerData,
      env: { ...environment },
      stdout: true,
      stderr: true,
      name,
      // The way a bundle is loaded is experimental in Node, which is no concern of the function's log.
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: youngGenerationMb },
    });
    log.follow(name, this.#thread.stdout);
    log.follow(name, this.#thread.stderr);
    // An uncaught exception ends the thread, as it ends the process on Lambda.
    this.#thread.on('error', (error: Error & { code?: string }) => {
      this.#ended(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? { errorType: 'Runtime.OutOfMemory', errorMessage: 'The function used more memory than it has' }
          : { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? '').split('\n') },
      );
    });
    this.#thread.on('exit', (code) => {
      this.#ended({ errorType: 'Runtime.ExitError', errorMessage: `The runtime exited with status ${code}` });
    });
  }

  get isUsable(): boolean {
    return this.#isUsable;
  }

  get eventLoopUtilization(): Worker['performance']['eventLoopUtilization'] {
    return this.#thread.performance.eventLoopUtilization;
  }

  /** Has the thread load the function. */
  open(definition: FunctionDefinition, onEnd: (error: FunctionErrorDescription) => void): MessagePort {
    const { codeDir, handler, name, arn, memoryMb, environment } = definition;
    const { port1, port2 } = new MessageChannel();
    const message: OpenMessage = {
      function: { codeDir, handler, name, arn, memoryMb, environment },
      port: port2,
    };
    this.#tenants.add(onEnd);
    this.#thread.postMessage(message, [port2]);
    return port1;
  }

  async leave(onEnd: (error: FunctionErrorDescription) => void): Promise<void> {
    if (this.#tenants.delete(onEnd) && this.#tenants.size === 0) await this.terminate();
  }

  async terminate(): Promise<void> {
    this.#isUsable = false;
    await this.#thread.terminate();
  }

  #ended(error: FunctionErrorDescription): void {
    this.#isUsable = false;
    for (const end of this.#tenants) end(error);
    this.#tenants.clear();
  }
}
