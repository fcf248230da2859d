import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';

const preloaded = fileURLToPath(new URL('../../../infra/local/allocator.js', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'allocator-'));
const script = join(directory, 'script.mjs');
writeFileSync(
  script,
  `const { pid, argv, execArgv, env } = process;
  console.log(JSON.stringify({ pid, given: argv.slice(2), execArgv, arenas: env.MALLOC_ARENA_MAX, own: env.OWN }));`,
);

afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function run(environment: Readonly<Record<string, string>>) {
  const args = ['--max-semi-space-size=4', '--import', preloaded, script, 'one', '--two'];
  const child = spawn(process.execPath, args, { env: environment });
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const printed: unknown = JSON.parse(output);
  return { pid: child.pid, args, printed };
}

describe.runIf(process.platform === 'linux' && process.execve !== undefined)(
  'the preloaded allocator',
  () => {
    test('is set by restarting as the same process with the same arguments', async () => {
      const { pid, args, printed } = await run({ OWN: 'kept' });
      const given = ['one', '--two'];
      expect(printed).toEqual({ pid, given, execArgv: args.slice(0, 3), arenas: '2', own: 'kept' });
    });

    test("keeps the user's own settings", async () => {
      const { pid, printed } = await run({ MALLOC_ARENA_MAX: '8' });
      expect(printed).toMatchObject({ pid, arenas: '8' });
    });
  },
);
