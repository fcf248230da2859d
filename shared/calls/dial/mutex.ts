/**
 * Serializes work within this process that would otherwise conflict and start over. Only an optimization: a hanging
 * task blocks the next for a bounded time, and other processes not at all.
 */
export class Mutex {
  readonly #longestMs: number;
  #lastIsThrough: Promise<void> = Promise.resolve();

  /** @param longestMs after which the next work starts although the one before is not done */
  constructor(longestMs: number) {
    this.#longestMs = longestMs;
  }

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const isMyTurn = this.#lastIsThrough;
    const result = isMyTurn.then(work);
    this.#lastIsThrough = isMyTurn.then(() => settledWithin(result, this.#longestMs));
    return result;
  }
}

function settledWithin(work: Promise<unknown>, longestMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, longestMs);
    const goOn = (): void => {
      clearTimeout(timer);
      resolve();
    };
    work.then(goOn, goOn);
  });
}
