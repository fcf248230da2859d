/**
 * Tracks whether functions are running. Only functions write to tables, so stream pollers can poll often while one
 * runs and rarely otherwise.
 */
export class Activity {
  #lastAtMs = Number.NEGATIVE_INFINITY;
  readonly #sleepers = new Set<() => void>();

  touch(): void {
    this.#lastAtMs = Date.now();
    for (const wake of this.#sleepers) wake();
  }

  /** Waits for the shorter time when something has happened lately; otherwise for the longer one or until it does. */
  async pause(busyMs: number, idleMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const isBusy = Date.now() - this.#lastAtMs < 1_000;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#sleepers.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, isBusy ? busyMs : idleMs);
      signal.addEventListener('abort', wake);
      if (!isBusy) this.#sleepers.add(wake);
    });
  }
}
