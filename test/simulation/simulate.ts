import { type ChildProcess, fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parsed, UsageError } from '../../infra/command.ts';
import { buildStack } from './cloud/deployed-stack.ts';
import { lineTable } from './line-table.ts';
import type { RunMessage, RunResult } from './run-message.ts';
import { runLine, summary, violationText } from './scorecard.ts';
import type { SimulationReport } from './simulation.ts';

const usage = `Runs the deployed functions over the embedded servers on a simulated clock, in a world in which
everything goes wrong that may go wrong: functions crash at any request, messages, callbacks and frames are lost, late
and doubled, DynamoDB, SQS, S3 and the carrier fail before and after they did what they were asked, the stack is
killed, clocks jump. After each step it checks what the service promises. The same seed gives the same run.

Usage: npm run simulate [-- options]

  --seed N        the first seed; the following runs take the numbers after it (default: a random one, which is printed)
  --runs N        so many runs (default: 1 with --seed, else 3)
  --calls N       runs until so many calls were simulated
  --minutes M     runs until so many minutes are over
  --tasks N       tasks in each run (default 60); each makes one to four calls
  --intensity X   how much goes wrong: 0 nothing, 1 usual (default 1)
  --line N        all tasks at once, of three projects, to one number that takes N calls at a time; prints time and
                  order
  --stream-outage H  nobody follows the table's stream for the first H hours
  --jobs N        runs at the same time, each in a process of its own (default 1)
  --verbose       print everything that happens
  --help          show this text

Exits with 0 when every promise was kept, with 1 when one was broken (with what happened and the command that replays
it), and with 2 when the simulation itself could not run.
`;

interface Options {
  readonly seed: number;
  readonly runs: number;
  readonly calls: number;
  readonly minutes: number;
  readonly tasks: number;
  readonly intensity: number;
  readonly lineLimit: number | null;
  readonly streamOutageHours: number;
  readonly jobs: number;
  readonly isVerbose: boolean;
}

const defaultTasks = 60;

function parse(args: string[]) {
  return parseArgs({
    args,
    options: {
      seed: { type: 'string' },
      runs: { type: 'string' },
      calls: { type: 'string' },
      minutes: { type: 'string' },
      tasks: { type: 'string', default: String(defaultTasks) },
      intensity: { type: 'string', default: '1' },
      line: { type: 'string' },
      'stream-outage': { type: 'string', default: '0' },
      jobs: { type: 'string', default: '1' },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  }).values;
}

function readOptions(args: string[]): Options | 'help' {
  const values = parsed(() => parse(args));
  if (values.help) return 'help';
  const isOpenEnded = values.calls !== undefined || values.minutes !== undefined;
  const usualRuns = isOpenEnded ? Number.POSITIVE_INFINITY : values.seed === undefined ? 3 : 1;
  return {
    seed: values.seed === undefined ? randomInt(1_000_000_000) : amount('seed', values.seed, 0, true),
    runs: values.runs === undefined ? usualRuns : amount('runs', values.runs, 1, true),
    calls: values.calls === undefined ? Number.POSITIVE_INFINITY : amount('calls', values.calls, 1, true),
    minutes:
      values.minutes === undefined ? Number.POSITIVE_INFINITY : amount('minutes', values.minutes, 0, false),
    tasks: amount('tasks', values.tasks, 1, true),
    intensity: amount('intensity', values.intensity, 0, false),
    lineLimit: values.line === undefined ? null : amount('line', values.line, 1, true),
    streamOutageHours: amount('stream-outage', values['stream-outage'], 0, false),
    jobs: amount('jobs', values.jobs, 1, true),
    isVerbose: values.verbose,
  };
}

function amount(name: string, text: string, least: number, isWhole: boolean): number {
  const value = Number(text);
  if (text === '' || !Number.isFinite(value) || value < least || (isWhole && !Number.isInteger(value))) {
    throw new UsageError(
      `--${name} must be ${isWhole ? 'a whole number' : 'a number'} from ${least} on, not "${text}"`,
    );
  }
  return value;
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') {
    process.stdout.write(usage);
    return 0;
  }
  const startedAt = performance.now();
  const directory = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'simulation-'));
  const workers: ChildProcess[] = [];
  process.once('exit', () => {
    for (const worker of workers) worker.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  process.stdout.write(`First seed: ${options.seed}\n`);
  await buildStack(directory);
  const reports: SimulationReport[] = [];
  let nextSeed = options.seed;
  const isEnough = (): boolean =>
    nextSeed - options.seed >= options.runs ||
    reports.reduce((sum, { calls }) => sum + calls, 0) >= options.calls ||
    (performance.now() - startedAt) / 60_000 >= options.minutes;
  const work = async (job: number): Promise<void> => {
    while (!isEnough()) {
      const seed = nextSeed;
      nextSeed += 1;
      // One for each run, so that nothing of a run remains for the next.
      const worker = fork(fileURLToPath(new URL('simulation-worker.ts', import.meta.url)), {
        serialization: 'advanced',
        execArgv: ['--disable-warning=ExperimentalWarning'],
      });
      workers.push(worker);
      const report = await runOn(worker, {
        seed,
        tasks: options.tasks,
        intensity: options.intensity,
        lineLimit: options.lineLimit,
        streamOutageHours: options.streamOutageHours,
        isVerbose: options.isVerbose,
        stackDirectory: directory,
        dataDirectory: join(directory, `job-${job}`),
      }).finally(() => worker.kill());
      reports.push(report);
      process.stdout.write(`${runLine(report)}\n`);
      if (options.lineLimit !== null) process.stdout.write(lineTable(report));
      for (const violation of report.violations) {
        process.stdout.write(`${violationText(violation, replayCommand(seed, options))}\n`);
      }
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, (_, job) => work(job)));
  process.stdout.write(summary(reports, (performance.now() - startedAt) / 1000));
  return reports.some(({ violations }) => violations.length > 0) ? 1 : 0;
}

async function runOn(worker: ChildProcess, message: RunMessage): Promise<SimulationReport> {
  worker.send(message);
  const ended = new AbortController();
  const died = once(worker, 'exit', { signal: ended.signal }).then(() => {
    throw new Error(`the process of seed ${message.seed} has died`);
  });
  const [result]: [RunResult] = await Promise.race([answerOf(worker), died]).finally(() => {
    died.catch(() => {});
    ended.abort();
  });
  if (result.kind === 'broken') throw new Error(`seed ${result.seed}: ${result.error}`);
  return result.report;
}

async function answerOf(worker: ChildProcess): Promise<[RunResult]> {
  return new Promise((resolve) => {
    worker.once('message', (result: RunResult) => resolve([result]));
  });
}

function replayCommand(seed: number, { tasks, intensity, lineLimit, streamOutageHours }: Options): string {
  const more = [
    ...(tasks === defaultTasks ? [] : [`--tasks ${tasks}`]),
    ...(intensity === 1 ? [] : [`--intensity ${intensity}`]),
    ...(lineLimit === null ? [] : [`--line ${lineLimit}`]),
    ...(streamOutageHours === 0 ? [] : [`--stream-outage ${streamOutageHours}`]),
  ];
  return ['npm run simulate -- --seed', seed, ...more].join(' ');
}

try {
  process.exitCode = await main();
} catch (error) {
  if (error instanceof UsageError) process.stderr.write(`${error.message}\n\n${usage}`);
  else process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 2;
}
