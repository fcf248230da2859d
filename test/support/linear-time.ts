import { expect } from 'vitest';

/** Below this, the processor's clock and the garbage collector dominate. */
const shortestMs = 5;
const mostTries = 6;

/** CPU time of this thread, which other processes do not affect. */
const cpuMs = (run: () => void): number => {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
};

/**
 * Expects the time of `run` to grow with its input: four times as much may take ten times as long, while quadratic
 * time would take sixteen times as long.
 */
export const expectLinearTime = (run: (size: number) => void, size: number): void => {
  run(size);
  const short = Math.min(...[1, 2, 3].map(() => cpuMs(() => run(size))));
  const most = 10 * Math.max(short, shortestMs);
  // The heap that other tests left is collected on this thread, too: one undisturbed run shows the time.
  let long = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < mostTries && long >= most; tries += 1)
    long = Math.min(
      long,
      cpuMs(() => run(4 * size)),
    );
  expect(long).toBeLessThan(most);
};
