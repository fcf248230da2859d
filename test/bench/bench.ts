import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { bundleFunctions, bundlePath, defaultBundlesDir } from '../../infra/bundle.ts';
import { runCommand, UsageError } from '../../infra/command.ts';
import { manifests } from '../../infra/manifests.ts';
import { routes } from '../../infra/routes.ts';
import { countRequests } from './count-requests.ts';
import { environmentOf, maxInitRatio, measureInit, median } from './measure-init.ts';
import { measureSealing } from './measure-sealing.ts';
import { maxRequests } from './request-bounds.ts';

const usage = `Prints, per /v1 function: the size of its bundle, what importing it costs against a bundle that only
makes a DynamoDB document client, and how many DynamoDB requests one call of the endpoint makes; then what sealing
takes and, for all functions, what their init takes against a handler that does nothing. Times are ratios of runs that
take turns, because the machine's speed drifts. Exits with 1 when a bound is not kept.

Usage: npm run bench [-- options]

  --runtime-client FILE  only the init of every function, under AWS's own runtime interface client, which compiles
                         native code when it is installed: npm install --prefix DIR --ignore-scripts=false
                         aws-lambda-ric, and FILE is DIR/node_modules/aws-lambda-ric/index.mjs; needs Linux, a C++
                         compiler and CMake
  --help                 this text`;

const maxKilobytes = 450;
const maxImportRatio = 1.25;
const maxSealingMs = 1;
const rounds = 31;
const initRounds = 11;

const root = fileURLToPath(new URL('../..', import.meta.url));
const baselineDir = join(root, 'test', 'bench', 'baseline');
const work = mkdtempSync(join(tmpdir(), 'voice-agent-bench-'));

/** A bundle that only creates a DynamoDB document client, as esbuild builds it without our settings. */
function buildPlainBaseline(): string {
  const outfile = join(work, 'plain', 'index.js');
  buildSync({
    entryPoints: [join(baselineDir, 'document-client.ts')],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    logLevel: 'error',
  });
  return outfile;
}

/** The same client, bundled exactly like the functions: whatever exceeds it is our own code. */
async function buildOwnBaseline(): Promise<string> {
  const outDir = join(work, 'functions');
  await bundleFunctions({ outDir, functionsDir: baselineDir, metafilePath: join(work, 'meta.json') });
  return bundlePath('document-client', outDir);
}

/** Milliseconds that a new process needs to import a bundle. */
function importOnce(path: string, variables: Readonly<Record<string, string>>): number {
  const script = join(work, 'import.cjs');
  writeFileSync(
    script,
    `const started = performance.now(); require(process.argv[2]); console.log(performance.now() - started);`,
  );
  const env = { ...process.env, AWS_REGION: 'us-east-1', TABLE_NAME: 'bench', ...variables };
  return Number(execFileSync(process.execPath, [script, path], { env, encoding: 'utf8' }));
}

function variablesOf(name: string): Record<string, string> {
  const manifest = manifests.find((one) => one.name === name);
  return manifest === undefined ? {} : environmentOf(manifest.environment.shape);
}

function ratioOf(a: number, b: number): string {
  return (a / b).toFixed(2);
}

/** `GetItem + 8 Query` */
function inShort(operations: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const operation of operations) counts.set(operation, (counts.get(operation) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count === 1 ? name : `${count} ${name}`)).join(' + ');
}

