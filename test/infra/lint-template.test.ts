import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandRun, runCommandOn } from '../support/command-run.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lint-template-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Runs the command with this program as cfn-lint, or without one. */
async function lint(cfnLint: string | null, ...args: string[]): Promise<CommandRun> {
  await rm(join(directory, 'cfn-lint'), { force: true });
  if (cfnLint !== null) {
    await writeFile(join(directory, 'cfn-lint'), `#!${process.execPath}\n${cfnLint}`);
    await chmod(join(directory, 'cfn-lint'), 0o755);
  }
  return runCommandOn({ endpoint: '' }, 'lint-template', args, {
    PATH: [directory, dirname(process.execPath)].join(':'),
  });
}

test('is reported as skipped without cfn-lint', async () => {
  expect(await lint(null)).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^SKIPPED: cfn-lint/),
  });
});

test('checks both templates and prints the findings', async () => {
  const says = 'if (process.argv[2] !== "--version") console.log(JSON.stringify(process.argv.slice(2)));';
  expect(await lint(says)).toMatchObject({ exitCode: 0, stdout: '2 templates pass cfn-lint\n' });
  const { exitCode, stderr } = await lint(`${says} if (process.argv[2] !== "--version") process.exit(4);`);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/"--","[^"]+VoiceAgentTasks-dev[^"]+","[^"]+VoiceAgentTasks-prod[^"]+"/);
});

test('explains its usage', async () => {
  expect(await lint(null, '--help')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('pip install'),
  });
});
