import type { FunctionDefinition } from '../../../infra/local/functions/function-definition.ts';
import type { Faults } from '../engine/faults.ts';
import { FunctionInstance } from '../engine/function-instance.ts';
import type { OutgoingRequest, RequestOutcome } from '../engine/outgoing-request.ts';
import type { SeededRandom } from '../engine/random.ts';
import type { Appointment, VirtualClock } from '../engine/virtual-clock.ts';
import type { Journal } from '../harness/journal.ts';

export type InvocationEnd =
  | { readonly kind: 'succeeded'; readonly payload: unknown }
  /** The function threw. */
  | { readonly kind: 'failed' }
  /** The instance is gone: it crashed or timed out, or the stack was restarted. */
  | { readonly kind: 'gone' };

/** A request to a function in progress. */
export interface Invocation {
  readonly id: string;
  readonly functionName: string;
  /** The tasks named in its event. */
  readonly taskIds: readonly string[];
  /** Whether a fault was injected into it, so that its failure proves nothing. */
  isDisturbed: boolean;
}

interface Running extends Invocation {
  readonly instance: FunctionInstance;
  readonly limit: Appointment;
  readonly onEnd: (end: InvocationEnd, invocation: Invocation) => void;
}

interface Waiting {
  readonly event: unknown;
  readonly invocation: Invocation;
  readonly onEnd: Running['onEnd'];
}

export interface FleetOptions {
  readonly functions: readonly FunctionDefinition[];
  readonly clock: VirtualClock;
  readonly random: SeededRandom;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly send: (invocation: Invocation | null, request: OutgoingRequest, outcome: RequestOutcome) => void;
  readonly onLine: (functionName: string, line: string) => void;
  readonly onPayload: (functionName: string, bytes: number) => void;
}