async function main(): Promise<boolean> {
  process.stdout.write(`Node ${process.version}; bundling …\n`);
  await bundleFunctions();
  const baselines = { plain: buildPlainBaseline(), own: await buildOwnBaseline() };
  const endpoints = routes.filter((route) => route.path.startsWith('/v1/'));

  process.stdout.write(`importing each bundle ${rounds} times, in turns with the baselines …\n`);
  const times = new Map<string, number[]>();
  for (let round = -1; round < rounds; round += 1) {
    for (const [name, path] of [
      ...Object.entries(baselines),
      ...endpoints.map((route) => [route.function, bundlePath(route.function)] as const),
    ]) {
      const ms = importOnce(path, variablesOf(name));
      // The first round only warms the file cache.
      if (round >= 0) times.set(name, [...(times.get(name) ?? []), ms]);
    }
  }
  const plainMs = median(times.get('plain') ?? []);
  const ownMs = median(times.get('own') ?? []);

  process.stdout.write('counting the DynamoDB requests of each endpoint …\n\n');
  const requests = await countRequests();

  const kilobytesOf = (path: string): string => (statSync(path).size / 1000).toFixed(0);
  const header = ['function', 'bundle KB', 'import ms', 'ratio', 'to own', 'first call', 'hot path'];
  const rows = [
    ['(client, plain bundle)', kilobytesOf(baselines.plain), plainMs.toFixed(1), '1.00', '', '', ''],
    [
      '(client, our bundler)',
      kilobytesOf(baselines.own),
      ownMs.toFixed(1),
      ratioOf(ownMs, plainMs),
      '1.00',
      '',
      '',
    ],
  ];
  let kept = true;
  for (const route of endpoints) {
    const name = route.function;
    const kilobytes = statSync(bundlePath(name)).size / 1000;
    const importMs = median(times.get(name) ?? []);
    const ratio = importMs / plainMs;
    const counted = requests.get(name);
    if (counted === undefined) throw new Error(`no request count for ${name}`);
    const tooMany = counted.hot.length > maxRequests(name);
    if (kilobytes > maxKilobytes || ratio > maxImportRatio || tooMany) kept = false;
    rows.push([
      name,
      kilobytes.toFixed(0),
      importMs.toFixed(1),
      ratio.toFixed(2),
      ratioOf(importMs, ownMs),
      inShort(counted.first),
      inShort(counted.hot),
    ]);
  }
  printTable([header, ...rows]);
  process.stdout.write(
    `\nBounds: bundle ${maxKilobytes} KB, import ${maxImportRatio} × the plain bundle, ` +
      'on the hot path the DynamoDB requests of test/bench/request-bounds.ts ' +
      `(the first call also looks the key up and notes its use): ${kept ? 'kept' : 'NOT KEPT'}\n`,
  );
  return [printSealing(), printInits(), kept].every(Boolean);
}

/** @returns whether sealing and opening stay within their bound */
function printSealing(): boolean {
  const measured = measureSealing();
  process.stdout.write('\nsealing and opening once, in processor time …\n\n');
  printTable([
    ['value', 'bytes', 'sealed', 'ms'],
    ...measured.map(({ what, bytes, sealedBytes, milliseconds }) => [
      what,
      String(bytes),
      String(sealedBytes),
      milliseconds.toFixed(3),
    ]),
  ]);
  const isKept = measured.every(({ milliseconds }) => milliseconds <= maxSealingMs);
  process.stdout.write(`\nBound of sealing: ${maxSealingMs} ms: ${isKept ? 'kept' : 'NOT KEPT'}\n`);
  return isKept;
}

/** Each function in new processes. @returns whether all stay within their bound */
function printInits(runtimeClient?: string): boolean {
  const under = runtimeClient === undefined ? '' : ' under the runtime interface client';
  process.stdout.write(
    `\ninit of every function${under}, ${initRounds} times in turns with an empty handler …\n\n`,
  );
  const inits = measureInit(manifests, {
    workDir: work,
    bundlesDir: defaultBundlesDir,
    rounds: initRounds,
    ...(runtimeClient !== undefined && { runtimeClient }),
  });
  printTable([
    ['function', 'init ms', 'processor ms', 'ratio', 'bound'],
    ...inits.map(({ name, elapsedMs, processorMs, ratio }) => [
      name,
      elapsedMs.toFixed(0),
      processorMs.toFixed(0),
      ratio.toFixed(2),
      String(maxInitRatio(name)),
    ]),
  ]);
  const late = inits.filter(({ name, ratio }) => ratio > maxInitRatio(name)).map(({ name }) => name);
  process.stdout.write(
    `\nBounds of init: ${late.length === 0 ? 'kept' : `NOT KEPT by ${late.join(', ')}`}\n`,
  );
  return late.length === 0;
}

function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    process.stdout.write(`${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}\n`);
  }
}

try {
  const options = { 'runtime-client': { type: 'string' } } as const;
  await runCommand('bench', 'Not everything was measured', { help: usage, options }, async (values) => {
    const runtimeClient = values['runtime-client'];
    if (runtimeClient === undefined) return (await main()) ? 0 : 1;
    if (!existsSync(runtimeClient))
      throw new UsageError(`--runtime-client: there is no file ${runtimeClient}`);
    await bundleFunctions();
    return printInits(resolve(runtimeClient)) ? 0 : 1;
  });
} finally {
  rmSync(work, { recursive: true, force: true });
}
