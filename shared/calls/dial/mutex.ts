/**
 * Lets work through one after the other within this process, for work that would otherwise have to be begun again
 * because other work got in between. Nothing rests on it but speed: work that hangs holds the next one up for a bounded
 * time only, and other processes are not held up at all.
 */
export class Mutex {
  readonly #longestMs: number;
  #lastIsThrough: Promise<void> = Promise.resolve();

  /** @param longestMs after which the next work is let through although the one before it is not done */
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
