/** The time of a call, simulated: it passes in steps, and what is due in a step happens in it. */
export class EventClock {
  readonly #startedAt: Date;
  #elapsedMs = 0;
  #due: { readonly atMs: number; readonly act: () => void }[] = [];

  constructor(startedAt: Date) {
    this.#startedAt = startedAt;
  }

  /** Natural milliseconds since the call was answered. */
  get elapsedMs(): number {
    return this.#elapsedMs;
  }

  now(): Date {
    return new Date(this.#startedAt.getTime() + this.#elapsedMs);
  }

  /** Schedules something at this time since the answer. */
  at(atMs: number, act: () => void): void {
    this.#due.push({ atMs, act });
  }

  pass(ms: number): void {
    this.#elapsedMs += Math.max(0, Math.round(ms));
    const due = this.#due.filter(({ atMs }) => atMs <= this.#elapsedMs);
    this.#due = this.#due.filter((later) => !due.includes(later));
    for (const { act } of due) act();
  }
}
