import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The time of a simulated call. Speech and waiting take their natural length on it, while really only `pace` times as
 * much passes: at 0.05 a call of two minutes is over in six seconds, at 0 nothing is waited for.
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

  /** The instant that a watch at the person's wrist would show. */
  now(): Date {
    return new Date(this.#startedAt.getTime() + this.#elapsedMs);
  }

  /** Lets natural time pass; really waits only for what other work has not used up already. */
  async advance(naturalMs: number): Promise<void> {
    this.#elapsedMs += Math.round(naturalMs);
    const aheadMs = this.#realStart + this.#elapsedMs * this.#pace - performance.now();
    if (aheadMs > 1) await sleep(aheadMs);
  }
}
