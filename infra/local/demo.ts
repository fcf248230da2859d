import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../command.ts';
import { bold } from './demo/progress.ts';
import { runDemo } from './demo/run-demo.ts';
import { launch } from './launch.ts';

const usage = `Runs the demo once with temporary data and removes it afterwards.

Usage: npm run demo [-- --keep]

  --keep   leave the data directory, with the recordings, and print its path
  --help   show this text

Exits with 0 only if all four tasks completed, their recordings are valid audible two-channel WAV files, and every
expected webhook arrived with a valid signature.`;

const options = { keep: { type: 'boolean', default: false } } as const;

await runCommand('demo', 'The demo did not finish', { help: usage, options }, async (values) => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'voice-agent-demo-'));
  try {
    const launched = await launch({ dataDirectory, port: 0, webhookUrl: null, pace: null });
    const stopOnSignal = (): void => {
      void launched.stop().then(() => process.exit(130));
    };
    process.once('SIGINT', stopOnSignal).once('SIGTERM', stopOnSignal);
    try {
      const report = await runDemo({
        baseUrl: launched.stack.baseUrl,
        projectId: launched.project.project_id,
        apiKey: launched.project.api_key,
        receiver: launched.receiver,
        recordingsDirectory: join(dataDirectory, 'recordings'),
      });
      process.stdout.write('\n');
      for (const problem of report.problems) process.stdout.write(`problem: ${problem}\n`);
      const completed = report.tasks.filter((task) => task.status === 'COMPLETED').length;
      const verdict = report.problems.length === 0 ? 'no problems' : `${report.problems.length} problems`;
      process.stdout.write(
        bold(
          `${completed} of ${report.tasks.length} tasks completed in ${report.seconds.toFixed(1)} s; ${verdict}.\n`,
        ),
      );
      return report.problems.length === 0 ? 0 : 1;
    } finally {
      await launched.stop();
    }
  } finally {
    if (values.keep) process.stdout.write(`data kept in ${dataDirectory}\n`);
    else await rm(dataDirectory, { recursive: true, force: true });
  }
});
process.exit();
