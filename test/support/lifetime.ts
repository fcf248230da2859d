import { afterAll, onTestFinished } from 'vitest';

interface Started {
  stop(): Promise<unknown>;
}

/** What the tests of a file share: awaited where the file is loaded, and stopped after its last test. */
export function forThisFile<T extends Started>(starting: Promise<T>): Promise<T> {
  afterAll(async () => {
    await (await starting).stop();
  });
  return starting;
}

/** What one test starts: stopped when the test has finished. */
export function forThisTest<T extends Started>(starting: Promise<T>): Promise<T> {
  onTestFinished(async () => {
    await (await starting).stop();
  });
  return starting;
}
