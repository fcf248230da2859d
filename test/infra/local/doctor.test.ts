import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { checkPortFree } from '../../../infra/local/servers/kept-port.ts';
import { listenOnLoopback } from '../../../infra/loopback.ts';
import { type CommandRun, runCommandOn } from '../../support/command-run.ts';

const examine = (args: string[], variables: Record<string, string> = {}): Promise<CommandRun> =>
  runCommandOn({ endpoint: 'http://127.0.0.1:1' }, 'local/doctor', args, variables);

test('a suitable machine passes, and learns which DynamoDB it would use', async () => {
  const given = { DYNAMODB_ENDPOINT: 'http://127.0.0.1:8000' };
  const { exitCode, stdout } = await examine(['--port', '0'], given);
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^ok +Node: \d+\.\d+\.\d+/)]);
  expect(stdout).toContain('DynamoDB: http://127.0.0.1:8000 (DYNAMODB_ENDPOINT)');
  expect(stdout).not.toMatch(/^missing/m);
});

test('a port in use is reported before the build', async () => {
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

test('missing tools of client tests do not prevent a start', async () => {
  const { exitCode, stdout } = await examine(['--port', '0'], { PATH: '/nowhere' });
  expect(stdout).toMatch(/^without +clients in Go: go not found/m);
  expect(exitCode).toBe(0);
});

test('an unknown option is a usage error', async () => {
  const { exitCode, stderr } = await examine(['--cure']);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('npm run doctor -- --help')]);
});
