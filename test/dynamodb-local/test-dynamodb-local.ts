import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runCommand } from '../../infra/command.ts';
import { filesWithTable } from '../support/tiers.ts';

const usage = `Runs tests against AWS's own DynamoDB Local instead of the embedded DynamoDB.

Usage: npm run test:dynamodb-local [-- FILES]

  FILES    test files or folders, those of the stack tier too; without any, all others that work on a table
  --help   show this text

DynamoDB Local is a Java program: where there is no Java, or the program cannot be fetched, the tests are skipped, and
this is said. It comes from the npm package amplify-dynamodb-simulator (56 MB), of a fixed version and content, and is
kept in .build. Its license allows it to those who have an AWS account, and not to pass it on.`;

const simulator = {
  name: 'amplify-dynamodb-simulator-2.9.30',
  spec: 'amplify-dynamodb-simulator@2.9.30',
  integrity:
    'sha512-xTeeRLvzEfqyd5lh3bH4c0kHvSHHmmhD5ZDsHFKAQ5g2Zl6JqlFdutaQhCLHzxEp6Ry1o7TB6niIoXuQAnSewQ==',
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const build = join(root, '.build');
const unpacked = join(build, simulator.name);
const emulator = join(unpacked, 'package/emulator');

const runFile = promisify(execFile);

/**
 * Downloads the package, unless that was done before. It is not installed, because its dependencies are for other
 * tools. Throws if its content differs. @returns why it is unavailable, or null
 */
async function fetchEmulator(): Promise<string | null> {
  if (existsSync(emulator)) return null;
  await mkdir(build, { recursive: true });
  const download = await mkdtemp(join(build, `${simulator.name}-`));
  const file = `${simulator.name}.tgz`;
  try {
    try {
      await runFile('npm', ['pack', '--silent', '--ignore-scripts', simulator.spec], { cwd: download });
    } catch {
      return `${simulator.spec} could not be fetched by npm`;
    }
    const content = await readFile(join(download, file));
    const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
    if (integrity !== simulator.integrity) throw new Error(`${simulator.spec} has changed: ${integrity}`);
    await runFile('tar', ['-xzf', file, 'package/emulator'], { cwd: download });
    await rm(join(download, file));
    await rename(download, unpacked);
    return null;
  } finally {
    await rm(download, { recursive: true, force: true });
  }
}

function skipped(why: string): number {
  process.stdout.write(`SKIPPED: ${why}\n`);
  return 0;
}

async function main(named: readonly string[]): Promise<number> {
  if (spawnSync('java', ['-version']).status !== 0) return skipped('java is not installed');
  const missing = await fetchEmulator();
  if (missing !== null) return skipped(missing);
  const files = named.length === 0 ? filesWithTable() : named;
  const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'test/vitest.config.ts'];
  const { status } = spawnSync(process.execPath, [...vitest, ...files], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, DYNAMODB_LOCAL: emulator },
  });
  return status ?? 1;
}

await runCommand(
  'test:dynamodb-local',
  'The tests were not run',
  { help: usage, allowPositionals: true },
  (_, files) => main(files),
);
