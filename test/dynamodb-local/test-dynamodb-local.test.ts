import { expect, test } from 'vitest';
import { type CommandRun, runProcessOn } from '../support/command-run.ts';

const run = (...args: string[]): Promise<CommandRun> =>
  runProcessOn({ endpoint: '' }, '../test/dynamodb-local/test-dynamodb-local', args, {
    PATH: '/nowhere',
  });

test('is visibly skipped where there is no Java', async () => {
  expect(await run()).toMatchObject({ exitCode: 0, stdout: 'SKIPPED: java is not installed\n' });
});

test('explains itself', async () => {
  expect(await run('--help')).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Java') });
});
