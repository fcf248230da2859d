import { afterAll, onTestFinished } from 'vitest';

interface Started {
  stop(): Promise<unknown>;
}

/** Shared by the tests of a file: awaited when the file loads, and stopped after its last test. */
export function forThisFile<T extends Started>(starting: Promise<T>): Promise<T> {
  afterAll(async () => {
    await (await starting).stop();
  });
  return starting;
}

/** Started by one test, and stopped when it ends. */
export function forThisTest<T extends Started>(starting: Promise<T>): Promise<T> {
  onTestFinished(async () => {
    await (await starting).stop();
  });
  return starting;
}
