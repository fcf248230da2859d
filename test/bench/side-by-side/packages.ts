import { execFile } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { UsageError } from '../../../infra/command.ts';

/** Installed for a run, never as dependencies. Version 3 is the last Serverless that needs no account. */
export const packages: Readonly<Record<string, string>> = {
  serverless: '3.40.0',
  'serverless-offline': '13.10.1',
  '@aws-lambda-powertools/logger': '2.36.0',
  '@aws-lambda-powertools/metrics': '2.36.0',
  '@aws-lambda-powertools/tracer': '2.36.0',
  '@aws-sdk/client-dynamodb': '3.1162.0',
  '@aws-sdk/lib-dynamodb': '3.1162.0',
  '@middy/core': '7.9.2',
};

/** Does not wait for unresponsive registries, and runs no scripts of packages. */
const unattended = ['--ignore-scripts', '--fetch-retries=1', '--fetch-retry-mintimeout=1000'];
const installLimitMs = 10 * 60_000;

/** Runs npm in a directory; throws with npm's output. */
export type Npm = (args: readonly string[], directory: string) => Promise<unknown>;

const npm: Npm = (args, directory) =>
  promisify(execFile)('npm', [...args], { cwd: directory, timeout: installLimitMs });

/** Installs the packages into the directory. Throws a `UsageError` if the registry does not provide them. */
export async function installPackages(directory: string, run: Npm = npm): Promise<void> {
  const manifest = { name: 'side-by-side', private: true, dependencies: packages };
  await writeFile(join(directory, 'package.json'), JSON.stringify(manifest));
  try {
    await run(['install', '--no-audit', '--no-fund', ...unattended], directory);
  } catch (error) {
    throw new UsageError(
      `npm could not install what is compared; is its registry reachable?\n${causeOf(error)}`,
    );
  }
}

/** npm's errors, without warnings and the path of its log. */
function causeOf(error: unknown): string {
  const printed = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
  const complaints = printed
    .split('\n')
    .filter((line) => line.startsWith('npm error') && !line.includes('complete log'));
  return complaints.length > 0 ? complaints.slice(0, 5).join('\n') : String(error);
}

const productHandlers = ['put-product', 'get-product'];

/**
 * Bundles the product handlers into `DIRECTORY/handlers`, with the packages installed in the directory and
 * as the CDK bundles a `NodejsFunction`.
 */
export async function bundleProducts(directory: string): Promise<void> {
  const sources = join(directory, 'products');
  await cp(fileURLToPath(new URL('products', import.meta.url)), sources, { recursive: true });
  await build({
    entryPoints: productHandlers.map((name) => ({
      in: join(sources, `${name}.js`),
      out: join(name, 'index'),
    })),
    outdir: join(directory, 'handlers'),
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    logLevel: 'error',
  });
}
