import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../infra/command.ts';

const usage = `Runs the tests of the dashboard in Firefox, which npm does not bring: the one that FIREFOX names, or
else firefox or firefox-esr on the path. Says that they are skipped where there is none.

Usage: npm run test:firefox [-- FILE...]

  FILE     only these test files, such as test/dashboard/tasks.stack.test.ts
  --help   show this text`;

const root = fileURLToPath(new URL('../..', import.meta.url));

async function findFirefox(): Promise<string | null> {
  const { FIREFOX = '', PATH = '' } = process.env;
  const paths = PATH.split(delimiter).flatMap((directory) =>
    ['firefox', 'firefox-esr'].map((name) => join(directory, name)),
  );
  for (const path of FIREFOX === '' ? paths : [FIREFOX]) {
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return null;
}

async function main(files: readonly string[]): Promise<number> {
  const firefox = await findFirefox();
  if (firefox === null) {
    process.stdout.write(
      'Firefox: skipped, as there is none on this machine (Debian: apt-get install firefox-esr).\n',
    );
    return 0;
  }
  process.stdout.write(`Firefox: ${firefox}\n`);
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const tests = files.length === 0 ? ['test/dashboard'] : files;
  const args = [vitest, 'run', '--config', 'test/vitest.config.ts', '--project', 'stack', ...tests];
  const run = spawn(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, FIREFOX: firefox, TEST_BROWSER: 'firefox' },
  });
  const [code] = await once(run, 'exit');
  return code === 0 ? 0 : 1;
}

await runCommand(
  'test:firefox',
  'The tests were not run',
  { help: usage, allowPositionals: true },
  (_, files) => main(files),
);
