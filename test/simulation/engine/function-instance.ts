import crypto from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import type { FunctionDefinition } from '../../../infra/local/functions/function-definition.ts';
import type { OutgoingRequest, RequestOutcome, Sender } from './outgoing-request.ts';
import type { SeededRandom } from './random.ts';
import type { Appointment, VirtualClock } from './virtual-clock.ts';
import { virtualDate } from './virtual-date.ts';
import { virtualFetch, virtualHttp } from './virtual-http.ts';

/** What an instance gets from the simulated world. */
export interface InstanceHarness {
  readonly clock: VirtualClock;
  readonly random: SeededRandom;
  /** How far its clock is ahead of the world's. */
  readonly skewMs: number;
  readonly send: (instance: FunctionInstance, request: OutgoingRequest, outcome: RequestOutcome) => void;
  /** A slot that the function writes. */
  readonly onLine: (instance: FunctionInstance, line: string) => void;
}

type Handler = (event: unknown, context: object) => unknown;

type Globals = Readonly<Record<string, unknown>>;

/** Runs the code of a bundle once more, with its own module state and globals. */
type Run = (self: object, values: readonly unknown[]) => void;

const compiled = new Map<string, Run>();

const moduleParameters = ['exports', 'require', 'module', '__filename', '__dirname'];
const globalParameters = [
  'Date',
  'Math',
  'performance',
  'process',
  'console',
  'crypto',
  'fetch',
  'AbortSignal',
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
];

function compile(file: string): Run {
  const known = compiled.get(file);
  if (known !== undefined) return known;
  const code = compileFunction(readFileSync(file, 'utf8'), [...moduleParameters, ...globalParameters], {
    filename: file,
  });
  const run: Run = (self, values) => {
    Reflect.apply(code, self, values);
  };
  compiled.set(file, run);
  return run;
}

/**
 * One execution environment of a function, as Lambda has several of each: the deployed bundle with its own module
 * state, clock, timers, randomness and network. Everything that makes runs differ is passed to it as a global or a
 * built-in module; the code itself is unchanged. A stopped instance never continues: its timers
 * do not fire, and no response reaches it.
 */
export class FunctionInstance {
  readonly definition: FunctionDefinition;
  readonly #world: InstanceHarness;
  readonly #handler: Handler;
  readonly #timers = new Map<number, Appointment>();
  #nextTimer = 1;
  #waitingFor = 0;
  #isStopped = false;

  constructor(definition: FunctionDefinition, harness: InstanceHarness) {
    this.definition = definition;
    this.#world = harness;
    const dot = definition.handler.lastIndexOf('.');
    const exported = this.#load(join(definition.codeDir, `${definition.handler.slice(0, dot)}.js`));
    const handler = Reflect.get(exported, definition.handler.slice(dot + 1));
    if (typeof handler !== 'function') throw new Error(`${definition.name} exports no handler`);
    this.#handler = (event, context) => handler(event, context);
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Whether it waits for the simulated world; otherwise it is still computing. */
  get isWaiting(): boolean {
    return this.#waitingFor > 0 || this.#timers.size > 0;
  }

  handle(event: unknown, context: object): Promise<unknown> {
    return Promise.resolve(this.#handler(event, context));
  }

  stop(): void {
    this.#isStopped = true;
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  #load(file: string): object {
    const loaded = new Map<string, { exports: object }>();
    const globals = this.#globals();
    const builtins = this.#builtins(globals);
    const load = (path: string): object => {
      const known = loaded.get(path);
      if (known !== undefined) return known.exports;
      const module: { exports: object } = { exports: {} };
      loaded.set(path, module);
      const nodeRequire = createRequire(path);
      const require = (id: string): unknown => {
        const name = id.replace(/^node:/, '');
        if (Object.hasOwn(builtins, name)) return builtins[name];
        // Data is shared: nothing changes it.
        const isShared = isBuiltin(id) || id.endsWith('.json');
        return isShared ? nodeRequire(id) : load(nodeRequire.resolve(id));
      };
      compile(path)(module.exports, [
        module.exports,
        require,
        module,
        path,
        dirname(path),
        ...globalParameters.map((name) => globals[name]),
      ]);
      return module.exports;
    };
    return load(file);
  }

  readonly #send: Sender = (request, outcome) => {
    if (this.#isStopped) return;
    this.#waitingFor += 1;
    const settle = (): boolean => {
      this.#waitingFor -= 1;
      return !this.#isStopped;
    };
    this.#world.send(this, request, {
      answer: (answer) => {
        if (settle()) outcome.answer(answer);
      },
      fail: (fault) => {
        if (settle()) outcome.fail(fault);
      },
    });
  };

