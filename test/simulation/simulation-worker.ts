/* A process that runs one seed after the other: each changes the clock and the randomness of its process. */
import { loadStack } from './cloud/deployed-stack.ts';
import type { RunMessage, RunResult } from './run-message.ts';
import { simulate } from './simulation.ts';

async function run({
  seed,
  tasks,
  intensity,
  lineLimit,
  streamOutageHours,
  isVerbose,
  ...directories
}: RunMessage): Promise<RunResult> {
  try {
    const report = await simulate({
      stack: await loadStack(directories.stackDirectory),
      seed: String(seed),
      tasks,
      intensity,
      lineLimit,
      streamOutageHours,
      dataDirectory: directories.dataDirectory,
      print: isVerbose ? (line) => process.stdout.write(`${line}\n`) : null,
    });
    return { kind: 'report', report };
  } catch (error) {
    return {
      kind: 'broken',
      seed,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}

process.on('message', async (message: RunMessage) => {
  const result = await run(message);
  process.send?.(result);
});
