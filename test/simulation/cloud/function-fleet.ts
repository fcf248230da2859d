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
  /** The instance is gone: it crashed, ran out of time, or the stack was restarted. */
  | { readonly kind: 'gone' };

/** One request to a function while it is being worked on. */
export interface Invocation {
  readonly id: string;
  readonly functionName: string;
  /** The tasks that its event names. */
  readonly taskIds: readonly string[];
  /** Whether anything was made to go wrong for it, so that its failure proves nothing. */
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

/** The functions of the stack with their instances, each of which takes one request at a time, as on Lambda. */
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

  /** Counts whatever functions do, so that somebody who waits for them to do nothing more can tell. */
  activity = 0;

  get isIdle(): boolean {
    return this.#running.size === 0 && [...this.#waiting.values()].every(({ length }) => length === 0);
  }

  /** Whether some function neither waits for the simulated world nor has ended. */
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

  /** Ends an instance at once; whatever it was doing never goes on. */
  crash(invocation: Invocation): void {
    for (const running of this.#running.values()) {
      if (running.id === invocation.id) this.#lose(running, 'crashed');
    }
  }

  /** All clocks jump, as after a machine was suspended: what runs meanwhile may run out of time by that alone. */
  jump(ms: number): void {
    for (const running of this.#running.values()) running.isDisturbed = true;
    this.#options.clock.jump(ms);
  }

  /** Ends all instances: the stack was restarted. */
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
    // Mostly the one used last, as on Lambda, and sometimes one that has been asleep for long.
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
    // As over the wire: nothing is shared between whoever sends an event and whoever receives it.
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