  #globals(): Globals {
    const { clock, random, skewMs } = this.#world;
    const startedAtMs = clock.nowMs;
    const setTimer = (action: () => void, delayMs: unknown, repeats: boolean): object => {
      const id = this.#nextTimer;
      this.#nextTimer += 1;
      const arrange = (): void => {
        if (this.#isStopped) return;
        this.#timers.set(
          id,
          clock.after(Math.max(Number(delayMs) || 0, 1), () => {
            this.#timers.delete(id);
            if (repeats) arrange();
            action();
          }),
        );
      };
      arrange();
      return new Timer(id);
    };
    const clear = (timer: unknown): void => {
      const id = timer instanceof Timer ? timer.id : Number(timer);
      this.#timers.get(id)?.cancel();
      this.#timers.delete(id);
    };
    const setTimeout = (
      action: (...given: unknown[]) => void,
      delayMs?: number,
      ...given: unknown[]
    ): object => setTimer(() => action(...given), delayMs, false);
    return {
      Date: virtualDate(() => clock.nowMs + skewMs),
      Math: Object.create(Math, { random: { value: () => random.fraction() } }),
      performance: {
        now: () => clock.nowMs - startedAtMs,
        timeOrigin: startedAtMs,
        mark: () => {},
        measure: () => {},
      },
      process: Object.create(process, {
        env: { value: { ...this.definition.environment } },
        stdout: { value: { write: (text: string) => this.#write(text) } },
        stderr: { value: { write: (text: string) => this.#write(text) } },
        emitWarning: { value: () => {} },
      }),
      console: Object.fromEntries(
        ['debug', 'error', 'info', 'log', 'trace', 'warn'].map((level) => [
          level,
          (...given: unknown[]) => this.#write(given.map(String).join(' ')),
        ]),
      ),
      crypto: seededWebCrypto(random),
      fetch: virtualFetch(this.#send),
      AbortSignal: virtualAbortSignal(setTimeout),
      setTimeout,
      clearTimeout: clear,
      setInterval: (action: () => void, delayMs?: number) => setTimer(action, delayMs, true),
      clearInterval: clear,
    };
  }

  #builtins(globals: Globals): Record<string, unknown> {
    const { random } = this.#world;
    const setTimeout = globals.setTimeout;
    const wait = (delayMs?: number, value?: unknown): Promise<unknown> =>
      new Promise((resolve) => {
        if (typeof setTimeout === 'function') setTimeout(() => resolve(value), delayMs);
      });
    const absent = async (): Promise<never> => {
      throw Object.assign(new Error('ENOENT: no such file or directory'), { code: 'ENOENT' });
    };
    return {
      process: globals.process,
      http: virtualHttp('http:', this.#send),
      https: virtualHttp('https:', this.#send),
      // Every name resolves, to an address that webhooks may be sent to; the network distinguishes hosts by name.
      'dns/promises': { lookup: async () => [{ address: '1.1.1.1', family: 4 }] },
      timers: {
        setTimeout,
        clearTimeout: globals.clearTimeout,
        setInterval: globals.setInterval,
        clearInterval: globals.clearInterval,
        setImmediate,
      },
      'timers/promises': { setTimeout: wait },
      // Nothing is read from a disk, which responds at real times: not even whether there is a configuration.
      'fs/promises': { readFile: absent, stat: absent },
      crypto: {
        ...crypto,
        randomBytes: (count: number) => random.bytes(count),
        randomUUID: () => random.uuid(),
        randomInt: (low: number, high?: number) =>
          high === undefined ? random.below(low) : low + random.below(high - low),
        getRandomValues: seededWebCrypto(random).getRandomValues,
        randomFillSync: seededWebCrypto(random).getRandomValues,
        webcrypto: seededWebCrypto(random),
      },
    };
  }

  #write(text: string): boolean {
    if (!this.#isStopped) {
      for (const line of text.split('\n')) if (line !== '') this.#world.onLine(this, line);
    }
    return true;
  }
}

class Timer {
  readonly id: number;

  constructor(id: number) {
    this.id = id;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  [Symbol.toPrimitive](): number {
    return this.id;
  }
}

interface SeededWebCrypto {
  readonly getRandomValues: <Values extends Uint8Array>(values: Values) => Values;
  readonly randomUUID: () => string;
  readonly subtle: typeof crypto.webcrypto.subtle;
}

function seededWebCrypto(random: SeededRandom): SeededWebCrypto {
  return {
    getRandomValues: (values) => {
      values.set(random.bytes(values.length));
      return values;
    },
    randomUUID: () => random.uuid(),
    subtle: crypto.webcrypto.subtle,
  };
}

/** `AbortSignal` with time limits by the simulated clock. */
function virtualAbortSignal(setTimeout: (action: () => void, delayMs: number) => object): object {
  return new Proxy(AbortSignal, {
    get: (real, name) =>
      name === 'timeout'
        ? (delayMs: number) => {
            const controller = new AbortController();
            setTimeout(
              () =>
                controller.abort(
                  new DOMException('The operation was aborted due to timeout', 'TimeoutError'),
                ),
              delayMs,
            );
            return controller.signal;
          }
        : Reflect.get(real, name),
  });
}
