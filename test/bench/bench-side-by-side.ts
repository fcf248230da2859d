import { rmSync } from 'node:fs';
import { cp, mkdtemp, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { builtAssembly, builtBundles } from '../../infra/assembly.ts';
import { runCommand, UsageError, wholeNumber } from '../../infra/command.ts';
import { manifests } from '../../infra/manifests.ts';
import { measureInit } from './measure-init.ts';
import {
  createProductTable,
  localStack,
  offlineProducts,
  offlineTasks,
  startStack,
} from './side-by-side/contenders.ts';
import { measureByTurns } from './side-by-side/measure.ts';
import { bundleProducts, installPackages, packages } from './side-by-side/packages.ts';
import { inTables } from './side-by-side/report.ts';

const usage = `Creates something and gets it again, over HTTP, on three runners that take turns, and prints what each
took: the local stack of npm start; serverless-offline with the same functions, POST /v1/task and
GET /v1/task/{task_id}; and serverless-offline with handlers that put and get a product, written in the style of AWS's
TypeScript samples (Powertools, middy, the SDK). Both of the latter use the servers of another local stack. Imports of
all four handlers follow.

Usage: npm run bench-side-by-side [-- options]

  --rounds N     how often each runner is started and measured (default 3)
  --requests N   counted requests of each kind in a round, one at a time and again ten at once (default 100)
  --json FILE    write every single time there, too
  --help         this text

Serverless and what the samples use are installed from the npm registry into a temporary directory, which is removed at
the end: ${Object.entries(packages)
  .map(([name, version]) => `${name} ${version}`)
  .join(', ')}.
Needs Linux. Exits with 2 when the registry does not give them.`;

const initRounds = 11;

const taskHandlers = ['create-task', 'get-task'];
/** Variables that the product handlers read when they load. */
const productEnvironment = z.object({ TABLE_NAME: z.string() });
const productHandlers = ['put-product', 'get-product'];

const options = {
  rounds: { type: 'string', default: '3' },
  requests: { type: 'string', default: '100' },
  json: { type: 'string' },
} as const;

await runCommand(
  'bench-side-by-side',
  'Not everything was measured',
  { help: usage, options },
  async (values) => {
    const extent = {
      rounds: wholeNumber('rounds', values.rounds, 1, 100),
      requests: wholeNumber('requests', values.requests, 1, 10_000),
    };
    if (process.platform !== 'linux') throw new UsageError('What processes take is read from Linux');
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
    const directory = await mkdtemp(join(tmpdir(), 'voice-agent-side-by-side-'));
    process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
    return compare(directory, {
      ...extent,
      jsonFile: values.json === undefined ? null : resolve(values.json),
    });
  },
);

async function compare(
  directory: string,
  { rounds, requests, jsonFile }: { rounds: number; requests: number; jsonFile: string | null },
): Promise<string> {
  const progress = (line: string): void => void process.stdout.write(`${line}\n`);
  progress('installing what is compared …');
  await installPackages(directory);
  progress('bundling …');
  await bundleProducts(directory);
  const bundles = await builtBundles();
  for (const name of taskHandlers) {
    await cp(join(bundles, name), join(directory, 'handlers', name), { recursive: true });
  }
  // Keeps the build out of the stack's start time.
  await builtAssembly('dev');
  progress(`importing each handler ${initRounds} times, in turns with one that does nothing …`);
  const inits = measureInit(
    [
      ...manifests.filter(({ name }) => taskHandlers.includes(name)),
      ...productHandlers.map((name) => ({ name, environment: productEnvironment })),
    ],
    { workDir: directory, bundlesDir: join(directory, 'handlers'), rounds: initRounds },
  );
  const { stack, addresses } = await startStack(await mkdtemp(join(directory, 'servers-')));
  try {
    await createProductTable(addresses);
    const contenders = [
      localStack(directory),
      offlineTasks(directory, addresses),
      offlineProducts(directory, addresses),
    ];
    const before = loadavg()[0] ?? 0;
    const turns = await measureByTurns(contenders, { rounds, requests, progress });
    if (jsonFile !== null) {
      await writeFile(jsonFile, `${JSON.stringify({ turns: Object.fromEntries(turns), inits }, null, 2)}\n`);
    }
    const after = loadavg()[0] ?? 0;
    const load = `load average ${before.toFixed(1)} before and ${after.toFixed(1)} after`;
    return `\n${inTables(turns, inits)}\n\nNode ${process.version}, ${load}`;
  } finally {
    await stack.stop();
  }
}
