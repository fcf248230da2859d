import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parsed, UsageError, wholeNumber } from '../../infra/command.ts';
import { type CrashReport, runCrashTest } from './run-crash-test.ts';

const usage = `Kills the whole local stack (kill -9) at random moments while it works on tasks, and starts it again on
the same data, until all tasks have ended. Then everything is compared: what the clients were told, what the service
has written down, what the simulated carrier was asked for, and which webhooks came.

Usage: npm run crash-test [-- options]

  --tasks N         tasks, to all kinds of people (default 50)
  --kills N         kills; about a third of them hits a start (default 8)
  --seed TEXT       decides the moments of the kills and the order of the tasks (default: the present minute)
  --attempts N      calls that a task may take; one that died with the stack was one of them (default 4)
  --pace SECONDS    real seconds per second of a sandbox call (default 0.05)
  --limit MINUTES   how long after the last start everything must be over (default 20)
  --keep            leave the data directory, with the stack's output, and print its path
  --help            show this text

Exits with 0 only if every task ended exactly once, no attempt was dialed twice, no call is left open, every recording
that the carrier made can be fetched whole, every webhook came under one id, and nothing is left running.
`;

interface Options {
  readonly tasks: number;
  readonly kills: number;
  readonly seed: string;
  readonly attempts: number;
  readonly pace: string;
  readonly limitMinutes: number;
  readonly keep: boolean;
}

function readOptions(args: string[]): Options | 'help' {
  const { values } = parsed(() => parse(args));
  if (values.help) return 'help';
  if (!/^(0(\.\d+)?|1(\.0+)?)$/.test(values.pace)) {
    throw new UsageError(`--pace must be a number from 0 to 1, not "${values.pace}"`);
  }
  return {
    tasks: wholeNumber('tasks', values.tasks, 1, 1_000),
    kills: wholeNumber('kills', values.kills, 0, 1_000),
    seed: values.seed ?? new Date().toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length),
    attempts: wholeNumber('attempts', values.attempts, 1, 10),
    pace: values.pace,
    limitMinutes: wholeNumber('limit', values.limit, 1, 600),
    keep: values.keep,
  };
}

function parse(args: string[]) {
  return parseArgs({
    args,
    options: {
      tasks: { type: 'string', default: '50' },
      kills: { type: 'string', default: '8' },
      seed: { type: 'string' },
      attempts: { type: 'string', default: '4' },
      pace: { type: 'string', default: '0.05' },
      limit: { type: 'string', default: '20' },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
}

function printReport(report: CrashReport, { seed, kills }: Options): void {
  const { evidence, startSeconds, settledAfterSeconds, repeatedRequests, events, deliveries } = report;
  const { tasks, calls, carrierCalls, carrierRecordings } = evidence;
  const rows: [string, string][] = [
    ['seed', seed],
    ['kills', String(kills)],
    ['starts', `${startSeconds.length} undisturbed, ${range(startSeconds)} s each`],
    ['tasks', tally(tasks.map(({ status }) => status))],
    ['calls', tally(calls.map(({ status }) => status))],
    ['calls closed by', tally(calls.map(({ closed_by }) => closed_by ?? 'nobody'))],
    ['calls at the carrier', tally(carrierCalls.map(({ status, failure }) => failure ?? status))],
    ['recordings made', tally(carrierRecordings.map(({ status }) => status))],
    ['recordings stored', String(calls.filter(({ recording }) => recording.status === 'stored').length)],
    ['webhook events', `${events} in ${deliveries} deliveries`],
    ['requests repeated', String(repeatedRequests)],
    [
      'all over',
      settledAfterSeconds === null ? 'no' : `${settledAfterSeconds.toFixed(0)} s after the last start`,
    ],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  process.stdout.write('\n');
  for (const [name, value] of rows) process.stdout.write(`${name.padEnd(width)}  ${value}\n`);
  process.stdout.write('\n');
  for (const problem of report.problems) process.stdout.write(`problem: ${problem}\n`);
  process.stdout.write(
    report.problems.length === 0
      ? 'Nothing was lost and nothing was doubled.\n'
      : `${report.problems.length} problems with --seed ${seed}.\n`,
  );
}

function tally(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const parts = [...counts].sort(([, a], [, b]) => b - a).map(([name, number]) => `${number} ${name}`);
  return parts.length === 0 ? 'none' : `${names.length}: ${parts.join(', ')}`;
}

function range(seconds: readonly number[]): string {
  return `${Math.min(...seconds).toFixed(1)} to ${Math.max(...seconds).toFixed(1)}`;
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') {
    process.stdout.write(usage);
    return 0;
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  const directory = await mkdtemp(join(tmpdir(), 'voice-agent-crash-'));
  const startedAt = performance.now();
  try {
    process.stdout.write(`seed ${options.seed}\n`);
    const report = await runCrashTest({
      seed: options.seed,
      tasks: options.tasks,
      kills: options.kills,
      attempts: options.attempts,
      pace: options.pace,
      // Long enough for several kills while tasks are being created.
      longestGapMs: 900,
      settleLimitMs: options.limitMinutes * 60_000,
      directory,
      progress: (line) => {
        const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
        process.stdout.write(`${seconds.padStart(7)} s  ${line}\n`);
      },
    });
    printReport(report, options);
    return report.problems.length === 0 ? 0 : 1;
  } finally {
    if (options.keep) process.stdout.write(`data kept in ${directory}\n`);
    else await rm(directory, { recursive: true, force: true });
  }
}

main().then(
  (exitCode) => process.exit(exitCode),
  (error: unknown) => {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\n\n${usage}`);
      process.exit(2);
    }
    process.stderr.write(`\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
