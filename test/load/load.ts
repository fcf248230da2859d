import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { oneOf, parsed, UsageError, wholeNumber } from '../../infra/command.ts';
import type { Spread } from './percentiles.ts';
import { parts } from './process-meter.ts';
import { type LoadReport, megabytes, runLoad } from './run-load.ts';
import { runTurns, type TurnFigures, usualPauses } from './turns/run-turns.ts';

const usage = `Creates tasks of all types on a local stack of its own, each to somebody at the sandbox phone who
helps, lets all of them be called to their end, and measures. On Linux only, which tells the processor time of each
thread.

Usage: npm run load -- [options]

  --tasks N        tasks to create (default 200)
  --rate R         how many of them a second (default 20)
  --pace SECONDS   real seconds per second of a sandbox call (default 0, which does not wait at all)
  --speech NAME    what calls sound like: voices (default) or tones
  --lines N        calls that the project may have at a time (default 20)
  --idle SECONDS   how long the stack is watched at rest before the first task (default 10)
  --limit MINUTES  how long all work may take (default 30)
  --profile DIR    have Node write processor profiles there
  --json FILE      write the report there, too
  --turns N        instead of all that, measure N turns of each kind: how long the voice agent takes from words to its
                   first frame, with the built-in model and with an imitation of a language model that answers at once,
                   and from an interruption to its last frame; one call at a time, then as many as --lines says
  --keep           leave the data directory, with the functions' log, and print its path
  --help           show this text

Processor seconds are those of the stack, without the clients of this command: gateway is the main thread with the event
sources, runtime is Node's collection of garbage and compilation for all threads. Functions that share a thread count
together, by its name, among the functions: clients-0, background-0. Exits with 1 when a task was lost or
anything was doubled, or words were not answered.
`;

interface Options {
  readonly tasks: number;
  readonly rate: number;
  readonly pace: string;
  readonly speech: 'voices' | 'tones';
  readonly lines: number;
  readonly idleSeconds: number;
  readonly limitMs: number;
  readonly profileDirectory: string | null;
  readonly jsonFile: string | null;
  readonly turns: number | null;
  readonly keep: boolean;
}

function readOptions(args: string[]): Options | 'help' {
  const { values } = parsed(() => parse(args));
  if (values.help) return 'help';
  if (!/^(0(\.\d+)?|1(\.0+)?)$/.test(values.pace)) {
    throw new UsageError(`--pace must be a number from 0 to 1, not "${values.pace}"`);
  }
  return {
    tasks: wholeNumber('tasks', values.tasks, 1, 100_000),
    rate: wholeNumber('rate', values.rate, 1, 1_000),
    pace: values.pace,
    speech: oneOf('speech', ['voices', 'tones'], values.speech),
    lines: wholeNumber('lines', values.lines, 1, 100),
    idleSeconds: wholeNumber('idle', values.idle, 0, 3_600),
    limitMs: wholeNumber('limit', values.limit, 1, 600) * 60_000,
    profileDirectory: values.profile === undefined ? null : resolve(values.profile),
    jsonFile: values.json === undefined ? null : resolve(values.json),
    turns: values.turns === undefined ? null : wholeNumber('turns', values.turns, 1, 100_000),
    keep: values.keep,
  };
}

function parse(args: string[]) {
  return parseArgs({
    args,
    options: {
      tasks: { type: 'string', default: '200' },
      rate: { type: 'string', default: '20' },
      pace: { type: 'string', default: '0' },
      speech: { type: 'string', default: 'voices' },
      lines: { type: 'string', default: '20' },
      idle: { type: 'string', default: '10' },
      limit: { type: 'string', default: '30' },
      profile: { type: 'string' },
      json: { type: 'string' },
      turns: { type: 'string' },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
}

/** The report for people. */
function inWords(report: LoadReport): string {
  const { idle, processorSecondsPerTask: seconds } = report;
  const total = parts.reduce((sum, part) => sum + seconds[part], 0);
  const rows: (readonly [string, string])[] = [
    ['ready after', `${report.readySeconds.toFixed(1)} s`],
    ...(idle === null
      ? []
      : [
          [
            'at rest',
            `${megabytes(idle.memoryBytes)} MB, ${(idle.share * 100).toFixed(1)} % of a core`,
          ] as const,
        ]),
    ['tasks', `${report.tasks} in ${report.seconds.toFixed(1)} s`],
    ['accepted', `${report.acceptedPerSecond.toFixed(1)}/s, ${report.throttled} requests throttled`],
    ['completed', `${report.completedPerSecond.toFixed(2)}/s`],
    ...Object.entries(report.endpoints).map(([name, spread]) => [name, spreadInWords(spread)] as const),
    ['creation to first word', spreadInWords(report.firstWordMs)],
    ['turn latency', spreadInWords(report.turnLatencyMs)],
    ['peak memory', `${megabytes(report.peakMemoryBytes)} MB, ${report.peakThreads} threads`],
    ['processor s per task', total.toFixed(3)],
    ...parts.map((part) => [`  ${part}`, seconds[part].toFixed(3)] as const),
    ...Object.entries(report.functionSecondsPerTask).map(
      ([name, perTask]) => [`    ${name}`, perTask.toFixed(3)] as const,
    ),
    ['lost', String(report.lost)],
    ['doubled', String(report.doubled)],
  ];
  return [inColumns(rows), ...report.problems.map((problem) => `problem: ${problem}`)].join('\n');
}

function turnsInWords(figures: readonly TurnFigures[]): string {
  return inColumns(
    figures.map(({ of, calls, ms, unanswered, wordsAfter }) => [
      `${of}, ${calls === 1 ? 'one call' : `${calls} calls`} at a time`,
      [
        spreadInWords(ms),
        ...(of === 'interruption' ? [`${wordsAfter.toFixed(1)} more words`] : []),
        ...(unanswered === 0 ? [] : [`${unanswered} without an answer`]),
      ].join(', '),
    ]),
  );
}

function inColumns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}

function spreadInWords(spread: Spread | null): string {
  if (spread === null) return 'none';
  const [p50, p95, p99] = [spread.p50, spread.p95, spread.p99].map((ms) => ms.toFixed(0));
  return `p50 ${p50}, p95 ${p95}, p99 ${p99} ms (${spread.count})`;
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') {
    process.stdout.write(usage);
    return 0;
  }
  if (process.platform !== 'linux') throw new UsageError('The load test needs Linux');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  const directory = await mkdtemp(join(tmpdir(), 'voice-agent-load-'));
  const progress = (line: string): void => void process.stdout.write(`${line}\n`);
  try {
    if (options.turns !== null) {
      const { turns, lines: calls } = options;
      const figures = await runTurns({ turns, calls, pauseMs: usualPauses, directory, progress });
      process.stdout.write(`\n${turnsInWords(figures)}\n`);
      if (options.jsonFile !== null) await writeJson(options.jsonFile, figures);
      return figures.every(({ unanswered }) => unanswered === 0) ? 0 : 1;
    }
    const report = await runLoad({
      ...options,
      directory,
      ...(options.profileDirectory === null
        ? {}
        : { nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${options.profileDirectory}`] }),
      progress,
    });
    process.stdout.write(`\n${inWords(report)}\n`);
    if (options.jsonFile !== null) await writeJson(options.jsonFile, report);
    return report.problems.length === 0 && report.lost + report.doubled === 0 ? 0 : 1;
  } finally {
    if (options.keep) process.stdout.write(`data kept in ${directory}\n`);
    else await rm(directory, { recursive: true, force: true });
  }
}

function writeJson(file: string, value: object): Promise<void> {
  return writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
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
