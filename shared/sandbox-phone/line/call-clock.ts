import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The clock of a simulated call. Speech and waiting take their natural length on it, while only `pace` times as much
 * real time passes: at 0.05 a call of two minutes takes six seconds, at 0 nothing waits.
 */
export class CallClock {
  readonly #startedAt: Date;
  readonly #pace: number;
  readonly #realStart = performance.now();
  #elapsedMs = 0;

  constructor(startedAt: Date, pace: number) {
    this.#startedAt = startedAt;
    this.#pace = pace;
  }

  get pace(): number {
    return this.#pace;
  }

  /** Natural time since the call began. */
  get elapsedMs(): number {
    return this.#elapsedMs;
  }

  /** The simulated wall-clock time. */
  now(): Date {
    return new Date(this.#startedAt.getTime() + this.#elapsedMs);
  }

  /** Lets natural time pass; really waits only for what other work has not already used up. */
  async advance(naturalMs: number): Promise<void> {
    this.#elapsedMs += Math.round(naturalMs);
    const aheadMs = this.#realStart + this.#elapsedMs * this.#pace - performance.now();
    if (aheadMs > 1) await sleep(aheadMs);
  }
}
