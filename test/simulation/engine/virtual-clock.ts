/** An event at a moment of the simulated time. */
export interface Appointment {
  readonly atMs: number;
  cancel(): void;
}

interface Entry {
  readonly atMs: number;
  readonly order: number;
  action: (() => void | Promise<void>) | null;
}

/**
 * The simulated time. It stands still during an event and then jumps to the next one; of events due at the
 * same moment, the one scheduled first comes first.
 */
export class VirtualClock {
  #nowMs: number;
  #arranged = 0;
  readonly #heap: Entry[] = [];

  constructor(startsAt: Date) {
    this.#nowMs = startsAt.getTime();
  }

  /** Milliseconds since 1970, with fractions. */
  get nowMs(): number {
    return this.#nowMs;
  }

  get now(): Date {
    return new Date(Math.floor(this.#nowMs));
  }

  after(delayMs: number, action: () => void | Promise<void>): Appointment {
    return this.at(this.#nowMs + Math.max(delayMs, 0), action);
  }

  at(atMs: number, action: () => void | Promise<void>): Appointment {
    const entry: Entry = { atMs: Math.max(atMs, this.#nowMs), order: this.#arranged, action };
    this.#arranged += 1;
    this.#push(entry);
    return {
      atMs: entry.atMs,
      cancel: () => {
        entry.action = null;
      },
    };
  }

  /** When the next event happens; null if none is scheduled. */
  get nextAtMs(): number | null {
    this.#dropCancelled();
    return this.#heap[0]?.atMs ?? null;
  }

  /** Moves on to the next event and runs it. False if none is scheduled. */
  async step(): Promise<boolean> {
    this.#dropCancelled();
    const entry = this.#pop();
    if (entry === undefined) return false;
    // A jump may have gone beyond it.
    this.#nowMs = Math.max(this.#nowMs, entry.atMs);
    await entry.action?.();
    return true;
  }

  /** All clocks of the service jump ahead, as after a machine was suspended. */
  jump(ms: number): void {
    this.#nowMs += ms;
  }

  #dropCancelled(): void {
    while (this.#heap[0]?.action === null) this.#pop();
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    heap.push(entry);
    let position = heap.length - 1;
    while (position > 0) {
      const parent = (position - 1) >> 1;
      if (!isBefore(heap[position], heap[parent])) return;
      swap(heap, position, parent);
      position = parent;
    }
  }

  #pop(): Entry | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    heap[0] = last;
    let position = 0;
    for (;;) {
      let least = position;
      for (const child of [2 * position + 1, 2 * position + 2]) {
        if (child < heap.length && isBefore(heap[child], heap[least])) least = child;
      }
      if (least === position) return first;
      swap(heap, position, least);
      position = least;
    }
  }
}

function isBefore(a: Entry | undefined, b: Entry | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}

function swap(heap: Entry[], a: number, b: number): void {
  const [first, second] = [heap[a], heap[b]];
  if (first === undefined || second === undefined) return;
  heap[a] = second;
  heap[b] = first;
}
