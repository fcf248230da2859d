import { readdirSync, readFileSync } from 'node:fs';
import { listProcesses } from '../../infra/local/servers/processes.ts';
import { withDescendants } from '../crash/processes.ts';

/** Who uses the processor: `runtime` is Node's own threads, which collect garbage and compile. */
export const parts = ['gateway', 'functions', 'phone', 'queues', 'table', 'runtime', 'other'] as const;
export type Part = (typeof parts)[number];

export interface Usage {
  readonly secondsByPart: Readonly<Record<Part, number>>;
  /** Resident memory of all processes together, in bytes. */
  readonly memoryBytes: number;
  readonly threads: number;
  /** Of each function, whichever part it belongs to, by the first 15 characters of its name, which Linux keeps. */
  readonly secondsByFunction: Readonly<Record<string, number>>;
}

interface Sample {
  readonly name: string;
  readonly part: Part;
  readonly seconds: number;
}

/** Ticks per second in which Linux reports processor time (man 5 proc). */
const ticksPerSecond = 100;
const pageBytes = 4096;

/**
 * Measures a local stack from outside: processor time by part and memory of its whole process tree, from what Linux
 * reports about processes and threads. What a thread did after its last measurement counts as `runtime`.
 */
export class ProcessMeter {
  readonly #pid: number;
  /** The last measurement of each thread and child process, including ended ones. */
  readonly #seen = new Map<string, Sample>();
  #mainSeconds = 0;
  #peakBytes = 0;
  #peakThreads = 0;

  constructor(pid: number) {
    this.#pid = pid;
  }

  get peakBytes(): number {
    return this.#peakBytes;
  }

  get peakThreads(): number {
    return this.#peakThreads;
  }

  async look(): Promise<Usage> {
    const processes = await listProcesses();
    const commands = new Map(processes.map(({ pid, arguments: [name = ''] }) => [pid, name]));
    let memoryBytes = 0;
    let threads = 0;
    for (const pid of withDescendants(this.#pid, processes)) {
      const process = statOf(`/proc/${pid}/stat`);
      if (process === null) continue;
      memoryBytes += process.memoryBytes;
      threads += process.threads;
      if (pid === this.#pid) this.#lookAtThreads(process.seconds);
      else {
        const part = /dynoxide(\.exe)?$/.test(commands.get(pid) ?? '') ? 'table' : 'other';
        this.#seen.set(`process ${pid}`, { name: '', part, seconds: process.seconds });
      }
    }
    this.#peakBytes = Math.max(this.#peakBytes, memoryBytes);
    this.#peakThreads = Math.max(this.#peakThreads, threads);
    return {
      secondsByPart: this.#secondsByPart(),
      secondsByFunction: this.#secondsByFunction(),
      memoryBytes,
      threads,
    };
  }

  #lookAtThreads(processSeconds: number): void {
    this.#mainSeconds = processSeconds;
    const directory = `/proc/${this.#pid}/task`;
    for (const id of namesIn(directory)) {
      const thread = statOf(`${directory}/${id}/stat`);
      const part = thread === null ? null : partOf(thread.name, id === String(this.#pid));
      if (thread !== null && part !== null) {
        this.#seen.set(id, { name: thread.name, part, seconds: thread.seconds });
      }
    }
  }

  #secondsByFunction(): Record<string, number> {
    const seconds: Record<string, number> = {};
    for (const sample of this.#seen.values()) {
      if (sample.part !== 'functions' && sample.part !== 'phone') continue;
      seconds[sample.name] = (seconds[sample.name] ?? 0) + sample.seconds;
    }
    return seconds;
  }

  #secondsByPart(): Record<Part, number> {
    const seconds: Record<Part, number> = {
      gateway: 0,
      functions: 0,
      phone: 0,
      queues: 0,
      table: 0,
      runtime: this.#mainSeconds,
      other: 0,
    };
    for (const [key, sample] of this.#seen) {
      seconds[sample.part] += sample.seconds;
      if (!key.startsWith('process ')) seconds.runtime -= sample.seconds;
    }
    return seconds;
  }
}

/** Threads of the stack are named after their work; Linux keeps 15 characters. Null for Node's own. */
function partOf(name: string, isMain: boolean): Part | null {
  if (isMain) return 'gateway';
  if (name.startsWith('sandbox-phone')) return 'phone';
  if (name === 'queues') return 'queues';
  return /^[a-z]+(-[a-z0-9]*)*$/.test(name) && !name.startsWith('libuv') ? 'functions' : null;
}

/** Empty if the process or thread has ended. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

interface Stat {
  readonly name: string;
  readonly seconds: number;
  readonly memoryBytes: number;
  readonly threads: number;
}

/** None if the process has ended. */
function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function statOf(path: string): Stat | null {
  const text = textOf(path);
  const [, name, rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(text) ?? [];
  if (name === undefined) return null;
  // From the third field on, the state (man 5 proc).
  const fields = rest.split(' ');
  const field = (number: number): number => Number(fields[number - 3]);
  return {
    name,
    seconds: (field(14) + field(15)) / ticksPerSecond,
    threads: field(20),
    memoryBytes: field(24) * pageBytes,
  };
}
