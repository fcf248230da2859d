import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { bundleFunctions, bundlePath } from '../../infra/bundle.ts';
import { routes } from '../../infra/routes.ts';
import { countRequests } from './count-requests.ts';

/*
 * Prints, per /v1 function: the size of its bundle, what importing it costs against a bundle that only makes a
 * DynamoDB document client, and how many DynamoDB requests one call of the endpoint makes. Times are ratios of runs
 * that take turns, because the machine's speed drifts; exits with 1 when a bound is not kept.
 */
const maxKilobytes = 450;
const maxImportRatio = 1.25;
const maxRequests = 1;
const rounds = 31;

const root = fileURLToPath(new URL('../..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'voice-agent-bench-'));

/** A bundle made with plain esbuild settings: what the import of the client alone costs anybody. */
function buildBaseline(): string {
  const entry = join(root, 'test', 'bench', 'baseline.ts');
  const outfile = join(work, 'baseline.js');
  buildSync({
    entryPoints: [entry],
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

/** Milliseconds that a fresh process needs to import a bundle. */
function importOnce(path: string): number {
  const script = join(work, 'import.cjs');
  writeFileSync(
    script,
    `const started = performance.now(); require(process.argv[2]); console.log(performance.now() - started);`,
  );
  const environment = {
    ...process.env,
    AWS_REGION: 'us-east-1',
    TABLE_NAME: 'bench',
    CALL_QUEUE_URL: 'http://127.0.0.1:1/queue',
    PUBLIC_BASE_URL: 'http://127.0.0.1:1',
    RECORDINGS_BUCKET: 'bench',
  };
  return Number(execFileSync(process.execPath, [script, path], { env: environment, encoding: 'utf8' }));
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

async function main(): Promise<boolean> {
  process.stdout.write(`Node ${process.version}; bundling …\n`);
  await bundleFunctions();
  const baseline = buildBaseline();
  const endpoints = routes.filter((route) => route.path.startsWith('/v1/'));

  process.stdout.write(`importing each bundle ${rounds} times, in turns with the baseline …\n`);
  const times = new Map<string, number[]>([['baseline', []]]);
  for (let round = -1; round < rounds; round += 1) {
    for (const [name, path] of [
      ['baseline', baseline] as const,
      ...endpoints.map((route) => [route.function, bundlePath(route.function)] as const),
    ]) {
      const ms = importOnce(path);
      // The first round only warms the file cache.
      if (round >= 0) times.set(name, [...(times.get(name) ?? []), ms]);
    }
  }
  const baselineMs = median(times.get('baseline') ?? []);

  process.stdout.write('counting the DynamoDB requests of each endpoint …\n\n');
  const requests = await countRequests();

  const baselineKilobytes = statSync(baseline).size / 1000;
  const header = ['function', 'bundle KB', 'import ms', 'ratio', 'first call', 'hot path'];
  const rows = [['(baseline)', baselineKilobytes.toFixed(0), baselineMs.toFixed(1), '1.00', '', '']];
  let kept = true;
  for (const route of endpoints) {
    const name = route.function;
    const kilobytes = statSync(bundlePath(name)).size / 1000;
    const importMs = median(times.get(name) ?? []);
    const ratio = importMs / baselineMs;
    const counted = requests.get(name);
    if (counted === undefined) throw new Error(`no request count for ${name}`);
    if (kilobytes > maxKilobytes || ratio > maxImportRatio || counted.hot.length > maxRequests) kept = false;
    rows.push([
      name,
      kilobytes.toFixed(0),
      importMs.toFixed(1),
      ratio.toFixed(2),
      counted.first.join(' + '),
      counted.hot.join(' + '),
    ]);
  }
  const widths = header.map((_, column) =>
    Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  for (const row of [header, ...rows]) {
    process.stdout.write(`${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}\n`);
  }
  process.stdout.write(
    `\nBounds: bundle ${maxKilobytes} KB, import ${maxImportRatio} × baseline, ${maxRequests} DynamoDB request on the hot path ` +
      `(the first call also looks the key up): ${kept ? 'kept' : 'NOT KEPT'}\n`,
  );
  return kept;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
