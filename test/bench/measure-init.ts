import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import { bundlePath } from '../../infra/bundle.ts';

/** Figures of a function's init; each a median over the rounds. */
export interface Init {
  readonly name: string;
  /** From `require` of the bundle to its end. */
  readonly elapsedMs: number;
  /** The same in processor time, all threads. */
  readonly processorMs: number;
  /** Processor time of the process until then, relative to the empty handler's in the same round. */
  readonly ratio: number;
}

interface Sample {
  readonly elapsedMs: number;
  readonly processorMs: number;
  readonly processMs: number;
}

/** What the runtime does at a cold start: starts Node.js and loads the handler's module. */
const script = `
const before = process.cpuUsage();
const started = performance.now();
require(process.argv[2]);
const elapsedMs = performance.now() - started;
const { user, system } = process.cpuUsage(before);
const all = process.cpuUsage();
console.log(JSON.stringify({
  elapsedMs, processorMs: (user + system) / 1000, processMs: (all.user + all.system) / 1000,
}));
process.exit();
`;

/**
 * The same under AWS's runtime interface client, which requests an event when the init is over. The processor time is
 * the whole process's, from `/proc`, in hundredths of a second.
 */
const clientScript = `
const { createServer } = require('node:http');
const { spawn } = require('node:child_process');
const { readFileSync } = require('node:fs');
const { dirname } = require('node:path');
const [, , path, client] = process.argv;
const server = createServer(({ url }) => {
  const elapsedMs = performance.now() - started;
  if (!url.endsWith('/invocation/next')) throw new Error('the runtime client reports ' + url);
  const [, fields] = readFileSync('/proc/' + child.pid + '/stat', 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13).map(Number);
  const processMs = (user + system) * 10;
  console.log(JSON.stringify({ elapsedMs, processorMs: processMs, processMs }));
  child.kill('SIGKILL');
  process.exit();
});
let child;
let started;
server.listen(0, '127.0.0.1', () => {
  const handler = path.slice(dirname(path).length + 1, -'.js'.length) + '.handler';
  const env = {
    ...process.env,
    AWS_LAMBDA_RUNTIME_API: '127.0.0.1:' + server.address().port,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1024',
    LAMBDA_TASK_ROOT: dirname(path),
    _HANDLER: handler,
  };
  started = performance.now();
  const stdio = ['ignore', 'ignore', 'inherit'];
  child = spawn(process.execPath, [client, handler], { env, cwd: dirname(path), stdio });
  child.on('exit', (code) => process.exit(code || 1));
});
`;

/** Uses the first that suits each variable. */
const values = ['1', 'operator', 'refused', 'tones'];

/** Values with which functions load. */
export function environmentOf(shape: Readonly<Record<string, z.core.$ZodType>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [name, fittingValue(name, schema)]),
  );
}

function fittingValue(name: string, schema: z.core.$ZodType): string {
  if (/_(?:URL|ISSUER)$/.test(name)) return 'http://127.0.0.1:1/init';
  if (name === 'DIALOGUE_MODEL') return 'built-in';
  const value = values.find((candidate) => z.safeParse(schema, candidate).success);
  if (value === undefined) throw new Error(`no value for ${name}: add one to the list`);
  return value;
}

/**
 * The limit of an init, relative to a process with an empty handler: about 150 ms of a full core for the
 * agent, which a person waits for, and 130 ms for the others.
 */
export function maxInitRatio(name: string): number {
  return name === 'voice-agent' ? 8 : 7.2;
}

interface InitOptions {
  readonly workDir: string;
  readonly bundlesDir: string;
  readonly rounds: number;
  /** The main file of `aws-lambda-ric`, which then loads the functions; Linux only. */
  readonly runtimeClient?: string;
}

/** Loads each function in new processes, alternating with an empty handler's. */
export function measureInit(
  functions: readonly Pick<FunctionManifest, 'name' | 'environment'>[],
  { workDir, bundlesDir, rounds, runtimeClient }: InitOptions,
): readonly Init[] {
  const scriptPath = join(workDir, 'init.cjs');
  const emptyPath = join(workDir, 'empty.js');
  writeFileSync(scriptPath, runtimeClient === undefined ? script : clientScript);
  writeFileSync(emptyPath, 'exports.handler = async () => {};');
  const sample = (path: string, environment: Record<string, string>): Sample =>
    JSON.parse(
      execFileSync(
        process.execPath,
        [scriptPath, path, ...(runtimeClient === undefined ? [] : [runtimeClient])],
        {
          env: { PATH: process.env.PATH, AWS_REGION: 'us-east-1', ...environment },
          encoding: 'utf8',
        },
      ),
    );
  const loaded = functions.map(({ name, environment }) => ({
    name,
    path: bundlePath(name, bundlesDir),
    environment: {
      LAMBDA_TASK_ROOT: join(bundlesDir, name),
      ...environmentOf(environment.shape),
    },
  }));
  const taken = new Map<string, (Sample & { readonly ratio: number })[]>();
  // The first round only warms the file cache.
  for (let round = -1; round < rounds; round += 1) {
    const empty = sample(emptyPath, {});
    for (const { name, path, environment } of loaded) {
      const one = sample(path, environment);
      const ratio = one.processMs / empty.processMs;
      if (round >= 0) taken.set(name, [...(taken.get(name) ?? []), { ...one, ratio }]);
    }
  }
  return [...taken].map(([name, samples]) => ({
    name,
    elapsedMs: median(samples.map(({ elapsedMs }) => elapsedMs)),
    processorMs: median(samples.map(({ processorMs }) => processorMs)),
    ratio: median(samples.map(({ ratio }) => ratio)),
  }));
}

/** The median; for an even number of values, the upper of the two. */
export function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
