import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { checkPortFree } from '../../../infra/local/servers/kept-port.ts';
import { listenOnLoopback } from '../../../infra/loopback.ts';
import { type CommandRun, runCommandOn } from '../../support/command-run.ts';

const examine = (args: string[], variables: Record<string, string> = {}): Promise<CommandRun> =>
  runCommandOn({ endpoint: 'http://127.0.0.1:1' }, 'local/doctor', args, variables);

test('a machine that can run the service is told so, with the DynamoDB that it would use', async () => {
  const given = { DYNAMODB_ENDPOINT: 'http://127.0.0.1:8000' };
  const { exitCode, stdout } = await examine(['--port', '0'], given);
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^ok +Node: \d+\.\d+\.\d+/)]);
  expect(stdout).toContain('DynamoDB: http://127.0.0.1:8000 (DYNAMODB_ENDPOINT)');
  expect(stdout).not.toMatch(/^missing/m);
});

test('a port that is taken is told before anything is built', async () => {
  const server = createServer();
  const port = await listenOnLoopback(server, 0);
  try {
    const taken = `Port ${port} is in use`;
    await expect(checkPortFree(port)).rejects.toThrow(taken);
    const { exitCode, stdout } = await examine(['--port', String(port)]);
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining(taken)]);
  } finally {
    server.close();
  }
  await checkPortFree(port);
});

test('what only the tests of clients need keeps nobody from starting', async () => {
  const { exitCode, stdout } = await examine(['--port', '0'], { PATH: '/nowhere' });
  expect(stdout).toMatch(/^without +clients in Go: go not found/m);
  expect(exitCode).toBe(0);
});

test('an option that there is not is a mistake of the person', async () => {
  const { exitCode, stderr } = await examine(['--cure']);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('npm run doctor -- --help')]);
});
