import { availableParallelism } from 'node:os';
import type { FunctionDefinition } from './function-definition.ts';
import { FunctionHost, type HostOptions } from './function-host.ts';
import type { FunctionLog } from './function-log.ts';

/** What every worker of a stack runs. */
export interface WorkerCode {
  /** As plain JavaScript. */
  readonly code: string;
  /** Where compiled bundles are kept for the next workers and starts. */
  readonly codeCacheDir: string;
}

/** All functions together fit; each of them alone has what the template gives it. */
const sharedMemoryMb = 2_048;

/**
 * The threads of a stack. Most functions compute little, and a thread takes 30 MB before it has done anything, so
 * those of one kind share one; their second workers share another one, up to one for each processor.
 */
export class FunctionHosts {
  readonly #code: WorkerCode;
  readonly #log: FunctionLog;
  readonly #shared = new Map<string, FunctionHost>();

  constructor(code: WorkerCode, log: FunctionLog) {
    this.#code = code;
    this.#log = log;
  }

  /** @param position how many workers the function has already */
  hostFor(definition: FunctionDefinition, position: number): FunctionHost {
    const { sharesThread, isBackground, name, memoryMb, environment } = definition;
    if (!sharesThread || position >= availableParallelism()) {
      return this.#start({ name, memoryMb, environment, isBackground });
    }
    const shared = `${isBackground ? 'background' : 'clients'}-${position}`;
    const known = this.#shared.get(shared);
    if (known?.isUsable === true) return known;
    const host = this.#start({ name: shared, memoryMb: sharedMemoryMb, environment: {}, isBackground });
    this.#shared.set(shared, host);
    return host;
  }

  #start(options: Omit<HostOptions, keyof WorkerCode>): FunctionHost {
    return new FunctionHost({ ...options, ...this.#code }, this.#log);
  }
}
