import { expect, test } from 'vitest';
import { type CommandRun, runProcessOn } from '../support/command-run.ts';

const run = (...args: string[]): Promise<CommandRun> =>
  runProcessOn({ endpoint: '' }, '../test/dynamodb-local/test-dynamodb-local', args, {
    PATH: '/nowhere',
  });

test('is reported as skipped without Java', async () => {
  expect(await run()).toMatchObject({ exitCode: 0, stdout: 'SKIPPED: java is not installed\n' });
});

test('explains its usage', async () => {
  expect(await run('--help')).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Java') });
});
