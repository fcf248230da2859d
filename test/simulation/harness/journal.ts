import type { VirtualClock } from '../engine/virtual-clock.ts';

/** How many of a task's last events are kept. */
const kept = 60;

/** What happened, by task: for finding out how something went wrong, and for comparing two runs. */
export class Journal {
  readonly #clock: VirtualClock;
  readonly #byTask = new Map<string, string[]>();
  readonly #taskOfCall = new Map<string, string>();
  readonly #print: ((line: string) => void) | null;
  #steps = 0;
  #fingerprint = 0;

  /** @param print also receives every line immediately */
  constructor(clock: VirtualClock, print: ((line: string) => void) | null) {
    this.#clock = clock;
    this.#print = print;
  }

  get steps(): number {
    return this.#steps;
  }

  /** Equal for two runs in which the same things happened at the same times. */
  get fingerprint(): string {
    return (this.#fingerprint >>> 0).toString(16).padStart(8, '0');
  }

  knowTask(taskId: string): void {
    if (!this.#byTask.has(taskId)) this.#byTask.set(taskId, []);
  }

  knowCall(callId: string, taskId: string): void {
    this.#taskOfCall.set(callId, taskId);
  }

  taskOf(callId: string): string | null {
    return this.#taskOfCall.get(callId) ?? null;
  }

  /** The tasks that a text names, by their own identifiers or those of their calls. */
  tasksIn(text: string): string[] {
    const found = new Set<string>();
    for (const [id] of text.matchAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)) {
      if (this.#byTask.has(id)) found.add(id);
      const taskId = this.#taskOfCall.get(id);
      if (taskId !== undefined) found.add(taskId);
    }
    return [...found];
  }

  note(taskIds: readonly string[], text: string): void {
    this.#steps += 1;
    const line = `${this.#clock.now.toISOString()} ${text}`;
    this.#mix(line);
    this.#print?.(taskIds.length === 0 ? line : `${line} [${taskIds.map((id) => id.slice(-6)).join(' ')}]`);
    // Work for many tasks at once says little about one of them.
    if (taskIds.length > 4 && !text.includes('FAULT')) return;
    for (const taskId of taskIds) {
      const lines = this.#byTask.get(taskId);
      if (lines === undefined) continue;
      lines.push(line);
      if (lines.length > kept) lines.shift();
    }
  }

  lastOf(taskId: string): readonly string[] {
    return this.#byTask.get(taskId) ?? [];
  }

  #mix(line: string): void {
    for (let index = 0; index < line.length; index += 1) {
      this.#fingerprint = Math.imul(this.#fingerprint ^ line.charCodeAt(index), 0x01000193);
    }
  }
}