/** The functions of the stack with their instances, each handling one request at a time, as on Lambda. */
export class FunctionFleet {
  readonly #options: FleetOptions;
  readonly #definitions: ReadonlyMap<string, FunctionDefinition>;
  readonly #idle = new Map<string, FunctionInstance[]>();
  readonly #running = new Map<FunctionInstance, Running>();
  readonly #waiting = new Map<string, Waiting[]>();
  #started = 0;
  #invocations = 0;

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#definitions = new Map(options.functions.map((definition) => [definition.name, definition]));
  }

  get invocations(): number {
    return this.#invocations;
  }

  /** Counts all activity of functions, so that one can wait until there is none. */
  activity = 0;

  get isIdle(): boolean {
    return this.#running.size === 0 && [...this.#waiting.values()].every(({ length }) => length === 0);
  }

  /** Whether a function is running that does not wait for the simulated world. */
  get isComputing(): boolean {
    for (const instance of this.#running.keys()) if (!instance.isWaiting) return true;
    return false;
  }

  invoke(
    functionName: string,
    event: unknown,
    onEnd: (end: InvocationEnd, invocation: Invocation) => void,
  ): void {
    const { random, journal } = this.#options;
    const invocation: Invocation = {
      id: random.uuid(),
      functionName,
      taskIds: journal.tasksIn(JSON.stringify(event)),
      isDisturbed: false,
    };
    this.#invocations += 1;
    const instance = this.#takeInstance(functionName);
    if (instance === null) {
      const waiting = this.#waiting.get(functionName) ?? [];
      waiting.push({ event, invocation, onEnd });
      this.#waiting.set(functionName, waiting);
    } else this.#run(instance, event, invocation, onEnd);
  }

  /** Kills an instance: its work never continues. */
  crash(invocation: Invocation): void {
    for (const running of this.#running.values()) {
      if (running.id === invocation.id) this.#lose(running, 'crashed');
    }
  }

  /** All clocks jump, as after a machine was suspended: running invocations may time out just by that. */
  jump(ms: number): void {
    for (const running of this.#running.values()) running.isDisturbed = true;
    this.#options.clock.jump(ms);
  }

  /** Kills all instances: the stack was restarted. */
  restart(): void {
    for (const running of [...this.#running.values()]) {
      running.isDisturbed = true;
      this.#lose(running, 'killed by a restart');
    }
    for (const instances of this.#idle.values()) for (const instance of instances) instance.stop();
    this.#idle.clear();
  }

  invocationOf(instance: FunctionInstance): Invocation | null {
    return this.#running.get(instance) ?? null;
  }

  #takeInstance(functionName: string): FunctionInstance | null {
    const { random, clock, send, onLine } = this.#options;
    const definition = this.#definitions.get(functionName);
    if (definition === undefined) throw new Error(`there is no function ${functionName}`);
    const idle = this.#idle.get(functionName) ?? [];
    // Usually the one used last, as on Lambda, and sometimes one that has been idle for long.
    const [instance] = idle.splice(random.chance(0.8) ? -1 : random.below(idle.length), 1);
    if (instance !== undefined) return instance;
    const running = [...this.#running.keys()].filter((other) => other.definition === definition).length;
    if (running >= definition.concurrency) return null;
    this.#started += 1;
    return new FunctionInstance(definition, {
      clock,
      skewMs: this.#options.faults.strikes('the clock of an instance is wrong', 0.15)
        ? random.between(-1_000, 1_000)
        : 0,
      random: random.fork(`instance ${this.#started}`),
      send: (sender, request, outcome) => {
        this.activity += 1;
        send(this.invocationOf(sender), request, outcome);
      },
      onLine: (_, line) => onLine(functionName, line),
    });
  }

  #run(
    instance: FunctionInstance,
    event: unknown,
    { id, functionName, taskIds, isDisturbed }: Invocation,
    onEnd: Running['onEnd'],
  ): void {
    const { clock, journal } = this.#options;
    const { timeoutMs, name } = instance.definition;
    const running: Running = {
      id,
      functionName,
      taskIds,
      isDisturbed,
      instance,
      onEnd,
      limit: clock.after(timeoutMs, () => this.#lose(running, 'timed out')),
    };
    const deadlineMs = clock.nowMs + timeoutMs;
    this.#running.set(instance, running);
    journal.note(taskIds, `${name} begins`);
    const context = {
      awsRequestId: id,
      functionName: name,
      functionVersion: '$LATEST',
      getRemainingTimeInMillis: () => Math.max(0, deadlineMs - clock.nowMs),
    };
    // As over the wire: sender and receiver of an event share nothing.
    instance.handle(JSON.parse(JSON.stringify(event)), context).then(
      (result) => this.#end(running, { kind: 'succeeded', payload: result ?? null }),
      () => this.#end(running, { kind: 'failed' }),
    );
  }

  #end(running: Running, end: InvocationEnd): void {
    this.activity += 1;
    const { instance, limit, functionName, onEnd, taskIds } = running;
    if (instance.isStopped) return;
    limit.cancel();
    this.#running.delete(instance);
    const idle = this.#idle.get(functionName) ?? [];
    idle.push(instance);
    this.#idle.set(functionName, idle);
    const { journal, onPayload } = this.#options;
    journal.note(taskIds, `${functionName} ${end.kind}`);
    if (end.kind === 'succeeded') onPayload(functionName, Buffer.byteLength(JSON.stringify(end.payload)));
    onEnd(end, running);
    this.#runNext(functionName);
  }

  #lose(running: Running, how: string): void {
    const { instance, limit, functionName, onEnd, taskIds } = running;
    limit.cancel();
    instance.stop();
    this.#running.delete(instance);
    this.#options.journal.note(taskIds, `${functionName} ${how}`);
    onEnd({ kind: 'gone' }, running);
    this.#runNext(functionName);
  }

  #runNext(functionName: string): void {
    const waiting = this.#waiting.get(functionName) ?? [];
    if (waiting.length === 0) return;
    const instance = this.#takeInstance(functionName);
    const next = instance === null ? undefined : waiting.shift();
    if (instance === null || next === undefined) return;
    this.#run(instance, next.event, next.invocation, next.onEnd);
  }
}
